// Events with their subjects as they were then: by their ids, in pages, and from a position on.
import type { EventType } from '@kestrel/contract'

import { assert } from '../../core/assert.ts'
import { after } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import {
  type EventRow,
  type EventPlace,
  findEvents,
  listEvents as readPage,
  listPayoutsOfEvents,
} from '../../storage/events.ts'
import type { PayoutRow } from '../../storage/payouts.ts'
import type { Db } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import type { Event, Subject } from './event.ts'
import { readPosition, writePosition } from './event-cursor.ts'

const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** What happened before is no longer told. */
export function keptSince(now: Date): Date {
  return after(now, -KEPT_DAYS * DAY_MS)
}

type EventDeps = Pick<Deps, 'clock'> & { readonly reports: Db }

export interface EventQuery {
  readonly types: readonly EventType[] | null
  /** The id of what they are about. */
  readonly subject: string | null
  /** The id of an event: what came after it, the oldest first. */
  readonly after: string | null
  readonly cursor: string | null
  readonly limit: number
}

export interface EventPage {
  readonly events: readonly Event[]
  readonly nextCursor: string | null
}

/** Newest first; after an event, the oldest first. */
export async function listEvents(deps: EventDeps, scope: Scope, query: EventQuery): Promise<EventPage> {
  const { types, subject, limit } = query
  const begun = query.after === null ? null : await positionOf(deps, scope, query.after)
  const place: EventPlace = {
    direction: begun === null ? 'down' : 'up',
    position: query.cursor === null ? begun : readPosition(query.cursor),
    since: keptSince(deps.clock.now()),
    // One more than asked for tells whether there is another page.
    limit: limit + 1,
  }
  if (subject !== null && !isUuid(subject.toLowerCase())) return { events: [], nextCursor: null }
  const rows = await readPage(deps.reports, scope, { types, subject: subject?.toLowerCase() ?? null }, place)
  const shown = rows.slice(0, limit)
  return {
    events: await withSubjects(deps.reports, scope, shown),
    nextCursor: rows.length > limit ? writePosition(shown.at(-1)!.position) : null,
  }
}

export async function readEvent(deps: EventDeps, scope: Scope, id: string): Promise<Event> {
  const [event] = await readEvents(deps, scope, [id])
  if (event === undefined) throw notFound()
  return event
}

/** Those of the wallet among the given ids, in the order in which they happened. */
export async function readEvents(deps: EventDeps, scope: Scope, ids: readonly string[]): Promise<Event[]> {
  const wanted = ids.map((id) => id.toLowerCase()).filter(isUuid)
  const rows = await findEvents(deps.reports, scope, wanted, keptSince(deps.clock.now()))
  return withSubjects(deps.reports, scope, rows)
}

/** What came after a position, the oldest first. Who goes on from the last one's position misses nothing. */
export async function readEventsAfter(
  deps: EventDeps,
  scope: Scope,
  { position, most }: { position: bigint; most: number },
): Promise<Event[]> {
  const place = { direction: 'up', position, since: keptSince(deps.clock.now()), limit: most } as const
  return withSubjects(deps.reports, scope, await readPage(deps.reports, scope, { types: null, subject: null }, place))
}

async function positionOf(deps: EventDeps, scope: Scope, id: string): Promise<bigint> {
  return (await readEvent(deps, scope, id)).position
}

async function withSubjects(db: Db, scope: Scope, rows: readonly EventRow[]): Promise<Event[]> {
  const ids = rows.filter(({ subjectObject }) => subjectObject === 'payout').map(({ subjectId }) => subjectId)
  const payouts = await listPayoutsOfEvents(db, scope, [...new Set(ids)])
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  return rows.map((row) => {
    const { id, type, occurredAt, sequence, requestId, position } = row
    const subject = subjectOf(row, byId)
    return { id, type, environment: scope.environment, occurredAt, subject, sequence, requestId, position }
  })
}

function subjectOf(row: EventRow, payouts: ReadonlyMap<string, PayoutRow>): Subject {
  const payout = payouts.get(row.subjectId)
  assert(payout !== undefined, 'a payout that has events is never deleted')
  return { object: 'payout', id: payout.id, payout: asThen(payout, row) }
}

/** What a payout was asked for never changes; how it stood is in the event. */
function asThen(payout: PayoutRow, row: EventRow): PayoutRow {
  const { status, sendState, refundState, failureReason, bankReason, bankState, completedAt, refundedAt } = row
  const standing = { status, sendState, refundState, failureReason, bankReason, bankState, completedAt, refundedAt }
  return { ...payout, ...standing, updatedAt: row.occurredAt }
}
