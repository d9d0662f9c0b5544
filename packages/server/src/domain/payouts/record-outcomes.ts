// Step three of a payout, and every later piece of news: in one transaction, write what the bank said and move
// the money that goes with it. Only the holder of a payout's lease may record; anybody else changes nothing.
import { type Month, londonMonth } from '../../core/london-month.ts'
import { pence } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { lockWallet, postEntries } from '../../storage/ledger.ts'
import { changePayouts, lockPayouts } from '../../storage/payout-records.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import { type MonthlyUsage, addUsage } from '../../storage/usage.ts'
import type { Deps } from '../deps.ts'
import { type Decision, type Outcome, decideOutcome } from './decide-outcome.ts'

export interface OutcomeOfPayout extends Outcome {
  readonly payoutId: string
  readonly leaseToken: string
}

export interface Recorded {
  /** False: the lease had passed to somebody else, and the row is as they left it. */
  readonly isOurs: boolean
  readonly row: PayoutRow
}

export function recordOutcomes(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  outcomes: readonly OutcomeOfPayout[],
): Promise<Recorded[]> {
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    const [rows] = await Promise.all([
      lockPayouts(
        tx,
        scope,
        outcomes.map((outcome) => outcome.payoutId),
      ),
      lockWallet(tx, scope),
    ])
    const rowById = new Map(rows.map((row) => [row.id, row]))
    const decided: { row: PayoutRow; decision: Decision }[] = []
    const recorded = outcomes.map((outcome): Recorded => {
      const row = rowById.get(outcome.payoutId)
      if (row === undefined) throw new Error(`There is no payout ${outcome.payoutId} to record an outcome for`)
      if (row.leaseToken !== outcome.leaseToken) return { isOurs: false, row }
      const decision = decideOutcome(row, outcome, now)
      decided.push({ row, decision })
      return { isOurs: true, row: { ...row, ...decision.change, leaseToken: null, leaseUntil: null } }
    })
    changePayouts(
      tx,
      scope,
      decided.map((each) => each.decision.change),
    )
    postEntries(
      tx,
      scope,
      decided.flatMap((each) => each.decision.entries),
      now,
    )
    for (const [month, added] of usageOf(decided)) addUsage(tx, scope, month, added)
    return recorded
  })
}

/** What a batch adds to its months: a payout counts when it is created, and is charged when it first completes. */
function usageOf(decided: readonly { row: PayoutRow; decision: Decision }[]): Map<Month, MonthlyUsage> {
  const months = new Map<Month, MonthlyUsage>()
  const add = (month: Month, row: PayoutRow | null) => {
    const sum = months.get(month) ?? {
      created: 0n,
      completed: 0n,
      paid: pence(0n),
      fee: pence(0n),
      feeOnInvoice: pence(0n),
    }
    months.set(
      month,
      row === null
        ? { ...sum, created: sum.created + 1n }
        : {
            created: sum.created,
            completed: sum.completed + 1n,
            paid: pence(sum.paid + row.amount),
            fee: pence(sum.fee + row.fee),
            feeOnInvoice: pence(sum.feeOnInvoice + row.feeOnInvoice),
          },
    )
  }
  for (const { row, decision } of decided) {
    const { change } = decision
    if (row.surfacedAt === null && change.surfacedAt !== null) add(londonMonth(row.createdAt), null)
    if (row.completedAt === null && change.completedAt !== null) add(londonMonth(change.completedAt), row)
  }
  return months
}
