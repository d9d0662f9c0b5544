import { describe, expect, it } from 'vitest'

import { microUsdc } from '../../../core/money.ts'
import type { TransferState } from '../../../rail/transfer.ts'
import { isTooMuch, saysWhatCannotBe, takenFromWallet } from './taken-from-wallet.ts'

const usdc = (amount: bigint) => microUsdc(amount)
const payout = (more: { toppedUp?: bigint; toppingUp?: bigint | null; bankSent?: bigint | null } = {}) => ({
  walletSends: usdc(1_000n),
  toppedUp: usdc(more.toppedUp ?? 0n),
  toppingUp: more.toppingUp == null ? null : usdc(more.toppingUp),
  bankSent: more.bankSent == null ? null : usdc(more.bankSent),
})
const said = (send: bigint | undefined, state: TransferState = 'submitted') =>
  send === undefined ? { state } : { state, send: usdc(send) }

describe('what the bank took from a wallet that was to send 1,000', () => {
  it.each([
    { why: 'the bank does not say', of: {}, send: undefined, taken: 1_000n },
    { why: 'it does not say any more', of: { bankSent: 990n }, send: undefined, taken: 990n },
    { why: 'as ordered', of: { bankSent: 990n }, send: 1_000n, taken: 1_000n },
    { why: 'a little less', of: {}, send: 999n, taken: 999n },
    { why: 'a little more', of: {}, send: 1_001n, taken: 1_001n },
    { why: 'with what the operator has added', of: { toppedUp: 30n }, send: 1_030n, taken: 1_000n },
    { why: 'with what is being added, too', of: { toppedUp: 30n, toppingUp: 7n }, send: 1_037n, taken: 1_000n },
    {
      why: 'with what was added, while more is being',
      of: { toppedUp: 30n, toppingUp: 7n },
      send: 1_030n,
      taken: 1_000n,
    },
    { why: 'without what was added', of: { toppedUp: 30n }, send: 1_000n, taken: 1_000n },
    { why: 'neither with nor without it', of: { toppedUp: 30n }, send: 1_031n, taken: 1_031n },
    { why: 'three quarters: too little to be true', of: {}, send: 750n, taken: 1_000n },
    { why: 'a millionth more than that', of: {}, send: 751n, taken: 751n },
    { why: 'too little, after another figure', of: { bankSent: 990n }, send: 750n, taken: 990n },
    { why: 'twice as much', of: {}, send: 2_000n, taken: 2_000n },
    { why: 'more than twice: too much to be true', of: {}, send: 2_001n, taken: 1_000n },
    { why: 'too much, after another figure', of: { bankSent: 990n }, send: 2_001n, taken: 990n },
    { why: 'twice of all that was there', of: { toppedUp: 30n, toppingUp: 7n }, send: 2_074n, taken: 2_074n },
    { why: 'more than that', of: { toppedUp: 30n, toppingUp: 7n }, send: 2_075n, taken: 1_000n },
  ])('is $taken where it says $send: $why', ({ of, send, taken }) => {
    expect(takenFromWallet(payout(of), said(send))).toBe(taken)
  })
})

describe('what cannot be', () => {
  it.each([
    { send: undefined, state: 'submitted', cannot: false },
    { send: 1_000n, state: 'submitted', cannot: false },
    { send: 751n, state: 'submitted', cannot: false },
    { send: 750n, state: 'submitted', cannot: true },
    { send: 750n, state: 'settled', cannot: true },
    // The wallet is not drawn yet.
    { send: 750n, state: 'accepted', cannot: false },
    { send: 750n, state: 'awaiting_funds', cannot: false },
    { send: 0n, state: 'awaiting_funds', cannot: false },
    { send: 2_000n, state: 'submitted', cannot: false },
    { send: 2_001n, state: 'submitted', cannot: true },
    { send: 2_001n, state: 'accepted', cannot: true },
    { send: 2_001n, state: 'awaiting_funds', cannot: true },
  ] as const)('$send in $state: $cannot', ({ send, state, cannot }) => {
    expect(saysWhatCannotBe(payout(), said(send, state))).toBe(cannot)
  })
})

describe('what the bank leaves over', () => {
  it.each([
    { of: {}, surplus: 1_000n, isTooMuch: false },
    { of: {}, surplus: 1_001n, isTooMuch: true },
    { of: { bankSent: 1_100n }, surplus: 1_100n, isTooMuch: false },
    { of: { bankSent: 1_100n }, surplus: 1_101n, isTooMuch: true },
    // It took less than was ordered, and may still say so later.
    { of: { bankSent: 900n }, surplus: 1_000n, isTooMuch: false },
    { of: { bankSent: 900n }, surplus: 1_001n, isTooMuch: true },
    { of: { toppedUp: 30n, toppingUp: 7n }, surplus: 1_037n, isTooMuch: false },
    { of: { toppedUp: 30n, toppingUp: 7n }, surplus: 1_038n, isTooMuch: true },
    { of: { toppedUp: 30n }, surplus: 1_030n, isTooMuch: false },
    { of: { toppedUp: 30n }, surplus: 1_031n, isTooMuch: true },
  ])('$surplus of $of is too much: $isTooMuch', ({ of, surplus, isTooMuch: expected }) => {
    expect(isTooMuch(payout(of), surplus)).toBe(expected)
  })
})
