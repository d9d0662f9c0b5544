import { statementReference } from '@kestrel/contract/statement-reference'
import type { UseFormReturn } from 'react-hook-form'

import { useEnvironment } from '../../app/session.ts'
import { gbp, grouped, readAmount } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import type { Room } from '../../limits/amounts-draft.ts'
import { amountProblem, type Draft, lengthOf, type Limits, LONGEST, tooLong } from './draft.ts'
import { useOwnRoom } from './use-own-limits.ts'

interface StepProps {
  readonly form: UseFormReturn<Draft>
  readonly limits: Limits
  readonly onDone: () => void
}

export function AmountStep({ form, limits, onDone }: StepProps) {
  const { register, formState, setValue, watch } = form
  const reference = watch('reference')
  const environment = useEnvironment()
  const room = useOwnRoom()
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
        hint={`From ${gbp(limits.min)} to ${gbp(limits.max_per_payout)}${room === null ? '' : `. ${roomInWords(room)}`}`}
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
        count={{ length: lengthOf(reference), most: LONGEST.reference }}
        error={formState.errors.reference?.message}
        hint={
          <>
            <OnTheBankStatement reference={reference} />
            {environment === 'sandbox' ? ' In sandbox, “sandbox:return” or “sandbox:fail” chooses the ending.' : null}
          </>
        }
        {...register('reference', { validate: (typed) => tooLong(typed, LONGEST.reference) ?? true })}
      />
      <div>
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </div>
    </form>
  )
}

/** "You may send £10.00 more today." */
function roomInWords({ left, until }: Room): string {
  return until === 'per payout' ? `You may send ${gbp(left)} at once.` : `You may send ${gbp(left)} more ${until}.`
}

/** Shows, while it is typed, what the recipient's bank statement will say. */
export function OnTheBankStatement({ reference }: { reference: string }) {
  const carried = statementReference(reference) ?? ''
  if (reference.trim() === '') return 'Bank statements carry 18 characters of it.'
  return carried === '' ? (
    'Bank statements can carry nothing of this.'
  ) : (
    <>
      On the statement: <span className="font-mono text-ink">{carried}</span>
    </>
  )
}
