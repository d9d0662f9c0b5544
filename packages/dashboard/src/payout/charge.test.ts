import type { PayoutEventKind, PayoutTimeline } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { isCharged } from './charge.ts'

const story = (...kinds: readonly PayoutEventKind[]): PayoutTimeline['data'] =>
  kinds.map((kind) => ({ kind, at: '2026-11-02T09:00:00.000Z', by: null, usdc: null, detail: null }))

describe('the fee', () => {
  it('is not charged for what did not go', () => {
    expect(isCharged('failed', undefined)).toBe(false)
    expect(isCharged('cancelled', { data: story('created', 'reserved', 'cancelled') })).toBe(false)
  })

  it('of a payout that came back is charged if it had arrived', () => {
    expect(isCharged('returned', { data: story('sent', 'completed', 'returned') })).toBe(true)
    expect(isCharged('returned', { data: story('sent', 'returned') })).toBe(false)
  })

  it('stands for what is under way or has arrived', () => {
    expect((['pending', 'processing', 'completed'] as const).map((status) => isCharged(status, undefined))).toEqual([
      true,
      true,
      true,
    ])
  })
})
