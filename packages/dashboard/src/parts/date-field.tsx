import { Field } from './field.tsx'
import { useTyped } from './use-typed.ts'

interface DateFieldProps {
  readonly label: string
  readonly className?: string
  readonly value: string
  readonly onChange: (day: string) => void
}

/** While a year is typed, the browser reports 0002, 0020 and 0202 first, and an empty value while a part is missing. */
const isWhole = (day: string) => day >= '2000'

export function DateField({ label, className, value, onChange }: DateFieldProps) {
  const { typed, type, leave } = useTyped(value, onChange, isWhole)
  return (
    <Field
      label={label}
      type="date"
      className={className}
      value={typed}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => (event.key === 'Enter' ? leave() : undefined)}
    />
  )
}
