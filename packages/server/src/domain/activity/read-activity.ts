import type { Environment } from '@kestrel/contract'

import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type ActivityRow, readActivityEntry } from '../../storage/activity.ts'
import { type RequestBodies, findRequestBodies } from '../../storage/request-bodies.ts'
import type { Scope } from '../../core/scope.ts'
import type { Deps } from '../deps.ts'
import type { ActivityRecorder } from './activity-recorder.ts'
import { bodiesKeptSince } from './request-bodies.ts'

export interface LookedIntoEntry {
  readonly entry: ActivityRow
  readonly bodies: RequestBodies | null
}

/**
 * One entry with what was asked and answered. What was asked in one environment is not told in the other; and what members
 * sent is not told to keys, because a member's request may be about both.
 */
export async function readActivity(
  deps: Pick<Deps, 'reports' | 'clock'> & { activity: ActivityRecorder },
  scope: Scope,
  asked: { readonly id: string; readonly isByKey: boolean },
): Promise<LookedIntoEntry> {
  const id = asked.id.toLowerCase()
  if (!isUuid(id)) throw notFound()
  await deps.activity.flush()
  const entry = await readActivityEntry(deps.reports, scope.partnerId, id)
  if (entry === null || isElsewhere(entry.environment, scope.environment)) throw notFound()
  if (asked.isByKey && entry.keyId === null) return { entry, bodies: null }
  const since = bodiesKeptSince(deps.clock.now())
  return { entry, bodies: await findRequestBodies(deps.reports, scope.partnerId, { id, since }) }
}

const isElsewhere = (of: Environment | null, asking: Environment) => of !== null && of !== asking
