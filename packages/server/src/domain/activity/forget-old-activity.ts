import { keepActivity } from '../../storage/activity-months.ts'
import type { Deps } from '../deps.ts'

/** Enough for a month that stood in the default part and is moved; usually there is nothing to do. */
const LONGEST_MS = 120_000

/** What is older than so many months goes, a month at a time; the months to come are made ahead. Says what went. */
export function forgetOldActivity(deps: Pick<Deps, 'db'>, months: number | null): Promise<readonly string[]> {
  return deps.db.inTransaction((tx) => {
    tx.takeTime(LONGEST_MS)
    return keepActivity(tx, months)
  })
}
