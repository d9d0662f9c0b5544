// Step three of a payout, also used by the follow-up: writes its outcome in one transaction. Only the holder of a
// payout's lease may record; anybody else changes nothing.
import { assert } from '../../../core/assert.ts'
import type { Scope } from '../../../core/scope.ts'
import { readPayoutsOfTransfers } from '../../../storage/bank-comparison.ts'
import { lockWalletOnRail } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { type Outcome, decideOutcome } from './decide-outcome.ts'
import { anothersName, concernsOf, namesAnother } from './news-concerns.ts'
import type { OutcomeOfPayout, Recorded } from './outcome-of-payout.ts'
import { recordAsRead } from './record-as-read.ts'
import { rowAfter } from './row-after.ts'
import { type Concern, tellOnce } from './tell-once.ts'
import { tellOfUnknownReasons } from './unknown-reasons.ts'
import { type Decided, plansToCharge, writeDecisions } from './write-decisions.ts'

export async function recordOutcomes(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  outcomes: readonly OutcomeOfPayout[],
): Promise<Recorded[]> {
  const now = deps.clock.now()
  return (await recordAsRead(deps, scope, outcomes, now)) ?? recordUnderLock(deps, scope, outcomes, now)
}

function recordUnderLock(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  outcomes: readonly OutcomeOfPayout[],
  now: Date,
): Promise<Recorded[]> {
  const ids = outcomes.map((outcome) => outcome.payoutId)
  return deps.db.inTransaction(async (tx) => {
    const [rows, { rail, available }, plans] = await Promise.all([
      lockPayouts(tx, scope, ids),
      lockWalletOnRail(tx, scope),
      plansToCharge(tx, scope),
    ])
    const rowById = new Map(rows.map((row) => [row.id, row]))
    const decided: Decided[] = []
    const concerns: Concern[] = []
    const havingOf = await whoHas(tx, scope, { outcomes, rowById })
    const recorded = outcomes.map((outcome): Recorded => {
      const row = rowById.get(outcome.payoutId)
      assert(row !== undefined, 'an outcome is recorded for a payout that exists')
      if (row.leaseToken !== outcome.leaseToken) return { isOurs: false, row }
      const having = havingOf.get(row.id) ?? null
      const heard = unlessAnothers(row, outcome, having)
      if (heard !== outcome && outcome.answer.kind === 'accepted') {
        const { transfer } = outcome.answer
        concerns.push(
          having === null
            ? anothersName(row.id, transfer)
            : anothersName(having, { ...transfer, clientReference: row.id }),
        )
      }
      const each = { row, decision: decideOutcome(row, heard, now), requestId: outcome.requestId }
      decided.push(each)
      if (heard.answer.kind === 'accepted') concerns.push(...concernsOf(row, heard.answer.transfer, now))
      return { isOurs: true, row: rowAfter(each) }
    })
    await tellOnce(deps, tx, scope, concerns)
    writeDecisions(tx, scope, { decided, rail, plans, now, available })
    tellOfUnknownReasons(deps, tx, scope, decided)
    return recorded
  })
}

/**
 * Of answers that leave the payout's name out: the other payout that has the transfer already, by the payout that was asked
 * for. Two payouts of a wallet may be alike in every figure.
 */
async function whoHas(
  tx: Tx,
  { environment }: Scope,
  { outcomes, rowById }: { outcomes: readonly OutcomeOfPayout[]; rowById: ReadonlyMap<string, FollowedPayout> },
): Promise<ReadonlyMap<string, string>> {
  const others = new Map<string, string>()
  for (const { payoutId, answer } of outcomes) {
    const row = rowById.get(payoutId)
    if (answer.kind !== 'accepted' || answer.transfer.clientReference !== null || row === undefined) continue
    if (row.transferRef !== null) continue
    const having = await readPayoutsOfTransfers(tx, { environment, rail: row.rail }, [answer.transfer.transferRef])
    const other = having.find(({ id }) => id !== payoutId)
    if (other !== undefined) others.set(payoutId, other.id)
  }
  return others
}

/** What the bank says under another payout's name, or of another's transfer, is no answer about this one. */
function unlessAnothers(row: FollowedPayout, outcome: OutcomeOfPayout, having: string | null): Outcome {
  const { answer } = outcome
  if (answer.kind !== 'accepted' || (having === null && !namesAnother(row.id, answer.transfer))) return outcome
  const reason = 'The bank’s answer is about another payout.'
  return { ...outcome, answer: { kind: 'unknown', reason, nothingNew: true } }
}
