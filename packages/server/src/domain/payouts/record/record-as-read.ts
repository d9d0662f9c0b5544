// Step three in one trip to the database: decided from the rows as the caller knows them, before anything is locked, and
// written if nothing has changed since. Only plain news goes this way; all else is decided under locks.
import type { Scope } from '../../../core/scope.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { hasChanged } from '../../../storage/database.ts'
import { lockWallet } from '../../../storage/ledger.ts'
import { lockPayoutsAsRead } from '../../../storage/payout-records.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { decideOutcome } from './decide-outcome.ts'
import { concernsOf, namesAnother } from './news-concerns.ts'
import type { OutcomeOfPayout, Recorded } from './outcome-of-payout.ts'
import { rowAfter } from './row-after.ts'
import { newlyUnknown } from './unknown-reasons.ts'
import { type Decided, isCharged, writeDecisions } from './write-decisions.ts'

/** Null: nothing was done, and the outcomes are to be decided under locks. */
export async function recordAsRead(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  outcomes: readonly OutcomeOfPayout[],
  now: Date,
): Promise<Recorded[] | null> {
  const read = outcomes.flatMap(({ asRead }) => asRead ?? [])
  const decided = outcomes.flatMap((outcome) => decideAhead(scope, outcome, now) ?? [])
  const isPlain = decided.length === outcomes.length && new Set(read.map(({ row }) => row.id)).size === outcomes.length
  if (!isPlain || outcomes.length === 0) return null
  try {
    // Nothing in here waits for an answer, so that all of it goes out together.
    await deps.db.inTransaction((tx) => {
      lockPayoutsAsRead(tx, scope, read)
      lockWallet(tx, scope).catch(() => undefined)
      writeDecisions(tx, scope, { decided, rail: decided[0]!.row.rail, plans: [], now })
      return Promise.resolve()
    })
  } catch (error) {
    if (hasChanged(error)) return null
    throw error
  }
  return decided.map((each) => ({ isOurs: true, row: rowAfter(each) }))
}

/** Null for what needs more than the row to be decided: another row, the wallet's balance, the partner's plan, a person. */
function decideAhead(scope: Scope, outcome: OutcomeOfPayout, now: Date): Decided | null {
  const { asRead, answer } = outcome
  if (asRead == null || asRead.row.leaseToken !== outcome.leaseToken) return null
  const { row } = asRead
  if (answer.kind !== 'accepted' && answer.kind !== 'unknown') return null
  if (answer.kind === 'accepted' && !isPlainNews(row, answer.transfer, now)) return null
  const decided = { row, decision: decideOutcome(row, outcome, now), requestId: outcome.requestId }
  if (newlyUnknown(decided) !== null) return null
  const { entries, difference, surplusChange } = decided.decision
  const isOfWallet = entries.some(({ from, to }) => to === 'available' || from === 'available')
  if (isOfWallet || difference !== undefined || surplusChange !== undefined) return null
  return scope.environment === 'live' && isCharged(decided) ? null : decided
}

/** News under the payout's own name, or of a transfer that is known to be its own, of which nobody need be told. */
function isPlainNews(row: FollowedPayout, transfer: TransferSnapshot, now: Date): boolean {
  const isNamed = transfer.clientReference !== null || row.transferRef !== null
  return isNamed && !namesAnother(row.id, transfer) && concernsOf(row, transfer, now).length === 0
}
