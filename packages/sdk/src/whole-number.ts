import { UsageError } from './errors.ts'

/** A timer that is set for longer goes off at once. */
const LONGEST_MS = 2_147_483_647

export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= LONGEST_MS) return value
  throw new UsageError(`${name} is a whole number from ${least} to ${LONGEST_MS}.`)
}
