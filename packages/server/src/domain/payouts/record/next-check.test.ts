import { describe, expect, it } from 'vitest'

import { BEFORE, LATER, NOW, accepted, sendingRow } from '../../../../test/support/outcomes.ts'
import { decideOutcome } from './decide-outcome.ts'
import { nextCheck } from './next-check.ts'

describe('the next look', () => {
  it('is when the bank says that something will change', () => {
    const { change } = decideOutcome(sendingRow(), accepted('submitted', { nextChangeAt: LATER }), NOW)
    expect(change.nextCheckAt).toEqual(LATER)
  })

  it('is not at once when that moment has passed: a bank that is late is not asked without a pause', () => {
    for (const nextChangeAt of [BEFORE, NOW]) {
      const row = sendingRow({ status: 'processing', sendState: 'accepted', surfacedAt: BEFORE, checks: 3 })
      const { change } = decideOutcome(row, accepted('submitted', { nextChangeAt }), NOW)
      expect(change.nextCheckAt).toEqual(nextCheck(NOW, 3))
    }
  })

  it('at a transfer that the bank lists comes after the list was read, and later each time', () => {
    const seconds = [0, 1, 2, 5].map((checks) => {
      const row = sendingRow({ status: 'processing', sendState: 'accepted', surfacedAt: BEFORE, checks })
      const { change } = decideOutcome(row, accepted('submitted', { updatedAt: NOW }), NOW)
      return (change.nextCheckAt!.getTime() - NOW.getTime()) / 1_000
    })
    expect(seconds).toEqual([15, 30, 60, 300])
  })

  it('begins anew when the payout has moved, however long it was in doubt', () => {
    const row = sendingRow({ surfacedAt: BEFORE, checks: 8 })
    const { change } = decideOutcome(row, accepted('submitted', { updatedAt: NOW }), NOW)
    expect([change.nextCheckAt!.getTime() - NOW.getTime(), change.checks]).toEqual([15_000, 0])
  })

  it('comes later each time, up to five minutes, for ever', () => {
    const seconds = [0, 1, 2, 3, 8, 9, 20, 1_000].map(
      (checks) => (nextCheck(NOW, checks).getTime() - NOW.getTime()) / 1_000,
    )
    expect(seconds).toEqual([1, 2, 4, 8, 256, 300, 300, 300])
  })
})
