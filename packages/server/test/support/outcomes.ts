// A payout that the bank is being asked about, and what the bank can say: for the tests of what becomes of it.
import { microUsdc } from '../../src/core/money.ts'
import type { Outcome } from '../../src/domain/payouts/record/decide-outcome.ts'
import type { TransferSnapshot, TransferState } from '../../src/rail/transfer.ts'
import type { FollowedPayout } from '../../src/storage/payouts.ts'

export const NOW = new Date('2026-07-01T12:00:00.000Z')
export const BEFORE = new Date('2026-07-01T11:00:00.000Z')
export const LATER = new Date('2026-07-01T13:00:00.000Z')
export const SENDS = microUsdc(32_070_000n)

/** A payout as step one leaves it: its money is held and the bank is being asked. */
export function sendingRow(overrides: Partial<FollowedPayout> = {}): FollowedPayout {
  const row = {
    id: '0197c5e0-0000-7000-8000-000000000001',
    status: 'pending',
    sendState: 'sending',
    refundState: 'none',
    walletSends: SENDS,
    sendAttempts: 1,
    checks: 0,
    endingsUndone: 0,
    surplus: null,
    toppedUp: 0n,
    toppingUp: null,
    surfacedAt: null,
    completedAt: null,
    failureReason: null,
    refundedAt: null,
    bankReason: null,
    bankState: null,
    handedOverAt: null,
    transferRef: null,
    createdAt: BEFORE,
    updatedAt: BEFORE,
  } as Partial<FollowedPayout>
  return { ...row, ...overrides } as FollowedPayout
}

function transfer(state: TransferState, overrides: Partial<TransferSnapshot> = {}): TransferSnapshot {
  return {
    transferRef: 'ref',
    state,
    refund: 'none',
    reason: null,
    bankState: state,
    nextChangeAt: null,
    ...overrides,
  }
}

export const accepted = (state: TransferState, overrides: Partial<TransferSnapshot> = {}): Outcome => ({
  answer: { kind: 'accepted', transfer: transfer(state, overrides) },
  isFirstHand: false,
})
export const answered = (kind: 'rejected' | 'not_sent' | 'unknown', isFirstHand: boolean): Outcome => ({
  answer: { kind, reason: 'The bank’s words (1114)' },
  isFirstHand,
})
