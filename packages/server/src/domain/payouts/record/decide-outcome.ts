// What a payout becomes when the bank has answered, or has not: a pure decision over one locked row.
import { UNDONE } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { ROWS_COME_WITHIN_MS, type SubmitAnswer } from '../../../rail/port.ts'
import type { TransferReceipt, TransferSnapshot } from '../../../rail/transfer.ts'
import type { LedgerEntry } from '../../../storage/ledger.ts'
import type { PayoutChange } from '../../../storage/payout-records.ts'
import type { FollowedPayout, RefundState } from '../../../storage/payouts.ts'
import type { GivenUp, HeldBack } from './held-back.ts'
import { bankSentAfter, bankUpdatedAfter, differenceAt, surplusAfter } from './amount-taken.ts'
import { RELEASED, plainReason, refusedAfterDoubt } from './failure-reasons.ts'
import { bankStateAfter, handedOverAfter, isImpossible } from './news-concerns.ts'
import { isGivenUp } from './in-doubt.ts'
import { checkOfTransfer, nextCheck } from './next-check.ts'
import { entriesTo } from './payout-entries.ts'
import { STAGES, type Stage, stageOf } from '../progress.ts'
import { statusAfter } from '../states.ts'

export interface Outcome {
  readonly answer: SubmitAnswer | HeldBack
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
  /** By how much more the bank has put into the operator's own wallet than is booked; below zero, by how much less. */
  readonly surplusChange?: bigint
}

export function decideOutcome(row: FollowedPayout, outcome: Outcome, now: Date): Decision {
  const { answer } = outcome
  switch (answer.kind) {
    case 'accepted':
      return decideTransfer(row, answer.transfer, now)
    case 'rejected':
      return row.surfacedAt === null
        ? giveUp(row, 'rejected', now, afterRefusal(row, answer, now))
        : failSurfaced(row, answer, now)
    case 'not_sent':
      return outcome.isFirstHand && row.surfacedAt === null
        ? giveUp(row, 'not_sent', now, afterRefusal(row, answer, now))
        : keepWaiting(row, now, { ...answer, nothingNew: true })
    case 'held_back':
      return row.surfacedAt === null ? giveUp(row, answer.as, now) : keepWaiting(row, now, { nothingNew: true })
    case 'unknown':
      return keepWaiting(row, now, answer)
  }
}

function decideTransfer(row: FollowedPayout, transfer: TransferSnapshot, now: Date): Decision {
  const status = statusAfter(row.status, transfer.state)
  const refundState = refundAfter(row, status, transfer)
  const completedAt = row.completedAt ?? (status === 'completed' ? now : null)
  const reached = stageOf({ sendState: 'accepted', status, refundState, completedAt })
  const moved = status !== row.status
  const isNews = moved || refundState !== row.refundState || row.surfacedAt === null
  const bankSent = bankSentAfter(row, transfer)
  const difference = differenceAt(row, reached, bankSent)
  const surplus = surplusAfter(row, transfer)
  const surplusChange = (surplus ?? 0n) - (row.surplus ?? 0n)
  const bankReason = transfer.reason ?? row.bankReason
  return {
    ...(transfer.receipt === undefined ? {} : { receipt: transfer.receipt }),
    ...(difference === 0n ? {} : { difference }),
    ...(surplusChange === 0n ? {} : { surplusChange }),
    entries: entriesTo(row, reached.money),
    change: {
      ...unchanged(row, now),
      status,
      sendState: 'accepted',
      surfacedAt: row.surfacedAt ?? now,
      transferRef: transfer.transferRef,
      failureReason: plainReason(status, bankReason, reached.money === 'available'),
      bankReason,
      bankState: bankStateAfter(row, transfer),
      handedOverAt: handedOverAfter(row, transfer, now),
      refundState,
      completedAt,
      endedAt: row.endedAt ?? (UNDONE.has(status) ? now : null),
      refundedAt: row.refundedAt ?? (refundState === 'done' ? now : null),
      updatedAt: isNews ? now : row.updatedAt,
      nextCheckAt: isAtRest(reached, transfer) ? null : checkOfTransfer(transfer, moved ? 0 : row.checks, now),
      checks: moved ? 0 : row.checks + 1,
      bankSent,
      surplus,
      adjustments: difference === 0n && surplusChange === 0n ? row.adjustments : row.adjustments + 1,
      bankUpdatedAt: bankUpdatedAfter(row, transfer, now),
    },
  }
}

function isAtRest({ isFollowed }: Stage, transfer: TransferSnapshot): boolean {
  return isFollowed === 'no' || (isFollowed === 'if_more_will_come' && transfer.nextChangeAt === null)
}

/**
 * Money that did not stay with the recipient is back when the bank says that it is, and not before. Cancelled says that it
 * never left, which of a payout that had arrived, or was handed over, is not true; and saying it again makes it no truer.
 */
function refundAfter(row: FollowedPayout, status: FollowedPayout['status'], transfer: TransferSnapshot): RefundState {
  if (!UNDONE.has(status) || row.refundState === 'done') return row.refundState
  const hadLeft = row.completedAt !== null || isImpossible(row, transfer)
  return transfer.refund === 'done' && !(transfer.state === 'cancelled' && hadLeft) ? 'done' : 'due'
}

type Refused = Pick<PayoutChange, 'bankAttempt' | 'listedBy'>

/** Nothing was created: the hold ends and to the outside world there was no payout. */
function giveUp(row: FollowedPayout, sendState: GivenUp, now: Date, refused: Partial<Refused> = {}): Decision {
  return {
    entries: entriesTo(row, STAGES[sendState].money),
    change: {
      ...unchanged(row, now),
      ...refused,
      // The key stays with the attempt until another request takes it: the same request tries this one again.
      sendState,
      updatedAt: now,
      nextCheckAt: null,
    },
  }
}

/** What the bank has read and refused it may have made all the same, and list late. */
function afterRefusal(
  row: FollowedPayout,
  answer: Extract<SubmitAnswer, { kind: 'rejected' | 'not_sent' }>,
  now: Date,
): Partial<Refused> {
  if (answer.isVerdict !== true) return {}
  return { bankAttempt: row.bankAttempt + 1, listedBy: after(now, ROWS_COME_WITHIN_MS) }
}

type Refusal = Extract<SubmitAnswer, { kind: 'rejected' }>

/** The bank refuses what it had left us in doubt about: a payout that the partner has seen, so it fails. */
function failSurfaced(row: FollowedPayout, refusal: Refusal, now: Date): Decision {
  const { reason: words, wrong, isForOrder } = refusal
  const what = isForOrder === true ? 'order' : wrong === undefined ? 'account' : 'recipient'
  const reason = words === RELEASED ? RELEASED : refusedAfterDoubt(words, what)
  return {
    entries: entriesTo(row, STAGES.doubt_ended.money),
    change: {
      ...unchanged(row, now),
      status: 'failed',
      failureReason: plainReason('failed', reason, true),
      bankReason: reason,
      refundState: 'done',
      endedAt: now,
      refundedAt: now,
      updatedAt: now,
      nextCheckAt: null,
    },
  }
}

type Unanswered = Pick<Extract<SubmitAnswer, { kind: 'unknown' }>, 'nothingNew' | 'retryAfterMs'>

function keepWaiting(row: FollowedPayout, now: Date, { nothingNew, retryAfterMs = 0 }: Unanswered): Decision {
  const isNew = row.surfacedAt === null
  const unansweredAt = nothingNew === true ? (row.unansweredAt ?? now) : now
  const [usual, asked] = [nextCheck(now, row.checks), after(now, retryAfterMs)]
  return {
    entries: [],
    change: {
      ...unchanged(row, now),
      sendState: row.sendState === 'sending' ? 'unknown' : row.sendState,
      surfacedAt: row.surfacedAt ?? now,
      updatedAt: isNew ? now : row.updatedAt,
      // What was given up waits for nobody, whoever made it due.
      nextCheckAt: isGivenUp(row) ? null : usual > asked ? usual : asked,
      checks: row.checks + 1,
      // What the bank has a transfer for is not in doubt.
      unansweredAt: row.transferRef === null ? unansweredAt : row.unansweredAt,
    },
  }
}

function unchanged(row: FollowedPayout, now: Date): PayoutChange {
  return {
    partnerId: row.partnerId,
    id: row.id,
    createdAt: row.createdAt,
    fromStatus: row.status,
    status: row.status,
    sendState: row.sendState,
    surfacedAt: row.surfacedAt,
    releasedAt: null,
    transferRef: row.transferRef,
    failureReason: row.failureReason,
    bankReason: row.bankReason,
    bankState: row.bankState,
    handedOverAt: row.handedOverAt,
    refundState: row.refundState,
    completedAt: row.completedAt,
    endedAt: row.endedAt,
    refundedAt: row.refundedAt,
    updatedAt: row.updatedAt,
    nextCheckAt: nextCheck(now, row.checks),
    checks: row.checks,
    bankAttempt: row.bankAttempt,
    unansweredAt: row.unansweredAt,
    bankSent: row.bankSent,
    surplus: row.surplus,
    adjustments: row.adjustments,
    bankUpdatedAt: row.bankUpdatedAt,
    listedBy: row.listedBy,
    endingsUndone: row.endingsUndone,
  }
}
