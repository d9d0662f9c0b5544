// What the bank itself says of payouts, in any order and as often as it likes. It needs no lease: under the rows'
// locks, the table of moves lets through what is new and nothing else.
import type { Scope } from '../../core/scope.ts'
import type { TransferSnapshot } from '../../rail/rail.ts'
import { lockWalletOnRail } from '../../storage/ledger.ts'
import { lockPayouts } from '../../storage/payout-records.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import type { Deps } from '../deps.ts'
import { decideOutcome } from './decide-outcome.ts'
import { type Decided, plansToCharge, rowAfter, writeDecisions } from './write-decisions.ts'

export interface NewsOfPayout {
  readonly payoutId: string
  readonly transfer: TransferSnapshot
}

/** The payouts as they are now, by id. */
export async function recordNews(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  news: readonly NewsOfPayout[],
): Promise<ReadonlyMap<string, PayoutRow>> {
  const now = deps.clock.now()
  const newest = new Map(news.map((each) => [each.payoutId, each.transfer]))
  return deps.db.inTransaction(async (tx) => {
    const [rows, { rail }, plans] = await Promise.all([
      lockPayouts(tx, scope, [...newest.keys()]),
      lockWalletOnRail(tx, scope),
      plansToCharge(tx, scope),
    ])
    for (const id of newest.keys()) {
      if (!rows.some((row) => row.id === id))
        deps.onAlarm('the bank has a transfer that we do not', { ...scope, payoutId: id })
    }
    const decided = rows.flatMap((row) => decide(deps, row, newest.get(row.id)!, now))
    writeDecisions(tx, scope, { decided, rail, plans, now })
    const changed = new Map(decided.map((each) => [each.row.id, rowAfter(each)]))
    return new Map(rows.map((row) => [row.id, changed.get(row.id) ?? row]))
  })
}

function decide(deps: Pick<Deps, 'onAlarm'>, row: PayoutRow, transfer: TransferSnapshot, now: Date): Decided[] {
  if (row.sendState === 'not_sent' || row.sendState === 'rejected') {
    // We have told the partner that nothing was sent. Nothing is papered over: a person has to look.
    deps.onAlarm('the bank has a transfer for a payout that was given up', {
      payoutId: row.id,
      partnerId: row.partnerId,
    })
    return []
  }
  if (transfer.refund === 'failed') {
    deps.onAlarm('the bank could not refund a payout', { payoutId: row.id, partnerId: row.partnerId })
  }
  const decision = decideOutcome(row, { answer: { kind: 'accepted', transfer }, isFirstHand: false }, now)
  const isNews =
    row.sendState !== 'accepted' ||
    decision.change.status !== row.status ||
    decision.change.refundState !== row.refundState ||
    decision.change.providerState !== row.providerState
  return isNews ? [{ row, decision }] : []
}
