import type { Rate } from '../../core/rate.ts'

/** The JSON number that the specification wants. Nothing is ever computed with it. */
export function rateAsNumber(rate: Rate): number {
  return rateTextAsNumber(rate.text)
}

export function rateTextAsNumber(text: string): number {
  return Number.parseFloat(text)
}
