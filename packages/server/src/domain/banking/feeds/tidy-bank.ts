// Deletes what nobody needs any more: messages that were handled long ago, old runs of reconciliation, rows that were
// told of.
import { after } from '../../../core/clock.ts'
import { thinReconciliations } from '../../../storage/bank-comparison.ts'
import { thinBankEvents } from '../../../storage/bank-events.ts'
import { thinWaitingRows } from '../../../storage/bank-rows-waiting.ts'
import type { Deps } from '../../deps.ts'

const DAY_MS = 24 * 60 * 60_000
/** The bank repeats a message for two days at most; a month helps somebody who investigates. */
const EVENTS_MS = 30 * DAY_MS
const CLEAN_RUNS_MS = 90 * DAY_MS
/** Runs that found something are kept for longer than a financial year. */
const BROKEN_RUNS_MS = 800 * DAY_MS
const TOLD_ROWS_MS = 90 * DAY_MS
const MOST_AT_ONCE = 5_000

/** True when there may be more to delete. */
export async function tidyBank(deps: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    thinReconciliations(tx, { cleanBefore: after(now, -CLEAN_RUNS_MS), brokenBefore: after(now, -BROKEN_RUNS_MS) })
    thinWaitingRows(tx, after(now, -TOLD_ROWS_MS))
    return (await thinBankEvents(tx, after(now, -EVENTS_MS), MOST_AT_ONCE)) === MOST_AT_ONCE
  })
}
