// Step three in one trip to the database: decided from the rows as the caller knows them, before anything is locked, and
// written if nothing has changed since. Only plain news goes this way; all else is decided under locks.
import type { Environment } from '@kestrel/contract'

import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { hasChanged } from '../../../storage/database.ts'
import { lockWallets, waitShortlyForLocks } from '../../../storage/ledger.ts'
import { lockPayoutsAsRead } from '../../../storage/payout-records.ts'
import type { FollowedPayout, PayoutAsRead } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { decideOutcome } from './decide-outcome.ts'
import { concernsOf, namesAnother } from './news-concerns.ts'
import type { OutcomeOfPayout } from './outcome-of-payout.ts'
import { newlyUnknown } from './unknown-reasons.ts'
import { type Decided, isCharged, writePlainDecisions } from './write-decisions.ts'

/** A decision, and the row that it was made from. */
export interface DecidedAhead extends Decided {
  readonly asRead: PayoutAsRead
}

/** False: nothing was done, and the outcomes are to be decided under locks. They may be of several wallets. */
export async function writeAsRead(
  deps: Pick<Deps, 'db'>,
  environment: Environment,
  { decided, now }: { decided: readonly DecidedAhead[]; now: Date },
): Promise<boolean> {
  const isEachOnce = new Set(decided.map(({ row }) => row.id)).size === decided.length
  if (!isEachOnce || decided.length === 0) return false
  const partnerIds = [...new Set(decided.map(({ row }) => row.partnerId))]
  try {
    // Nothing in here waits for an answer, so that all of it goes out together.
    await deps.db.inTransaction((tx) => {
      waitShortlyForLocks(tx)
      lockPayoutsAsRead(
        tx,
        environment,
        decided.map(({ asRead }) => asRead),
      )
      lockWallets(tx, environment, partnerIds)
      writePlainDecisions(tx, environment, { decided, now })
      return Promise.resolve()
    })
  } catch (error) {
    if (hasChanged(error)) return false
    throw error
  }
  return true
}

/** What cannot be decided fails under its wallet's lock, and fails nobody else's. */
export function decideAheadOrNot(environment: Environment, outcome: OutcomeOfPayout, now: Date): DecidedAhead | null {
  try {
    return decideAhead(environment, outcome, now)
  } catch {
    return null
  }
}

/** Null for what needs more than the row to be decided: another row, the wallet's balance, the partner's plan, a person. */
function decideAhead(environment: Environment, outcome: OutcomeOfPayout, now: Date): DecidedAhead | null {
  const { asRead, answer } = outcome
  if (asRead == null || asRead.row.leaseToken !== outcome.leaseToken) return null
  const { row } = asRead
  if (answer.kind !== 'accepted' && answer.kind !== 'unknown') return null
  if (answer.kind === 'accepted' && !isPlainNews(row, answer.transfer, now)) return null
  const decided = { row, decision: decideOutcome(row, outcome, now), requestId: outcome.requestId, asRead }
  if (newlyUnknown(decided) !== null) return null
  const { entries, difference, surplusChange } = decided.decision
  const isOfWallet = entries.some(({ from, to }) => to === 'available' || from === 'available')
  if (isOfWallet || difference !== undefined || surplusChange !== undefined) return null
  return environment === 'live' && isCharged(decided) ? null : decided
}

/** News under the payout's own name, or of a transfer that is known to be its own, of which nobody need be told. */
function isPlainNews(row: FollowedPayout, transfer: TransferSnapshot, now: Date): boolean {
  const isNamed = transfer.clientReference !== null || row.transferRef !== null
  return isNamed && !namesAnother(row.id, transfer) && concernsOf(row, transfer, now).length === 0
}
