import type { PayoutRail } from '../../src/rail/port.ts'

/** A rail that takes another's place, and so has what that has: accounts, lists, test money. */
export function inPlaceOf(place: PayoutRail, rail: PayoutRail): PayoutRail {
  return { ...rail, has: place.has, words: place.words }
}
