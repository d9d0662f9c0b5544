// The whole proof: our own books, then ours against the bank's. Every run is stored.
import type { Environment } from '@kestrel/contract'

import { lastMonthBilled } from '../../../core/billing-calendar.ts'
import { newId } from '../../../core/ids.ts'
import { CircularList } from '../../../core/pages.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import { lastReconciliation, saveReconciliation } from '../../../storage/bank-comparison.ts'
import { findBillingBreaks, takeTimeAndRoom } from '../../../storage/billing-audit.ts'
import { findBreaks } from '../../../storage/book-checks.ts'
import type { Deps } from '../../deps.ts'
import type { BookBreak } from './compare-books.ts'
import { reconcileBank } from './reconcile-bank.ts'
import { recheckVerifications } from '../verification/verification.ts'

export interface Break {
  readonly check: string
  readonly partnerId: string | null
  readonly environment: string
  readonly about: string | null
  readonly detail: string
}

const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
const DAILY_MS = 24 * 60 * 60 * 1_000
/** A bank that could not be compared is tried again the same day. */
const SOON_MS = 60 * 60 * 1_000

export async function reconcile(deps: Deps): Promise<Break[]> {
  const startedAt = deps.clock.now()
  const breaks = await inOwnBooks(deps)
  for (const environment of ENVIRONMENTS) breaks.push(...(await againstBank(deps, environment)))
  const run = { id: newId(startedAt), startedAt, finishedAt: deps.clock.now(), breaks }
  await saveReconciliation(deps.db, run)
  if (breaks.length > 0) deps.onAlarm('reconciliation found breaks', { count: breaks.length })
  return breaks
}

/** Breaks in the ledger, and in what was billed from it. */
async function inOwnBooks(deps: Deps): Promise<Break[]> {
  return deps.reports.inTransaction(async (tx) => {
    takeTimeAndRoom(tx)
    const books = await findBreaks(tx)
    const bills = await findBillingBreaks(tx, lastMonthBilled(deps.clock.now()))
    // A break that both checks look for is told once.
    const known = new Set(books.map(({ check }) => check))
    return [
      ...books.map((each) => ({ ...each, about: null })),
      ...bills.filter(({ check }) => !known.has(check)).map((each) => ({ ...each, environment: 'live', about: null })),
    ]
  })
}

async function againstBank(deps: Deps, environment: Environment): Promise<Break[]> {
  const found: BookBreak[] = []
  const notCompared: Break[] = []
  try {
    await reconcileBank(deps, environment, found)
  } catch (error) {
    if (!(error instanceof RailUnavailable || error instanceof CircularList)) throw error
    // Not having looked is not the same as having found nothing.
    notCompared.push({ check: 'bank_not_compared', partnerId: null, environment, about: null, detail: error.message })
  }
  return [...found.map((each) => ({ ...each, environment })), ...notCompared]
}

/** Once a day, by the first worker that asks: reconciles, and reads the bank's decisions about businesses again. */
export async function reconcileIfDue(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const last = await lastReconciliation(deps.db, now)
  if (last !== null && now.getTime() - last.startedAt.getTime() < (last.isWhole ? DAILY_MS : SOON_MS)) return
  await reconcile(deps)
  await recheckVerifications(deps)
}
