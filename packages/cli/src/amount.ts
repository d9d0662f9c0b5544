// Pounds as a person types them.
import type { Money } from '@kestrel/sdk'

import { misuse } from './failure.ts'

/** `25` and `25.00`; not `25.5`, which may be a slip, and never a float. */
export function amountOf(text: string, name = 'AMOUNT'): Money {
  const [, whole, rest = '.00'] = /^(\d{1,12})(\.\d{2})?$/.exec(text) ?? []
  if (whole === undefined) throw misuse(`${name} is in pounds and pence, such as 25.00, and not "${text}".`)
  return `${BigInt(whole)}${rest}` as Money
}

export function countOf(
  text: string | undefined,
  { name, usual, most }: { name: string; usual: number; most: number },
): number {
  if (text === undefined) return usual
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw misuse(`--${name} is a whole number from 1 to ${most}, and not "${text}".`)
}
