// Step one of a payout: in one transaction, claims the keys, writes the payouts as pending and holds their money. Takes
// a whole batch of one wallet; nothing in here talks to a bank.
import { after } from '../../../core/clock.ts'
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type LedgerEntry, lockWalletOnRail, postEntries } from '../../../storage/ledger.ts'
import {
  type KeyedPayout,
  type NewPayout,
  insertPayouts,
  lockPayoutsByKey,
  releaseKeys,
  removeUnfunded,
  revivePayouts,
} from '../../../storage/payout-reservations.ts'
import {
  type RecipientHistory,
  keepPayoutRecipients,
  readRecipientHistory,
} from '../../../storage/payout-recipients.ts'
import { followReserved } from '../../../storage/payout-follow-ups.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import type { GivenUp } from '../record/held-back.ts'
import { type ReservationDecision, decideReservations } from './decide-reservations.ts'
import { BatchHistory, duplicatesSince, warningsOf } from '../warn/payout-warnings.ts'

// The bank is given 10 s to answer; nobody else may touch the payout for three times as long.
export const LEASE_MS = 30_000

export type Reservation =
  | ({ readonly kind: 'reserved'; readonly payoutId: string } & Pick<
      PayoutRow,
      'createdAt' | 'bankAttempt' | 'sendAttempts' | 'listedBy'
    > & {
        /** Whether the bank has refused another request with this key. */
        readonly followsRefusal: boolean
        /** What it was before; null when it is new. */
        readonly givenUpAs: GivenUp | null
      })
  | { readonly kind: 'taken'; readonly row: PayoutRow }
  | { readonly kind: 'closed'; readonly row: PayoutRow }
  | { readonly kind: 'unfunded'; readonly available: MicroUsdc }
  /** The key was freed during this batch: retry. */
  | { readonly kind: 'retry' }
  /** The wallet is on another rail now: retry over that one. */
  | { readonly kind: 'moved' }

export function reservePayouts(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  payouts: readonly NewPayout[],
): Promise<Reservation[]> {
  const now = deps.clock.now()
  const times = { now, leaseUntil: after(now, LEASE_MS) }
  return deps.db.inTransaction(async (tx) => {
    const keys = payouts.map((payout) => payout.idempotencyKey)
    // Sent together. The locks are taken in this order: payouts, then the wallet.
    const [, rows, wallet, histories] = await Promise.all([
      insertPayouts(tx, scope, payouts, now),
      lockPayoutsByKey(tx, scope, keys),
      lockWalletOnRail(tx, scope),
      // After the lock, so that of two at once the second sees the first.
      readRecipientHistory(tx, scope, payouts, duplicatesSince(now)),
    ])
    const rowByKey = new Map(rows.map((row) => [row.idempotencyKey, row]))
    const candidates = payouts.map((payout) => ({ payout, row: rowByKey.get(payout.idempotencyKey) }))
    const decisions = decideReservations(candidates, wallet)
    write(tx, scope, { payouts, decisions, times })
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
  },
): void {
  const holds: LedgerEntry[] = []
  const followed: { id: string; leaseToken: string }[] = []
  const revived: { id: string; terms: NewPayout; bankAttempt: number }[] = []
  const superseded: string[] = []
  const unfunded: string[] = []
  batch.decisions.forEach((decision, index) => {
    const payout = batch.payouts[index]!
    if (decision.kind === 'reserve') {
      holds.push(hold(payout.id, 1, payout.walletSends))
      followed.push(payout)
    } else if (decision.kind === 'revive') {
      revived.push({ id: decision.row.id, terms: payout, bankAttempt: nextAttempt(decision.row, payout) })
      holds.push(hold(decision.row.id, decision.row.sendAttempts + 1, payout.walletSends))
      followed.push({ id: decision.row.id, leaseToken: payout.leaseToken })
    } else if (decision.kind === 'supersede') {
      superseded.push(decision.row.id)
    } else if (decision.kind === 'unfunded' || decision.kind === 'moved') {
      unfunded.push(payout.id)
    }
  })
  removeUnfunded(tx, scope, unfunded)
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
    if (decision.kind !== 'reserve' && decision.kind !== 'revive') return []
    const payout = batch.payouts[index]!
    const payoutId = decision.kind === 'revive' ? decision.row.id : payout.id
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
    case 'reserve':
    case 'revive': {
      const { id: payoutId, sendAttempts, listedBy, followsRefusal } = row!
      const attempt = { payoutId, createdAt, bankAttempt: nextAttempt(row!, payout), listedBy, followsRefusal }
      return decision.kind === 'reserve'
        ? { kind: 'reserved', ...attempt, sendAttempts, givenUpAs: null }
        : { kind: 'reserved', ...attempt, sendAttempts: sendAttempts + 1, givenUpAs: row!.sendState as GivenUp }
    }
    case 'supersede':
    case 'freed':
      return { kind: 'retry' }
    case 'taken':
    case 'closed':
    case 'unfunded':
    case 'moved':
      return decision
  }
}
