// Writes the decisions about a batch of locked payouts: the rows, the money that goes with them, the months' usage.
import type { Environment } from '@kestrel/contract'

import { type Month, londonMonth } from '../../../core/london-month.ts'
import { type MicroUsdc, microUsdc, pence } from '../../../core/money.ts'
import type { DatedPlan } from '../../../core/plan.ts'
import type { RailName } from '../../../core/rail-name.ts'
import type { Scope } from '../../../core/scope.ts'
import { groupBy } from '../../../core/group-by.ts'
import { insertCharges } from '../../../storage/charges.ts'
import { type LedgerEntry, makeGood, postEntries, postEntriesOfWallets } from '../../../storage/ledger.ts'
import { changePayouts } from '../../../storage/payout-records.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { startRefundChecks } from '../../../storage/refund-checks.ts'
import { listPlans } from '../../../storage/plans.ts'
import type { Tx } from '../../../storage/sql.ts'
import { type AddedUsage, addUsage } from '../../../storage/usage.ts'
import { type PayoutMove, chargesOf } from '../../charges/payout-charges.ts'
import { leaveBehind } from '../../wallet/move-to-bank.ts'
import type { Decision } from './decide-outcome.ts'
import { newsOf } from './payout-news.ts'

export interface Decided {
  readonly row: FollowedPayout
  readonly decision: Decision
  /** The partner's own request that led to it. */
  readonly requestId?: string | undefined
}

/** The caller has locked the payouts and the wallet, in this order. `rail` is the wallet's own. */
export function writeDecisions(
  tx: Tx,
  scope: Scope,
  {
    decided,
    rail,
    plans,
    now,
    available,
  }: {
    decided: readonly Decided[]
    rail: RailName
    plans: readonly DatedPlan[]
    now: Date
    /** What the wallet can cover; not needed without amounts from the bank. */
    available?: MicroUsdc
  },
): void {
  writeRows(tx, scope.environment, decided, now)
  const entries = [
    ...decided.flatMap((each) => each.decision.entries),
    ...differencesOf(decided, available),
    ...decided.flatMap(surplusEntries),
  ]
  postEntries(tx, scope, entries, now)
  const spent = decided.map((each) => ({ rail: each.row.rail, entries: each.decision.entries }))
  leaveBehind(tx, scope, { rail, spent, now })
  if (entries.some(({ from, to }) => to === 'available' || from === 'suspense')) makeGood(tx, scope, now)
  if (scope.environment === 'live') {
    const charges = decided.flatMap((each) => chargesOf(moveOf(each), plans))
    insertCharges(tx, scope.partnerId, { charges, month: londonMonth(now), at: now })
  }
}

/**
 * The same where nothing but the payouts' own entries moves, of any number of wallets of an environment: nothing comes into
 * what can be spent, nothing is charged, and no figure of the bank differs from ours.
 */
export function writePlainDecisions(
  tx: Tx,
  environment: Environment,
  { decided, now }: { decided: readonly Decided[]; now: Date },
): void {
  writeRows(tx, environment, decided, now)
  const entries = decided.flatMap(({ row: { partnerId }, decision }) =>
    decision.entries.map(({ cause, kind, seq, from, to, amount }) => {
      return { partnerId, cause, kind, seq, from, to, amount }
    }),
  )
  postEntriesOfWallets(tx, environment, entries, now)
}

/** What is written of every decision: the payout, its events, its month, and that what came back is to be looked for. */
function writeRows(tx: Tx, environment: Environment, decided: readonly Decided[], now: Date): void {
  const changes = decided.map((each) => each.decision.change)
  changePayouts(tx, environment, { changes, news: decided.map(newsOf), now })
  addUsage(tx, environment, usageOf(decided))
  const back = groupBy(decided.filter(isBackNow), ({ row }) => row.partnerId)
  for (const [partnerId, own] of back) {
    const ids = own.map(({ row }) => row.id)
    startRefundChecks(tx, { partnerId, environment }, ids, now)
  }
}

/**
 * What the bank took beyond what was reserved has left the wallet, and what it took less is still there, so the wallet
 * follows. What the wallet cannot cover is in suspense until the next money comes in.
 */
function differencesOf(decided: readonly Decided[], available: bigint | undefined): LedgerEntry[] {
  const back = decided.flatMap(({ decision }) => decision.entries.filter(({ to }) => to === 'available'))
  let left = back.reduce((sum, { amount }) => sum + amount, available ?? 0n)
  return decided.flatMap(({ row, decision: { difference = 0n, change } }): LedgerEntry[] => {
    if (difference === 0n) return []
    const entry = { cause: row.id, kind: 'adjust', seq: change.adjustments } as const
    if (difference < 0n) return [{ ...entry, from: 'fx_diff', to: 'available', amount: microUsdc(-difference) }]
    const isBorne = left >= difference
    if (isBorne) left -= difference
    return [{ ...entry, from: isBorne ? 'available' : 'suspense', to: 'fx_diff', amount: microUsdc(difference) }]
  })
}

/** What the bank leaves over of a transfer is in the operator's own wallet there. */
function surplusEntries({ row, decision: { surplusChange = 0n, change } }: Decided): LedgerEntry[] {
  if (surplusChange === 0n) return []
  const entry = { cause: row.id, kind: 'surplus', seq: change.adjustments } as const
  return surplusChange > 0n
    ? [{ ...entry, from: 'operator_result', to: 'excess_funds', amount: microUsdc(surplusChange) }]
    : [{ ...entry, from: 'excess_funds', to: 'operator_result', amount: microUsdc(-surplusChange) }]
}

/** The plans that charges follow. Sandbox is never charged. */
export function plansToCharge(tx: Tx, scope: Scope): Promise<DatedPlan[]> {
  return scope.environment === 'live' ? listPlans(tx, scope.partnerId) : Promise.resolve([])
}

/** What the bank has, and gives back now. What it refused at once it never took, so nothing comes back of it. */
function isBackNow({ row, decision: { change } }: Decided): boolean {
  return row.sendState === 'accepted' && row.refundState !== 'done' && change.refundState === 'done'
}

/** Whether the partner's plan is needed to say what it is charged. */
export function isCharged(each: Decided): boolean {
  const { hasCompletedNow, hasComeBackNow } = moveOf(each)
  return hasCompletedNow || hasComeBackNow
}

function moveOf({ row, decision }: Decided): PayoutMove {
  const { change } = decision
  return {
    payoutId: row.id,
    createdAt: row.createdAt,
    amount: row.amount,
    feeOnInvoice: row.feeOnInvoice,
    hasCompletedNow: row.completedAt === null && change.completedAt !== null,
    // A return is one when the money is back: until then the bank may yet stand by the payment.
    hasComeBackNow: row.completedAt !== null && row.refundState !== 'done' && change.refundState === 'done',
    receipt: decision.receipt ?? {},
  }
}

/** What a batch adds to its months: a payout counts when it is created, and is charged when it first completes. */
function usageOf(decided: readonly Decided[]): AddedUsage[] {
  const sums = new Map<string, AddedUsage>()
  const add = (month: Month, { partnerId }: FollowedPayout, completed: FollowedPayout | null) => {
    const key = `${partnerId}/${month}`
    const sum = sums.get(key) ?? { ...NOTHING, partnerId, month }
    sums.set(
      key,
      completed === null
        ? { ...sum, created: sum.created + 1n }
        : {
            partnerId,
            month,
            created: sum.created,
            completed: sum.completed + 1n,
            paid: pence(sum.paid + completed.amount),
            fee: pence(sum.fee + completed.fee),
            feeOnInvoice: pence(sum.feeOnInvoice + completed.feeOnInvoice),
          },
    )
  }
  for (const { row, decision } of decided) {
    const { change } = decision
    if (row.surfacedAt === null && change.surfacedAt !== null) add(londonMonth(row.createdAt), row, null)
    if (row.completedAt === null && change.completedAt !== null) add(londonMonth(change.completedAt), row, row)
  }
  return [...sums.values()]
}

const NOTHING = { created: 0n, completed: 0n, paid: pence(0n), fee: pence(0n), feeOnInvoice: pence(0n) }
