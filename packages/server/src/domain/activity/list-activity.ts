import { type ActivityRow, listActivity as readActivity } from '../../storage/activity.ts'
import type { Deps } from '../deps.ts'
import type { ActivityRecorder } from './activity-recorder.ts'

/** The latest 200 requests on the account (spec, part 8). */
const MOST = 200

/** What this process has gathered is written first, so that a caller finds its own last request. */
export async function listActivity(
  deps: Pick<Deps, 'db'> & { activity: ActivityRecorder },
  partnerId: string,
): Promise<ActivityRow[]> {
  await deps.activity.flush()
  return readActivity(deps.db, partnerId, MOST)
}
