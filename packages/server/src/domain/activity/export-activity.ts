import {
  type ActivityCriteria,
  type ActivityPlace,
  type ActivityRow,
  findActivityPlaceAfter,
  lookThroughActivity,
} from '../../storage/activity.ts'
import type { Deps } from '../deps.ts'
import { EXPORT_PAGE } from '../export-page.ts'
import type { ActivityRecorder } from './activity-recorder.ts'

/**
 * How many entries one statement looks through at most, whether or not they fit, so that none grows. More than are written at a time:
 * with as few, a filter that fits little would take a statement per hundred entries.
 */
const LOOKED_THROUGH = 5_000

/** Every entry that fits a filter, newest first. The next ones are read when they are needed. */
export async function* activityPages(
  deps: Pick<Deps, 'reports'> & { activity: ActivityRecorder },
  partnerId: string,
  criteria: ActivityCriteria,
): AsyncGenerator<readonly ActivityRow[], void, undefined> {
  await deps.activity.flush()
  let before: ActivityPlace | null = null
  for (;;) {
    const page: readonly ActivityRow[] = await lookThroughActivity(deps.reports, partnerId, {
      ...criteria,
      before,
      among: LOOKED_THROUGH,
      limit: EXPORT_PAGE,
    })
    yield page
    const last: ActivityPlace | null =
      page.length < EXPORT_PAGE
        ? await findActivityPlaceAfter(deps.reports, partnerId, criteria, { before, others: LOOKED_THROUGH - 1 })
        : page.at(-1)!
    if (last === null) return
    before = last
  }
}
