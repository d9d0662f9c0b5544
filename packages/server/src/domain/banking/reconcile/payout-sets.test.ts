import { describe, expect, it } from 'vitest'

import { newId } from '../../../core/ids.ts'
import type { PayoutSet } from '../../../storage/bank-comparison.ts'
import { createPayoutSets } from './payout-sets.ts'

/** As the database counts them. */
function counted(ids: readonly string[]): PayoutSet[] {
  const sets = new Map<string, PayoutSet>()
  for (const id of ids) {
    const name = id.slice(-3)
    const figure = BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(-16)}`))
    const { count, mix } = sets.get(name) ?? { count: 0, mix: 0n }
    sets.set(name, { name, count: count + 1, mix: mix ^ figure })
  }
  return [...sets.values()]
}

const MOMENT = new Date('2026-01-01T00:00:00Z')
const drawn = Array.from({ length: 20_000 }, () => newId(MOMENT))
// Of 130 times once, chance gives the first one's set no other.
const ids = [...drawn, `${newId(MOMENT).slice(0, -3)}${drawn[0]!.slice(-3)}`]
const listing = (listed: readonly string[]) => {
  const sets = createPayoutSets()
  for (const id of listed) sets.add(id)
  return sets.differences(counted(ids))
}
const endOf = (id: string) => id.replaceAll('-', '').slice(-16)

describe('payouts counted into sets', () => {
  it('do not differ when both sides have the same, in whatever order', () => {
    expect(listing(ids.toReversed())).toEqual([])
  })

  it('name the one that is missing, or is there twice', () => {
    const [one, ...others] = ids
    const expected = [{ name: one!.slice(-3), end: endOf(one!) }]
    expect(listing(others)).toEqual(expected)
    expect(listing([...ids, one!])).toEqual(expected)
  })

  it('differ when one is missing and another of the same set is there twice', () => {
    const [one] = ids
    const other = ids.find((id) => id !== one && id.slice(-3) === one!.slice(-3))!
    expect(listing([...ids.filter((id) => id !== one), other])).toEqual([{ name: one!.slice(-3), end: null }])
  })

  it('differ wherever some of many are missing', () => {
    const missing = new Set(ids.filter((_, index) => index % 7 === 0))
    const names = listing(ids.filter((id) => !missing.has(id))).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set([...missing].map((id) => id.slice(-3))))
  })
})
