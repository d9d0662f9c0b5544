// Follows every payout that is not at rest: takes those that are due, reads the truth from the bank, records it.
// Several workers may run; a lease decides whose a payout is, and only its holder can record.
import { after } from '../../core/clock.ts'
import { groupBy } from '../../core/group-by.ts'
import { newId } from '../../core/ids.ts'
import { type Scope, scopeKey } from '../../core/scope.ts'
import type { PayoutRail, SubmitAnswer } from '../../rail/rail.ts'
import { type DuePayout, claimDuePayouts, listDuePayouts } from '../../storage/payout-records.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import type { Deps } from '../deps.ts'
import { openRecipient, transferRequest } from './payout-request.ts'
import { type OutcomeOfPayout, recordOutcomes } from './record-outcomes.ts'

const LARGEST_BATCH = 256
const LEASE_MS = 30_000

/** One round; how many payouts were looked at. */
export async function followPayouts(deps: Deps): Promise<number> {
  const due = await listDuePayouts(deps.db, deps.clock.now(), LARGEST_BATCH)
  // A wallet at a time: no transaction spans two partners.
  const failures: unknown[] = []
  for (const own of groupBy(due, scopeKey).values()) {
    await followWallet(deps, own[0]!, own).catch((error: unknown) => failures.push(error))
  }
  // One wallet's trouble keeps nobody else waiting, and is still told.
  if (failures.length > 0) throw failures[0]
  return due.length
}

async function followWallet(deps: Deps, scope: Scope, due: readonly DuePayout[]): Promise<void> {
  const ids = due.map((payout) => payout.id)
  const now = deps.clock.now()
  const leaseToken = newId(now)
  const claim = { ids, now, leaseToken, leaseUntil: after(now, LEASE_MS) }
  const rows = await deps.db.inTransaction((tx) => claimDuePayouts(tx, scope, claim))
  if (rows.length === 0) return
  const answers = await askAboutAll(deps, deps.rails[scope.environment], rows)
  const outcomes = rows.map((row): OutcomeOfPayout => ({
    payoutId: row.id,
    leaseToken,
    answer: answers.get(row.id)!,
    isFirstHand: false,
  }))
  await recordOutcomes(deps, scope, outcomes)
}

async function askAboutAll(
  deps: Deps,
  rail: PayoutRail,
  rows: readonly PayoutRow[],
): Promise<ReadonlyMap<string, SubmitAnswer>> {
  const noNews: SubmitAnswer = { kind: 'unknown', reason: 'The bank had nothing to say about it.' }
  const answers = new Map<string, SubmitAnswer>(rows.map((row) => [row.id, noNews]))
  const known = rows.filter((row) => row.providerRef !== null)
  const transfers = await rail.readTransfers(known.map((row) => row.providerRef!)).catch(() => new Map())
  for (const row of known) {
    const transfer = transfers.get(row.providerRef!)
    if (transfer !== undefined) answers.set(row.id, { kind: 'accepted', transfer })
  }
  for (const row of rows) {
    if (row.providerRef === null) answers.set(row.id, await askAgain(deps, rail, row).catch(() => noNews))
  }
  return answers
}

/** The same request as the first time, to the letter: the bank answers it with the same transfer, or makes it now. */
async function askAgain(deps: Deps, rail: PayoutRail, row: PayoutRow): Promise<SubmitAnswer> {
  return rail.submit(transferRequest(row, openRecipient(deps.secrets, row.recipientSealed, row.id)))
}
