import type { Rate } from '../../core/rate.ts'

/** The JSON number that the specification asks for. Nothing is ever calculated with it. */
export function rateAsNumber(rate: Rate): number {
  return rateTextAsNumber(rate.text)
}

export function rateTextAsNumber(text: string): number {
  return Number.parseFloat(text)
}
