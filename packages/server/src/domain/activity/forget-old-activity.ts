import { keepActivity } from '../../storage/activity-months.ts'
import type { Deps } from '../deps.ts'

/** Enough to move a month that was in the default partition; usually there is nothing to do. */
const LONGEST_MS = 120_000

/** Deletes whole months older than `months`, and creates the coming ones. Returns what was deleted. */
export function forgetOldActivity(deps: Pick<Deps, 'db'>, months: number | null): Promise<readonly string[]> {
  return deps.db.inTransaction((tx) => {
    tx.takeTime(LONGEST_MS)
    return keepActivity(tx, months)
  })
}
