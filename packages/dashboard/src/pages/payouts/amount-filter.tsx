import { useState } from 'react'

import { amountMistake, readAmount } from '../../format/money.ts'
import { Field } from '../../parts/field.tsx'
import { useTyped } from '../../parts/use-typed.ts'

interface AmountFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (amount: string) => void
}

/** The filter is set when the field is left or Enter is pressed: a half-typed amount is another amount. */
const NOT_BEFORE = () => false

export function AmountFilter({ label, value, onChange }: AmountFilterProps) {
  const { typed, type, leave } = useTyped(value, onChange, NOT_BEFORE)
  const [isLeft, setLeft] = useState(false)
  const isWrong = typed.trim() !== '' && readAmount(typed) === null
  // A value from the address was not typed here, so it is checked at once.
  const isShown = isWrong && (isLeft || typed === value)
  const take = () => {
    setLeft(true)
    if (!isWrong) leave()
  }
  return (
    <Field
      label={label}
      prefix="£"
      inputMode="decimal"
      value={typed}
      onChange={(event) => {
        setLeft(false)
        type(event.target.value)
      }}
      onBlur={take}
      onKeyDown={(event) => (event.key === 'Enter' ? take() : undefined)}
      error={isShown ? amountMistake(typed) : undefined}
    />
  )
}
