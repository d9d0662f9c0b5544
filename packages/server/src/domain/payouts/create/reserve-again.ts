// Step one of a payout whose key belongs to an attempt already: one that came to nothing is tried again, or makes room for
// another request. It is locked before the wallet, as everywhere.
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { workingKeys } from '../../../storage/api-keys.ts'
import { type LedgerEntry, lockWalletOnRail, postEntries, waitShortlyForLocks } from '../../../storage/ledger.ts'
import { followReserved } from '../../../storage/payout-follow-ups.ts'
import {
  type RecipientHistory,
  keepPayoutRecipients,
  readRecipientHistory,
} from '../../../storage/payout-recipients.ts'
import {
  type KeyedPayout,
  type NewPayout,
  lockPayoutsByKey,
  releaseKeys,
  revivePayouts,
} from '../../../storage/payout-reservations.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { type Spending, listSpending } from '../../../storage/spending-limits.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import type { GivenUp } from '../record/held-back.ts'
import { BatchHistory, duplicatesSince, warningsOf } from '../warn/payout-warnings.ts'
import { type ReservationDecision, decideReservations } from './decide-reservations.ts'
import type { Reservation } from './reservation.ts'

/** Attempts that came to nothing are tried again, or make room. Keys whose first request is under way are waited for. */
export function reserveAgain(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  payouts: readonly NewPayout[],
  times: { now: Date; leaseUntil: Date },
): Promise<Reservation[]> {
  const { now } = times
  return deps.db.inTransaction(async (tx) => {
    const keys = payouts.map((payout) => payout.idempotencyKey)
    const usedKeys = [...new Set(payouts.flatMap(({ keyId }) => keyId ?? []))]
    waitShortlyForLocks(tx)
    // Sent together. The locks are taken in this order: payouts, then the wallet.
    const [rows, wallet, histories, working] = await Promise.all([
      lockPayoutsByKey(tx, scope, keys),
      lockWalletOnRail(tx, scope),
      // After the lock, so that of two at once the second sees the first, and a key that was revoked meanwhile has stopped.
      readRecipientHistory(tx, scope, payouts, duplicatesSince(now)),
      workingKeys(tx, scope.partnerId, usedKeys, now),
    ])
    const rowByKey = new Map(rows.map((row) => [row.idempotencyKey, row]))
    const candidates = payouts.map((payout) => ({ payout, row: rowByKey.get(payout.idempotencyKey) }))
    const spenders = payouts.flatMap(({ spenderId }) => spenderId ?? [])
    const limits = wallet.hasSpendingLimits ? await listSpending(tx, scope, spenders, now) : []
    const decisions = decideReservations(candidates, wallet, { limits, keys: working })
    write(tx, scope, { payouts, decisions, times, limits })
    keepRecipients(tx, scope, { payouts, decisions, histories, now })
    return decisions.map((decision, index) => reservationOf(decision, candidates[index]!, now))
  })
}

function write(
  tx: Tx,
  scope: Scope,
  batch: {
    payouts: readonly NewPayout[]
    decisions: readonly ReservationDecision[]
    times: { now: Date; leaseUntil: Date }
    limits: readonly Spending[]
  },
): void {
  const limited = new Set(batch.limits.map(({ spenderId }) => spenderId))
  const holds: LedgerEntry[] = []
  const followed: { id: string; leaseToken: string }[] = []
  const revived: Parameters<typeof revivePayouts>[2][number][] = []
  const superseded: string[] = []
  batch.decisions.forEach((decision, index) => {
    const payout = batch.payouts[index]!
    if (decision.kind === 'revive') {
      const spenderId = payout.spenderId !== null && limited.has(payout.spenderId) ? payout.spenderId : null
      const bankAttempt = nextAttempt(decision.row, payout)
      revived.push({ id: decision.row.id, terms: payout, bankAttempt, spenderId })
      holds.push(hold(decision.row.id, decision.row.sendAttempts + 1, payout.walletSends))
      followed.push({ id: decision.row.id, leaseToken: payout.leaseToken })
    } else if (decision.kind === 'supersede') {
      superseded.push(decision.row.id)
    }
  })
  releaseKeys(tx, scope, superseded, batch.times.now)
  revivePayouts(tx, scope, revived, batch.times.now)
  followReserved(tx, scope, followed, batch.times)
  postEntries(tx, scope, holds, batch.times.now)
}

/** Stores the marks and warnings of payouts whose money is held now. */
function keepRecipients(
  tx: Tx,
  scope: Scope,
  batch: {
    payouts: readonly NewPayout[]
    decisions: readonly ReservationDecision[]
    histories: readonly RecipientHistory[]
    now: Date
  },
): void {
  const before = new BatchHistory()
  const kept = batch.decisions.flatMap((decision, index) => {
    if (decision.kind !== 'revive') return []
    const payout = batch.payouts[index]!
    const payoutId = decision.row.id
    const warnings = warningsOf(payout, before.with(payout, batch.histories[index]!))
    before.add(payout, payoutId, batch.now)
    return [{ ...payout, payoutId, warnings }]
  })
  keepPayoutRecipients(tx, scope, kept, batch.now)
}

function hold(payoutId: string, attempt: number, amount: MicroUsdc): LedgerEntry {
  return { cause: payoutId, kind: 'hold', seq: attempt, from: 'available', to: 'held', amount }
}

/**
 * Another amount is another request to the bank, and never goes under a key that the bank may know with the amount from
 * before: it is the next attempt.
 */
function nextAttempt(row: PayoutRow, { walletSends }: NewPayout): number {
  return row.bankAttempt + (row.walletSends === walletSends ? 0 : 1)
}

function reservationOf(
  decision: ReservationDecision,
  { payout, row }: { payout: NewPayout; row: KeyedPayout | undefined },
  createdAt: Date,
): Reservation {
  switch (decision.kind) {
    case 'revive': {
      const { id: payoutId, sendAttempts, sendState, listedBy, followsRefusal } = row!
      const attempt = { payoutId, createdAt, bankAttempt: nextAttempt(row!, payout), listedBy, followsRefusal }
      const givenUpAs = sendState as GivenUp
      return { kind: 'reserved', ...attempt, sendAttempts: sendAttempts + 1, givenUpAs, asRead: null }
    }
    case 'reserve':
      throw new Error('A key that belongs to a payout already makes no new one')
    case 'supersede':
    case 'freed':
      return { kind: 'retry' }
    case 'taken':
    case 'closed':
    case 'unfunded':
    case 'moved':
    case 'keyless':
    case 'paused':
    case 'over_limit':
      return decision
  }
}
