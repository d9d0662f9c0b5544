import type { RecipientSummary } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'

import { useScope } from '../../app/session.ts'
import { readAccountNumber, readSortCode, showSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { splitName } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field, SelectField } from '../../parts/field.tsx'
import { recipientsQuery } from '../../server/queries.ts'
import { type Draft, RULES } from './draft.ts'

interface StepProps {
  readonly form: UseFormReturn<Draft>
  /** The last four digits of the account that was paid before, when somebody is paid again. */
  readonly last4: string | undefined
  readonly onLast4: (last4: string | undefined) => void
  readonly onDone: () => void
}

export function WhoStep({ form, last4, onLast4, onDone }: StepProps) {
  const { watch, setValue } = form
  return (
    <div className="grid gap-5">
      <PaidBefore
        onPick={({ name, account_last4 }) => {
          const { first, last } = splitName(name ?? '')
          setValue('firstName', first)
          setValue('lastName', last)
          onLast4(account_last4 ?? undefined)
        }}
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
        <Button kind="primary" onClick={onDone}>
          Continue
        </Button>
      </div>
    </div>
  )
}

function PaidBefore({ onPick }: { onPick: (recipient: RecipientSummary) => void }) {
  const recipients = useQuery(recipientsQuery(useScope())).data?.data ?? []
  const [chosen, setChosen] = useState('')
  if (recipients.length === 0) return null
  return (
    <SelectField
      label="Paid before"
      optional
      value={chosen}
      onChange={(event) => {
        setChosen(event.target.value)
        const found = recipients[Number(event.target.value)]
        if (event.target.value !== '' && found !== undefined) onPick(found)
      }}
      hint="Fills in the name. Bank details are typed again, because only the last 4 digits are kept."
    >
      <option value="">Somebody new</option>
      {recipients.map(({ name, account_last4 }, index) => (
        <option key={`${name}${account_last4}`} value={index}>
          {name} ··{account_last4}
        </option>
      ))}
    </SelectField>
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
