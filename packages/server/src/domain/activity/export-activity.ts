import {
  type ActivityCriteria,
  type ActivityPlace,
  type ActivityRow,
  lookThroughActivity,
} from '../../storage/activity.ts'
import type { Deps } from '../deps.ts'
import type { ActivityRecorder } from './activity-recorder.ts'

/** How many entries are looked through at a time, whether or not they fit, so that neither memory nor a query grows. */
export const ACTIVITY_WINDOW = 5_000

/** Every entry that fits a filter, newest first. The next ones are read when they are needed. */
export async function* activityPages(
  deps: Pick<Deps, 'reports'> & { activity: ActivityRecorder },
  partnerId: string,
  criteria: ActivityCriteria,
): AsyncGenerator<readonly ActivityRow[], void, undefined> {
  await deps.activity.flush()
  let before: ActivityPlace | null = null
  for (;;) {
    const window: readonly (ActivityRow & { fits: boolean })[] = await lookThroughActivity(deps.reports, partnerId, {
      ...criteria,
      before,
      limit: ACTIVITY_WINDOW,
    })
    yield window.filter(({ fits }) => fits)
    if (window.length < ACTIVITY_WINDOW) return
    before = window.at(-1)!
  }
}
