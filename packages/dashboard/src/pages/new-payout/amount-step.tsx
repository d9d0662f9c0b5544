import type { UseFormReturn } from 'react-hook-form'

import { useEnvironment } from '../../app/session.ts'
import { gbp, grouped, readAmount } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { amountProblem, type Draft, type Limits } from './draft.ts'

interface StepProps {
  readonly form: UseFormReturn<Draft>
  readonly limits: Limits
  readonly onDone: () => void
}

export function AmountStep({ form, limits, onDone }: StepProps) {
  const { register, formState, setValue } = form
  const environment = useEnvironment()
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
      }}
    >
      <Field
        label="Amount the recipient gets"
        prefix="£"
        inputMode="decimal"
        autoComplete="off"
        error={formState.errors.amount?.message}
        hint={`From ${gbp(limits.min)} to ${gbp(limits.max_per_payout)}`}
        {...register('amount', {
          validate: (typed) => amountProblem(typed, limits),
          onBlur: (event: { target: { value: string } }) => {
            const amount = readAmount(event.target.value)
            if (amount !== null) setValue('amount', grouped(amount))
          },
        })}
      />
      <Field
        label="Reference"
        optional
        maxLength={120}
        error={formState.errors.reference?.message}
        hint={
          environment === 'sandbox'
            ? 'Bank statements carry 18 characters. In sandbox, “sandbox:return” or “sandbox:fail” chooses the ending.'
            : 'Bank statements carry 18 characters of it.'
        }
        {...register('reference')}
      />
      <div>
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </div>
    </form>
  )
}
