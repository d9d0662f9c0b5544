// Events with their subjects as they were then: by their ids, in pages, and from a position on.
import type { EventType } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import {
  type EventRow,
  type EventPlace,
  findEvents,
  listEvents as readPage,
  readLastPosition,
} from '../../storage/events.ts'
import { subjectKey } from '../../storage/note-events.ts'
import type { Deps } from '../deps.ts'
import type { Event } from './event.ts'
import { readPosition, writePosition } from './event-cursor.ts'
import { readSubjects } from './event-subjects.ts'

const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** What happened before is no longer told. */
export function keptSince(now: Date): Date {
  return after(now, -KEPT_DAYS * DAY_MS)
}

type EventDeps = Pick<Deps, 'clock' | 'reports'>

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
  const rows = await readPage(
    deps.reports,
    scope,
    { types, subject: subject === null ? null : subjectKey(subject) },
    place,
  )
  const shown = rows.slice(0, limit)
  return {
    events: await withSubjects(deps, scope, shown),
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
  return withSubjects(deps, scope, rows)
}

/** Where an event is, for reading on after it; 404 for one that is unknown here, or no longer kept. */
export async function positionOf(deps: EventDeps, scope: Scope, id: string): Promise<bigint> {
  const [event] = await readEvents(deps, scope, [id])
  if (event === undefined) throw nowhere()
  return event.position
}

/** The address is right, and only what the listener has kept is not: to check that helps more than to check both. */
function nowhere(): AppError {
  return new AppError(
    'not_found',
    `The event to go on after (after, Last-Event-ID or last_event_id) is none that this key can see. Events are kept for ${KEPT_DAYS} days, each in its environment. Leave it out to begin with what happens next; GET /v1/events lists what is kept.`,
  )
}

/** Where what comes next begins. */
export function newestPosition(deps: Pick<Deps, 'reports'>, scope: Scope): Promise<bigint> {
  return readLastPosition(deps.reports, scope)
}

/** What came after a position, the oldest first. Who goes on from the last one's position misses nothing. */
export async function readEventsAfter(
  deps: EventDeps,
  scope: Scope,
  { position, most }: { position: bigint; most: number },
): Promise<Event[]> {
  const place = { direction: 'up', position, since: keptSince(deps.clock.now()), limit: most } as const
  return withSubjects(deps, scope, await readPage(deps.reports, scope, { types: null, subject: null }, place))
}

async function withSubjects(deps: EventDeps, scope: Scope, rows: readonly EventRow[]): Promise<Event[]> {
  const subjects = await readSubjects(deps, scope, rows)
  return rows.map((row, index) => {
    const { id, type, occurredAt, sequence, requestId, position } = row
    const subject = subjects[index]!
    return { id, type, environment: scope.environment, occurredAt, subject, sequence, requestId, position }
  })
}
