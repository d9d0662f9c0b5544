// Deliveries to look into: a page of an endpoint's, and one with what is sent and every attempt.
import { notFound } from '../../core/errors.ts'
import { HIGHEST_ID, isUuid } from '../../core/ids.ts'
import { foreignCursor } from '../../core/cursor.ts'
import type { Scope } from '../../core/scope.ts'
import type { DeliveryRow } from '../../storage/webhook-deliveries.ts'
import {
  type AttemptRow,
  type DeliveryFilter,
  findDelivery,
  listAttempts,
  listDeliveries,
  listDeliveriesOfSubject,
} from '../../storage/webhook-lists.ts'
import type { Deps } from '../deps.ts'
import type { Event } from '../events/event.ts'
import { readEvents } from '../events/read-events.ts'
import { plainHeaders } from './attempt.ts'
import { readEndpoint } from './change-endpoint.ts'

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryRow[]
  readonly nextCursor: string | null
}

export async function listEndpointDeliveries(
  deps: Pick<Deps, 'db' | 'reports'>,
  scope: Scope,
  endpointId: string,
  asked: Omit<DeliveryFilter, 'before'> & { readonly cursor: string | null },
): Promise<DeliveryPage> {
  const { cursor, limit } = asked
  if (cursor !== null && !isUuid(cursor)) throw foreignCursor()
  await readEndpoint(deps, scope, endpointId)
  const rows = await listDeliveries(deps.reports, scope, endpointId, {
    ...asked,
    before: cursor ?? HIGHEST_ID,
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit || last?.isEnd === true
  return { deliveries: shown.filter(({ fits }) => fits), nextCursor: hasMore ? last!.id : null }
}

/** What was sent about one thing, such as a payout, to any endpoint. */
export async function listSubjectDeliveries(
  deps: Pick<Deps, 'reports'>,
  scope: Scope,
  { subjectId, cursor, limit }: { subjectId: string; cursor: string | null; limit: number },
): Promise<DeliveryPage> {
  if (cursor !== null && !isUuid(cursor)) throw foreignCursor()
  const wanted = { subjectId, before: cursor ?? HIGHEST_ID, limit: limit + 1 }
  const rows = await listDeliveriesOfSubject(deps.reports, scope, wanted)
  const deliveries = rows.slice(0, limit)
  return { deliveries, nextCursor: rows.length > limit ? deliveries.at(-1)!.id : null }
}

export interface LookedIntoDelivery {
  readonly delivery: DeliveryRow
  /** Null once it is no longer kept. */
  readonly event: Event | null
  readonly attempts: readonly AttemptRow[]
  readonly headers: Readonly<Record<string, string>>
}

export async function readDelivery(
  deps: Pick<Deps, 'db' | 'reports' | 'clock'>,
  scope: Scope,
  id: string,
): Promise<LookedIntoDelivery> {
  const delivery = isUuid(id) ? await findDelivery(deps.db, scope, id) : null
  if (delivery === null) throw notFound()
  const attempts = await listAttempts(deps.db, delivery)
  const [event = null] = await readEvents(deps, scope, [delivery.eventId])
  return { delivery, event, attempts, headers: plainHeaders(delivery.eventId, attempts.at(-1)?.at ?? null) }
}
