import type { PayoutRail } from '../../src/rail/port.ts'

/** A rail that takes another's place, and so has what that has: accounts, lists, test money. It is asked, and foretells nothing. */
export function inPlaceOf(place: PayoutRail, rail: PayoutRail): PayoutRail {
  const { foretell: _untold, ...asked } = rail
  return { ...asked, has: place.has, words: place.words }
}
