import { type ActivityDetail, type ActivityEntry, activitySentence } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import type { listActivity } from '../../domain/activity/list-activity.ts'
import type { LookedIntoEntry } from '../../domain/activity/read-activity.ts'
import { BODIES_KEPT_MS } from '../../domain/activity/request-bodies.ts'
import { curlOf, headersOf } from './curl.ts'

export function presentActivity(entry: Awaited<ReturnType<typeof listActivity>>[number]): ActivityEntry {
  const told = {
    at: entry.at.toISOString(),
    environment: entry.environment,
    action: entry.action,
    status: entry.status,
    by: entry.by,
    detail: entry.detail,
    id: entry.id,
    // An entry about a request has that request's id.
    request_id: entry.method === null ? null : entry.id,
    method: entry.method,
    path: entry.path,
    duration_ms: entry.durationMs,
    ip: entry.ip,
    key_id: entry.keyId,
    by_name: entry.byName,
    subject: entry.subject,
    changes: [...(entry.changes ?? [])],
  }
  return { ...told, summary: activitySentence(told) }
}

export function presentActivityDetail(looked: LookedIntoEntry, publicUrl: string): ActivityDetail {
  const { entry, bodies } = looked
  return {
    ...presentActivity(entry),
    idempotency_key: bodies?.idempotencyKey ?? null,
    kept_until: bodies === null ? null : after(entry.at, BODIES_KEPT_MS).toISOString(),
    request:
      bodies === null
        ? null
        : {
            query: bodies.query,
            headers: headersOf(bodies),
            body: bodies.requestBody,
            bytes: bodies.requestBytes,
            cut: bodies.isRequestCut,
            left_out: bodies.requestLeftOut,
          },
    response:
      bodies === null
        ? null
        : {
            body: bodies.answerBody,
            bytes: bodies.answerBytes,
            cut: bodies.isAnswerCut,
            left_out: bodies.answerLeftOut,
          },
    curl: curlOf(looked, publicUrl),
  }
}
