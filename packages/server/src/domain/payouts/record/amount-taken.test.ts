import { describe, expect, it } from 'vitest'

import { BEFORE, LATER, NOW, SENDS, sendingRow } from '../../../../test/support/outcomes.ts'
import { microUsdc } from '../../../core/money.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { STAGES } from '../progress.ts'
import { bankSentAfter, bankUpdatedAfter, differenceAt, surplusAfter } from './amount-taken.ts'

const more = (by: bigint) => microUsdc(SENDS + by)
const row = (overrides: Partial<FollowedPayout> = {}) =>
  sendingRow({ bankSent: null, bankUpdatedAt: null, toppingUp: null, ...overrides })
const transfer = (overrides: Partial<TransferSnapshot> = {}): TransferSnapshot => ({
  transferRef: 'ref',
  state: 'submitted',
  refund: 'none',
  reason: null,
  bankState: 'submitted',
  nextChangeAt: null,
  ...overrides,
})
const FRESH = row({ bankUpdatedAt: BEFORE, bankSent: more(5n), surplus: microUsdc(3n) })
const STALE = { updatedAt: new Date(BEFORE.getTime() - 1) }

describe('what the bank has taken, as it is kept', () => {
  it.each([
    { why: 'it says nothing', of: row(), said: {}, kept: null },
    { why: 'it says nothing any more', of: FRESH, said: { updatedAt: NOW }, kept: more(5n) },
    { why: 'as reserved', of: row(), said: { send: SENDS }, kept: null },
    { why: 'as reserved after all', of: FRESH, said: { send: SENDS, updatedAt: NOW }, kept: null },
    { why: 'something else', of: row(), said: { send: more(9n) }, kept: more(9n) },
    { why: 'old news', of: FRESH, said: { send: more(9n), ...STALE }, kept: more(5n) },
    { why: 'as old as ours', of: FRESH, said: { send: more(9n), updatedAt: BEFORE }, kept: more(9n) },
  ])('$why', ({ of, said, kept }) => {
    expect(bankSentAfter(of, transfer(said))).toBe(kept)
  })
})

describe('what the bank has left over, as it is kept', () => {
  it.each([
    { why: 'it says nothing', of: row(), said: {}, kept: null },
    { why: 'it says nothing any more', of: FRESH, said: { updatedAt: NOW }, kept: 3n },
    { why: 'an amount', of: row(), said: { surplus: microUsdc(4n) }, kept: 4n },
    { why: 'another amount', of: FRESH, said: { surplus: microUsdc(4n), updatedAt: NOW }, kept: 4n },
    { why: 'none after all', of: FRESH, said: { surplus: microUsdc(0n), updatedAt: NOW }, kept: 0n },
    { why: 'old news', of: FRESH, said: { surplus: microUsdc(4n), ...STALE }, kept: 3n },
    { why: 'more than there was', of: row(), said: { surplus: more(1n) }, kept: null },
  ])('$why', ({ of, said, kept }) => {
    expect(surplusAfter(of, transfer(said))).toBe(kept)
  })
})

describe('when the bank last changed it, as it is kept', () => {
  it.each([
    { why: 'it does not say', of: row({ bankUpdatedAt: BEFORE }), said: {}, kept: BEFORE },
    { why: 'newer news', of: row({ bankUpdatedAt: BEFORE }), said: { updatedAt: NOW }, kept: NOW },
    { why: 'the first news', of: row(), said: { updatedAt: BEFORE }, kept: BEFORE },
    { why: 'old news', of: row({ bankUpdatedAt: BEFORE }), said: STALE, kept: BEFORE },
    { why: 'a moment that is still to come', of: row(), said: { updatedAt: LATER }, kept: NOW },
  ])('$why', ({ of, said, kept }) => {
    expect(bankUpdatedAfter(of, transfer(said), NOW)).toEqual(kept)
  })
})

describe('what is to be booked of it', () => {
  const taken = row({ sendState: 'accepted', status: 'processing', surfacedAt: BEFORE, transferRef: 'ref' })
  it.each([
    { why: 'nothing, as reserved', of: taken, reached: 'on_its_way', bankSent: null, booked: 0n },
    { why: 'what was taken besides', of: taken, reached: 'on_its_way', bankSent: more(9n), booked: 9n },
    { why: 'what was not taken', of: taken, reached: 'completed', bankSent: more(-9n), booked: -9n },
    {
      why: 'the rest of it',
      of: { ...taken, bankSent: more(4n) },
      reached: 'completed',
      bankSent: more(9n),
      booked: 5n,
    },
    {
      why: 'back with the money',
      of: { ...taken, bankSent: more(4n) },
      reached: 'refunded',
      bankSent: more(4n),
      booked: -4n,
    },
    { why: 'nothing of what the bank never had', of: row(), reached: 'in_doubt', bankSent: more(9n), booked: 0n },
    {
      why: 'from the beginning, of what it then has',
      of: row(),
      reached: 'on_its_way',
      bankSent: more(9n),
      booked: 9n,
    },
  ] as const)('is $booked: $why', ({ of, reached, bankSent, booked }) => {
    expect(differenceAt(of, STAGES[reached], bankSent)).toBe(booked)
  })
})
