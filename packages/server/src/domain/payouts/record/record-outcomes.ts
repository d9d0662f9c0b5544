// Step three of a payout, also used by the follow-up: writes its outcome in one transaction. Only the holder of a
// payout's lease may record; anybody else changes nothing.
import type { Environment } from '@kestrel/contract'

import { assert } from '../../../core/assert.ts'
import { groupBy } from '../../../core/group-by.ts'
import type { ItemOutcome } from '../../../core/lanes.ts'
import type { Scope } from '../../../core/scope.ts'
import { someAtOnce } from '../../../core/some-at-once.ts'
import { readPayoutsOfTransfers } from '../../../storage/bank-comparison.ts'
import { lockWalletOnRail, waitShortlyForLocks } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { type Outcome, decideOutcome } from './decide-outcome.ts'
import { anothersName, concernsOf, namesAnother } from './news-concerns.ts'
import type { OutcomeOfPayout, Recorded } from './outcome-of-payout.ts'
import { decideAheadOrNot, writeAsRead } from './record-as-read.ts'
import { rowAfter } from './row-after.ts'
import { type Concern, tellOnce } from './tell-once.ts'
import { tellOfUnknownReasons } from './unknown-reasons.ts'
import { type Decided, plansToCharge, writeDecisions } from './write-decisions.ts'

/** An outcome of a batch, and whose it is. */
export interface OutcomeInWallet {
  readonly partnerId: string
  readonly outcome: OutcomeOfPayout
}

/** The most wallets that are decided under locks at once. */
const MOST_APART = 4

/**
 * One result per outcome, in their order. Wallets of which there is only plain news are written together; each of the others
 * by itself.
 */
export async function recordTogether(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  environment: Environment,
  asked: readonly OutcomeInWallet[],
): Promise<ItemOutcome<Recorded>[]> {
  const now = deps.clock.now()
  const ahead = new Map(asked.map(({ outcome }) => [outcome, decideAheadOrNot(environment, outcome, now)]))
  const wallets = [...groupBy(asked, ({ partnerId }) => partnerId)]
  const plain = wallets.filter(([, own]) => own.every(({ outcome }) => ahead.get(outcome) !== null))
  const decided = plain.flatMap(([, own]) => own.map(({ outcome }) => ahead.get(outcome)!))
  const isWritten = await writeAsRead(deps, environment, { decided, now })
  const results = new Map<OutcomeOfPayout, ItemOutcome<Recorded>>()
  if (isWritten) {
    for (const [, own] of plain) {
      for (const { outcome } of own) {
        results.set(outcome, { ok: true, value: { isOurs: true, row: rowAfter(ahead.get(outcome)!) } })
      }
    }
  }
  const rest = wallets.filter(([, own]) => !results.has(own[0]!.outcome))
  await someAtOnce(rest, MOST_APART, async ([partnerId, own]) => {
    const outcomes = own.map(({ outcome }) => outcome)
    const recorded = await recordUnderLock(deps, { partnerId, environment }, outcomes, now).then(
      (all) => all.map((value) => ({ ok: true, value }) as const),
      (error: unknown) => own.map(() => ({ ok: false, error }) as const),
    )
    outcomes.forEach((outcome, index) => results.set(outcome, recorded[index]!))
  })
  return asked.map(({ outcome }) => results.get(outcome)!)
}

/** The same of one wallet; throws what they failed by. */
export async function recordOutcomes(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  { partnerId, environment }: Scope,
  outcomes: readonly OutcomeOfPayout[],
): Promise<Recorded[]> {
  const asked = outcomes.map((outcome) => ({ partnerId, outcome }))
  return (await recordTogether(deps, environment, asked)).map((each) => {
    if (!each.ok) throw each.error
    return each.value
  })
}

function recordUnderLock(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  outcomes: readonly OutcomeOfPayout[],
  now: Date,
): Promise<Recorded[]> {
  const ids = outcomes.map((outcome) => outcome.payoutId)
  return deps.db.inTransaction(async (tx) => {
    // Whoever else is of the batch has been written by now, and is told when all of it is over.
    waitShortlyForLocks(tx)
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
