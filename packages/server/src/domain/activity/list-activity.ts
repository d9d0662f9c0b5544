import { AppError } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import {
  type ActivityCriteria,
  type ActivityPlace,
  type ActivityRow,
  findActivity,
  listActivity as readActivity,
} from '../../storage/activity.ts'
import type { Deps } from '../deps.ts'
import type { ActivityRecorder } from './activity-recorder.ts'

export type { ActivityCriteria }

export interface ActivityQuery extends ActivityCriteria {
  /** An entry's id: the page holds entries before it. */
  readonly before: string | null
  readonly limit: number
}

/** Writes what this process has collected first, so that a caller finds its own last request. */
export async function listActivity(
  deps: Pick<Deps, 'reports'> & { activity: ActivityRecorder },
  partnerId: string,
  query: ActivityQuery,
): Promise<ActivityRow[]> {
  await deps.activity.flush()
  const before = query.before === null ? null : await placeOf(deps, partnerId, query.before)
  return readActivity(deps.reports, partnerId, { ...query, before })
}

async function placeOf(deps: Pick<Deps, 'reports'>, partnerId: string, id: string): Promise<ActivityPlace> {
  const wanted = id.toLowerCase()
  const place = isUuid(wanted) ? await findActivity(deps.reports, partnerId, wanted) : null
  if (place !== null) return place
  throw new AppError('invalid_request', 'There is no entry with the id that `before` names. Start again without it.', {
    details: { fields: ['before (the id of an entry)'] },
  })
}
