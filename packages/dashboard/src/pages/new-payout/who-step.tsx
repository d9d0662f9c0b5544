import type { RecipientSummary } from '@kestrel/contract'
import type { UseFormReturn } from 'react-hook-form'

import { useEnvironment } from '../../app/session.ts'
import { readAccountNumber, readSortCode, showSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { splitName } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { IMPOSSIBLE_PAIR, useAccountCheck, useIsImpossible } from './account-check.ts'
import { type Draft, EMPTY, fullName, lengthOf, LONGEST, RULES, WHO_FIELDS } from './draft.ts'
import { PaidBefore } from './paid-before.tsx'

interface StepProps {
  readonly form: UseFormReturn<Draft>
  /** The last four digits of the account that was paid before, when somebody is paid again. */
  readonly last4: string | undefined
  /** The smallest payout: any amount does for asking about an account. */
  readonly leastAmount: string
  readonly onLast4: (last4: string | undefined) => void
  readonly onDone: () => void
}

export function WhoStep({ form, last4, leastAmount, onLast4, onDone }: StepProps) {
  const { watch, setValue, clearErrors } = form
  /** What was typed about one person must never be sent about another. */
  const startAnew = () => {
    for (const field of WHO_FIELDS) setValue(field, EMPTY[field])
    clearErrors()
    onLast4(undefined)
  }
  const pick = ({ name, account_last4 }: RecipientSummary) => {
    if (last4 !== undefined) startAnew()
    const { first, last } = splitName(name ?? '')
    setValue('businessName', name ?? '')
    setValue('firstName', first)
    setValue('lastName', last)
    clearErrors(['businessName', 'firstName', 'lastName'])
    onLast4(account_last4 ?? undefined)
  }
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
      }}
    >
      <PaidBefore
        chosen={last4 === undefined ? null : { name: fullName(watch()), last4 }}
        onPick={pick}
        onSomebodyNew={startAnew}
      />
      <Choice
        legend="Who is it?"
        name="type"
        value={watch('type')}
        onChange={(type) => setValue('type', type)}
        options={[
          { value: 'individual', label: 'A person' },
          {
            value: 'business',
            label: 'A business',
            hint: 'A company, partnership or charity',
          },
        ]}
      />
      {watch('type') === 'business' ? <BusinessFields form={form} /> : <NameFields form={form} />}
      <AddressFields form={form} />
      <BankFields form={form} last4={last4} leastAmount={leastAmount} />
      <div>
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </div>
    </form>
  )
}

type FieldsProps = Pick<StepProps, 'form'>

function BusinessFields({ form }: FieldsProps) {
  const { register, formState, watch } = form
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 font-semibold">Name</legend>
      <Field
        label="Business name"
        hint="As on its bank account, such as Thistle & Reed Ltd"
        count={{ length: lengthOf(watch('businessName')), most: LONGEST.name }}
        error={formState.errors.businessName?.message}
        {...register('businessName', { validate: RULES.businessName })}
      />
      <EmailField form={form} />
    </fieldset>
  )
}

function EmailField({ form: { register, formState } }: FieldsProps) {
  return (
    <Field
      label="Email"
      type="email"
      optional
      className="sm:col-span-2"
      error={formState.errors.email?.message}
      {...register('email', { validate: RULES.email })}
    />
  )
}

function NameFields({ form }: FieldsProps) {
  const { register, formState, watch } = form
  const { errors } = formState
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">Name</legend>
      <Field
        label="First name"
        count={{ length: lengthOf(watch('firstName')), most: LONGEST.name }}
        error={errors.firstName?.message}
        {...register('firstName', { validate: RULES.firstName })}
      />
      <Field
        label="Last name"
        count={{ length: lengthOf(watch('lastName')), most: LONGEST.name }}
        error={errors.lastName?.message}
        {...register('lastName', { validate: RULES.lastName })}
      />
      <EmailField form={form} />
    </fieldset>
  )
}

function AddressFields({ form: { register, formState, setValue } }: FieldsProps) {
  const { errors } = formState
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">Address</legend>
      <Field
        label="Address line 1"
        className="sm:col-span-2"
        error={errors.line1?.message}
        {...register('line1', { validate: RULES.line1 })}
      />
      <Field label="Address line 2" optional className="sm:col-span-2" {...register('line2')} />
      <Field label="Town or city" error={errors.city?.message} {...register('city', { validate: RULES.city })} />
      <Field
        label="Postcode"
        error={errors.postcode?.message}
        {...register('postcode', {
          validate: RULES.postcode,
          onBlur: (event: { target: { value: string } }) => setValue('postcode', tidyPostcode(event.target.value)),
        })}
      />
    </fieldset>
  )
}

function BankFields({ form, last4, leastAmount }: Pick<StepProps, 'form' | 'last4' | 'leastAmount'>) {
  const { register, formState, setValue, trigger } = form
  const { errors, touchedFields } = formState
  const isLive = useEnvironment() === 'live'
  const isImpossible = useAccountCheck(leastAmount)
  const warning = useAccountWarning({ form, last4, leastAmount })
  const account = async (typed: string) => {
    const problem = RULES.accountNumber(typed)
    if (problem !== true || !isLive) return problem
    return !(await isImpossible(form.getValues())) || IMPOSSIBLE_PAIR
  }
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">Bank account</legend>
      <Field
        label="Bank name"
        className="sm:col-span-2"
        error={errors.bankName?.message}
        {...register('bankName', { validate: RULES.bankName })}
      />
      <Field
        label="Sort code"
        inputMode="numeric"
        placeholder="04-00-04"
        autoComplete="off"
        error={errors.sortCode?.message}
        {...register('sortCode', {
          validate: RULES.sortCode,
          onBlur: (event: { target: { value: string } }) => {
            setValue('sortCode', showSortCode(readSortCode(event.target.value) ?? event.target.value))
            // The two are checked together, whichever is left last.
            if (touchedFields.accountNumber === true) void trigger('accountNumber')
          },
        })}
      />
      <Field
        label="Account number"
        inputMode="numeric"
        autoComplete="off"
        error={errors.accountNumber?.message}
        warning={warning}
        {...(last4 === undefined ? {} : { hint: `Last time the account ended ··${last4}` })}
        {...register('accountNumber', { validate: account })}
      />
    </fieldset>
  )
}

/** Only advice: another account than last time, and in sandbox a pair that live would refuse. */
function useAccountWarning({ form, last4, leastAmount }: Pick<StepProps, 'form' | 'last4' | 'leastAmount'>) {
  const isSandbox = useEnvironment() === 'sandbox'
  const { watch, formState } = form
  const account = readAccountNumber(watch('accountNumber'))
  const wasLeft = isSandbox && formState.touchedFields.accountNumber === true
  const isImpossible = useIsImpossible(watch(), leastAmount, wasLeft)
  const notes = [
    last4 !== undefined && account !== null && !account.endsWith(last4)
      ? `Different account from last time (··${last4}). Check by phone.`
      : '',
    isImpossible ? 'This pair cannot be a real account. Sandbox takes it; live would not.' : '',
  ].filter((note) => note !== '')
  return notes.length === 0 ? undefined : notes.join(' ')
}
