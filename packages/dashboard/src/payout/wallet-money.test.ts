import type { PayoutEventKind, PayoutTimeline } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import { whereMoneyIs } from './wallet-money.ts'

const story = (...kinds: readonly PayoutEventKind[]): PayoutTimeline['data'] =>
  kinds.map((kind) => ({ kind, at: '2026-11-02T09:00:00.000Z', by: null, usdc: null, detail: null }))

describe('the money of the wallet', () => {
  it('is back only when it is', () => {
    expect(whereMoneyIs('failed', { data: story('sent', 'failed') })).toBe('coming back')
    expect(whereMoneyIs('failed', { data: story('sent', 'failed', 'refunded') })).toBe('back')
    expect(whereMoneyIs('returned', { data: story('completed', 'returned', 'refunded') })).toBe('back')
  })

  it('is not guessed at before the story is read', () => {
    expect(whereMoneyIs('failed', undefined)).toBe('sent')
    expect(whereMoneyIs('completed', { data: story('completed') })).toBe('sent')
  })
})
