import { amountMistake, readAmount } from '../format/money.ts'
import { Field } from '../parts/field.tsx'
import type { AmountsDraft } from './amounts-draft.ts'

const AMOUNTS = [
  { name: 'most', label: 'Most per payout' },
  { name: 'daily', label: 'Most per day' },
  { name: 'monthly', label: 'Most per month' },
] as const

interface AmountProps {
  readonly draft: AmountsDraft
  readonly onChange: (draft: AmountsDraft) => void
}

/** The three limits in pounds of a key or a member. What is left empty is not limited. */
export function AmountLimits({ draft, onChange }: AmountProps) {
  const wrong = (text: string) => (text.trim() === '' || readAmount(text) !== null ? undefined : amountMistake(text))
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {AMOUNTS.map(({ name, label }) => (
        <Field
          key={name}
          label={label}
          prefix="£"
          inputMode="decimal"
          placeholder="No limit"
          value={draft[name]}
          error={wrong(draft[name])}
          onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
        />
      ))}
    </div>
  )
}
