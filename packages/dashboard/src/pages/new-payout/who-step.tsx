import type { RecipientSummary } from '@kestrel/contract'
import type { UseFormReturn } from 'react-hook-form'

import { readAccountNumber, readSortCode, showSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { splitName } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { type Draft, EMPTY, fullName, RULES, WHO_FIELDS } from './draft.ts'
import { PaidBefore } from './paid-before.tsx'

interface StepProps {
  readonly form: UseFormReturn<Draft>
  /** The last four digits of the account that was paid before, when somebody is paid again. */
  readonly last4: string | undefined
  readonly onLast4: (last4: string | undefined) => void
  readonly onDone: () => void
}

export function WhoStep({ form, last4, onLast4, onDone }: StepProps) {
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
    setValue('firstName', first)
    setValue('lastName', last)
    clearErrors(['firstName', 'lastName'])
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
            hint: 'Name the person in charge; the account may be the business’s.',
          },
        ]}
      />
      <NameFields form={form} />
      <AddressFields form={form} />
      <BankFields form={form} last4={last4} />
      <div>
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </div>
    </form>
  )
}

type FieldsProps = Pick<StepProps, 'form'>

function NameFields({ form: { register, formState } }: FieldsProps) {
  const { errors } = formState
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">Name</legend>
      <Field
        label="First name"
        maxLength={80}
        error={errors.firstName?.message}
        {...register('firstName', { validate: RULES.firstName })}
      />
      <Field
        label="Last name"
        maxLength={80}
        error={errors.lastName?.message}
        {...register('lastName', { validate: RULES.lastName })}
      />
      <Field
        label="Email"
        type="email"
        optional
        className="sm:col-span-2"
        error={errors.email?.message}
        {...register('email', { validate: RULES.email })}
      />
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

function BankFields({ form, last4 }: Pick<StepProps, 'form' | 'last4'>) {
  const { register, formState, setValue, watch } = form
  const { errors } = formState
  const account = readAccountNumber(watch('accountNumber'))
  const differs = last4 !== undefined && account !== null && !account.endsWith(last4)
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
          onBlur: (event: { target: { value: string } }) =>
            setValue('sortCode', showSortCode(readSortCode(event.target.value) ?? event.target.value)),
        })}
      />
      <Field
        label="Account number"
        inputMode="numeric"
        autoComplete="off"
        error={errors.accountNumber?.message}
        warning={differs ? `Last time the account ended ··${last4}. Check it with the recipient.` : undefined}
        {...(last4 === undefined ? {} : { hint: `Last time the account ended ··${last4}` })}
        {...register('accountNumber', { validate: RULES.accountNumber })}
      />
    </fieldset>
  )
}
