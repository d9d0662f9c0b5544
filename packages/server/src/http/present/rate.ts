import type { Rate } from '../../core/rate.ts'

/** The JSON number that the specification wants. Nothing is ever computed with it. */
export function rateAsNumber(rate: Rate): number {
  return Number.parseFloat(rate.text)
}
