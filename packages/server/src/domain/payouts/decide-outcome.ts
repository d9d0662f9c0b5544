// What a payout becomes when the bank has answered, or has not: a pure decision over one locked row.
import { UNDONE } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import type { MicroUsdc } from '../../core/money.ts'
import type { SubmitAnswer, TransferReceipt, TransferSnapshot } from '../../rail/rail.ts'
import type { LedgerEntry, UsdcAccount } from '../../storage/ledger.ts'
import type { PayoutChange } from '../../storage/payout-records.ts'
import type { PayoutRow, RefundState } from '../../storage/payouts.ts'
import { plainReason } from './failure-reasons.ts'
import { isGivenUp } from './in-doubt.ts'
import { isStale } from './news-concerns.ts'
import { statusAfter } from './states.ts'

export interface Outcome {
  readonly answer: SubmitAnswer
  /** The answer to the only attempt so far. Later attempts prove nothing about the ones before. */
  readonly isFirstHand: boolean
}

export interface Decision {
  readonly change: PayoutChange
  readonly entries: readonly LedgerEntry[]
  /** What the bank says of its costs; absent where it says nothing. */
  readonly receipt?: TransferReceipt
  /** By how much more the bank has taken than is booked; below zero, by how much less. Absent: it is all booked. */
  readonly difference?: bigint
}

const FIRST_CHECK_MS = 1_000
const SLOWEST_CHECK_MS = 5 * 60_000

/** 1 s, 2 s, 4 s … up to 5 minutes, for ever: nothing fails by age alone. */
export function nextCheck(now: Date, checks: number): Date {
  return after(now, Math.min(FIRST_CHECK_MS * 2 ** Math.min(checks, 20), SLOWEST_CHECK_MS))
}

export function decideOutcome(row: PayoutRow, outcome: Outcome, now: Date): Decision {
  const { answer } = outcome
  switch (answer.kind) {
    case 'accepted':
      return decideTransfer(row, answer.transfer, now)
    case 'rejected':
      return row.surfacedAt === null ? giveUp(row, 'rejected', now) : failSurfaced(row, answer.reason, now)
    case 'not_sent':
      return outcome.isFirstHand && row.surfacedAt === null
        ? giveUp(row, 'not_sent', now, answer.isVerdict === true ? row.bankAttempt + 1 : row.bankAttempt)
        : keepWaiting(row, now, row.unansweredAt ?? now)
    case 'unknown':
      return keepWaiting(row, now, answer.nothingNew === true ? (row.unansweredAt ?? now) : now)
  }
}

function decideTransfer(row: PayoutRow, transfer: TransferSnapshot, now: Date): Decision {
  const status = statusAfter(row.status, transfer.state)
  const refundState = refundAfter(row, status, transfer)
  const isBack = refundState === 'done'
  const destination: UsdcAccount = isBack
    ? 'available'
    : row.completedAt !== null || status === 'completed'
      ? 'paid_out'
      : 'in_transit'
  const moved = status !== row.status
  const bankSent = bankSentAfter(row, transfer)
  const difference = (isBack ? 0n : overReserved(row, bankSent)) - bookedDifference(row)
  const isAtRest = isBack || (status === 'completed' && transfer.nextChangeAt === null)
  return {
    ...(transfer.receipt === undefined ? {} : { receipt: transfer.receipt }),
    ...(difference === 0n ? {} : { difference }),
    entries: entriesBetween(row, whereTheMoneyIs(row), destination),
    change: {
      ...unchanged(row, now),
      status,
      sendState: 'accepted',
      surfacedAt: row.surfacedAt ?? now,
      providerRef: transfer.transferRef,
      failureReason: plainReason(status, transfer.reason ?? row.providerReason, isBack),
      providerReason: transfer.reason ?? row.providerReason,
      providerState: transfer.providerState,
      refundState,
      completedAt: row.completedAt ?? (status === 'completed' ? now : null),
      endedAt: row.endedAt ?? (UNDONE.has(status) ? now : null),
      updatedAt: moved || refundState !== row.refundState || row.surfacedAt === null ? now : row.updatedAt,
      nextCheckAt: isAtRest ? null : lookAgainAt(row, transfer, now),
      checks: moved ? 0 : row.checks + 1,
      bankSent,
      adjustments: difference === 0n ? row.adjustments : row.adjustments + 1,
      bankUpdatedAt: bankUpdatedAfter(row, transfer, now),
    },
  }
}

function bankSentAfter(row: PayoutRow, transfer: TransferSnapshot): MicroUsdc | null {
  if (transfer.send === undefined || isStale(row, transfer)) return row.bankSent
  return transfer.send === row.walletSends ? null : transfer.send
}

/** A moment that is still to come is no measure of what is old: whatever the bank says next would be. */
function bankUpdatedAfter(row: PayoutRow, transfer: TransferSnapshot, now: Date): Date | null {
  if (transfer.updatedAt === undefined || isStale(row, transfer)) return row.bankUpdatedAt
  return transfer.updatedAt < now ? transfer.updatedAt : now
}

function overReserved(row: PayoutRow, bankSent: MicroUsdc | null): bigint {
  return bankSent == null ? 0n : bankSent - row.walletSends
}

/** Of money that is back, or was never taken, nothing is booked. */
function bookedDifference(row: PayoutRow): bigint {
  return row.sendState !== 'accepted' || row.refundState === 'done' ? 0n : overReserved(row, row.bankSent)
}

/** When the bank said that something would change, if that is still to come. */
function lookAgainAt(row: PayoutRow, transfer: TransferSnapshot, now: Date): Date {
  const { nextChangeAt } = transfer
  return nextChangeAt !== null && nextChangeAt > now ? nextChangeAt : nextCheck(now, row.checks)
}

/** Money that did not stay with the recipient is back when the bank says that it is, and not before. */
function refundAfter(row: PayoutRow, status: PayoutRow['status'], transfer: TransferSnapshot): RefundState {
  if (!UNDONE.has(status) || row.refundState === 'done') return row.refundState
  return transfer.refund === 'done' ? 'done' : 'due'
}

/** Nothing was created: the hold ends and to the outside world there was no payout. */
function giveUp(
  row: PayoutRow,
  sendState: 'not_sent' | 'rejected',
  now: Date,
  bankAttempt = row.bankAttempt,
): Decision {
  return {
    entries: entriesBetween(row, whereTheMoneyIs(row), 'available'),
    change: {
      ...unchanged(row, now),
      sendState,
      // A rejected attempt frees its key at once; one that was not sent keeps its row for the retry.
      releasedAt: sendState === 'rejected' ? now : null,
      bankAttempt,
      updatedAt: now,
      nextCheckAt: null,
    },
  }
}

/** The bank refuses what it had left us in doubt about: a payout that the partner has seen, so it fails. */
function failSurfaced(row: PayoutRow, reason: string, now: Date): Decision {
  return {
    entries: entriesBetween(row, whereTheMoneyIs(row), 'available'),
    change: {
      ...unchanged(row, now),
      status: 'failed',
      failureReason: plainReason('failed', reason, true),
      providerReason: reason,
      refundState: 'done',
      endedAt: now,
      updatedAt: now,
      nextCheckAt: null,
    },
  }
}

function keepWaiting(row: PayoutRow, now: Date, unansweredAt: Date): Decision {
  const isNew = row.surfacedAt === null
  return {
    entries: [],
    change: {
      ...unchanged(row, now),
      sendState: row.sendState === 'sending' ? 'unknown' : row.sendState,
      surfacedAt: row.surfacedAt ?? now,
      updatedAt: isNew ? now : row.updatedAt,
      // What was given up waits for nobody, whoever made it due.
      nextCheckAt: isGivenUp(row) ? null : nextCheck(now, row.checks),
      checks: row.checks + 1,
      // What the bank has a transfer for is not in doubt.
      unansweredAt: row.providerRef === null ? unansweredAt : row.unansweredAt,
    },
  }
}

function unchanged(row: PayoutRow, now: Date): PayoutChange {
  return {
    id: row.id,
    fromStatus: row.status,
    status: row.status,
    sendState: row.sendState,
    surfacedAt: row.surfacedAt,
    releasedAt: null,
    providerRef: row.providerRef,
    failureReason: row.failureReason,
    providerReason: row.providerReason,
    providerState: row.providerState,
    refundState: row.refundState,
    completedAt: row.completedAt,
    endedAt: row.endedAt,
    updatedAt: row.updatedAt,
    nextCheckAt: nextCheck(now, row.checks),
    checks: row.checks,
    bankAttempt: row.bankAttempt,
    unansweredAt: row.unansweredAt,
    bankSent: row.bankSent,
    adjustments: row.adjustments,
    bankUpdatedAt: row.bankUpdatedAt,
  }
}

function whereTheMoneyIs(row: PayoutRow): UsdcAccount {
  if (row.refundState === 'done' || row.sendState === 'not_sent' || row.sendState === 'rejected') return 'available'
  if (row.sendState !== 'accepted') return 'held'
  return row.completedAt !== null ? 'paid_out' : 'in_transit'
}

/** The entries that carry a payout's money from where it is to where it belongs; none when it is there already. */
function entriesBetween(row: PayoutRow, from: UsdcAccount, to: UsdcAccount): LedgerEntry[] {
  const entry = (kind: LedgerEntry['kind'], seq: number, source: UsdcAccount, target: UsdcAccount): LedgerEntry => ({
    cause: row.id,
    kind,
    seq,
    from: source,
    to: target,
    amount: row.walletSends,
  })
  if (from === to) return []
  if (from === 'held' && to === 'available') return [entry('release', row.sendAttempts, 'held', 'available')]
  if (to === 'available') return [entry('refund', 1, from, 'available')]
  const capture = entry('capture', 1, 'held', 'in_transit')
  const settle = entry('settle', 1, 'in_transit', 'paid_out')
  if (from === 'held') return to === 'paid_out' ? [capture, settle] : [capture]
  return [settle]
}
