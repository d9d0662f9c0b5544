// Changes as they happen: server-sent events for open pages.
import { Words } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/scope.ts'
import { OneAfterAnother } from '../../core/one-after-another.ts'
import { sharedHolders } from '../../domain/api-keys/authenticate-key.ts'
import { newestPosition, positionOf } from '../../domain/events/read-events.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { countedAs } from '../access/caller.ts'
import { isStillAllowed } from '../access/still-allowed.ts'
import type { CountedAs } from '../limits/caller-limits.ts'
import { streamEvents } from './streamed-events.ts'
import type { RouteContext } from './route-context.ts'

const MOST_STREAMS = 5
/** For all members of a business together: a large team with several tabs each. Keys have 25 at most. */
const MOST_OF_BUSINESS = 100

const StreamQuery = Type.Object(
  {
    ...EnvironmentQuery.properties,
    events: Type.Optional(
      Words(['all', 'none'], {
        'x-rule': 'all or none',
        description: 'Whether events are sent, or hints alone. `all` is usual for a key, `none` in a session.',
      }),
    ),
    last_event_id: Type.Optional(
      Type.String({ maxLength: 36, description: 'The same as `Last-Event-ID`.', 'x-rule': 'the id of an event' }),
    ),
  },
  { additionalProperties: false },
)
type StreamQuery = Static<typeof StreamQuery>

/** A place that somebody has, from the moment at which it was asked for: many may ask at once. */
interface Place extends CountedAs {
  /** Null until it is known where it begins. */
  stream: EventStream | null
  /** The key or the session. */
  readonly who: string
}

export function addStreamRoute({ app, deps, publicUrl }: RouteContext): void {
  const places = new Set<Place>()
  const pages = new OneAfterAnother()
  // Streams that are told at once share the look-up of their keys.
  const { find: findHolder } = sharedHolders(deps)
  // Closed at once: a stream has no end of its own that a stopping service could wait for.
  app.addHook('preClose', async () => {
    for (const { stream } of places) stream?.end()
  })
  app.get<{ Querystring: StreamQuery }>('/v1/stream', {
    config: { auth: 'key', action: 'stream.open', isEndless: true },
    schema: operationSchema(
      {
        id: 'streamChanges',
        tag: 'Payouts',
        summary: 'Stream changes',
        description:
          'Server-sent events. To a key, each event of `GET /v1/events` within about a second, with its `id`, its type as `event` and itself as `data`: a listener that comes back with `Last-Event-ID` gets all that it has missed, in order and nothing twice. To everybody, hints: `payout` with `id`, `status` and `updated_at` when a payout was created or changed, `balance` with `usdc` when the wallet did, `pause` with `paused_at` when all payouts were paused or resumed; and a comment every 20 seconds. Five streams per key or session, and 100 for all members of a business; one ends when the key or session does, and tells nothing more from then on.',
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ description: 'The last event that was received: the stream goes on after it.' }),
          ),
        }),
        query: StreamQuery,
        ok: { 200: { text: 'text/event-stream', description: 'Events, for as long as the caller listens.' } },
        errors: ['invalid_request', 'not_found'],
        curl: (base) => `curl ${base}/v1/stream --no-buffer \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const scope = scopeOf(request)
      const counted = { ...countedAs(caller), who: caller.session?.id ?? caller.keyId ?? caller.id }
      refuseTooMany([...places], counted)
      const place: Place = { ...counted, stream: null }
      places.add(place)
      const { events: wanted = caller.session === null ? 'all' : 'none' } = request.query
      const from =
        wanted === 'none'
          ? null
          : await beginning(deps, scope, lastEventId(request)).catch((error: unknown) => {
              places.delete(place)
              throw error
            })
      let unsubscribe = () => {}
      const stream = openEventStream({
        isStillAllowed: () => isStillAllowed(deps, request, { publicUrl, findHolder }),
        onEnd: () => {
          unsubscribe()
          places.delete(place)
        },
      })
      place.stream = stream
      unsubscribe = feed(deps, { scope, from, stream, pages })
      reply.headers({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
      return reply.send(stream.body)
    },
  })
}

/** Sends what changes, and events from a position on; null: none. Returns what stops it. */
function feed(
  deps: RouteContext['deps'],
  { scope, from, stream, pages }: { scope: Scope; from: bigint | null; stream: EventStream; pages: OneAfterAnother },
): () => void {
  const events = from === null ? null : streamEvents(deps, { scope, from, stream, pages })
  const unsubscribe = deps.changes.subscribe(scope, (change) => {
    if (change.kind === 'events') events?.wake()
    else stream.tell(change)
  })
  // What changed lately has been told: it may have been more than can wait for a listener.
  if (stream.isOver()) unsubscribe()
  events?.wake()
  return unsubscribe
}

/** After the event that the listener has; else with what comes next. */
function beginning(deps: RouteContext['deps'], scope: Scope, lastId: string | null): Promise<bigint> {
  return lastId === null ? newestPosition(deps, scope) : positionOf(deps, scope, lastId)
}

/** Browsers send a header, and only when they come back; for a first time there is the query. */
function lastEventId({ headers, query }: FastifyRequest<{ Querystring: StreamQuery }>): string | null {
  const [header] = [headers['last-event-id'] ?? []].flat()
  return header ?? query.last_event_id ?? null
}

function refuseTooMany(taken: readonly Place[], { who, shared, kind }: Omit<Place, 'stream'>): void {
  const own = taken.filter((each) => each.who === who).length
  if (own >= MOST_STREAMS) throw tooMany(`There are ${MOST_STREAMS} streams open already.`, kind)
  const all = taken.filter((each) => each.shared === shared).length
  if (all >= MOST_OF_BUSINESS)
    throw tooMany(`There are ${MOST_OF_BUSINESS} streams of this business open already.`, 'business')
}

function tooMany(what: string, limit: CountedAs['kind'] | 'business'): AppError {
  return new AppError('rate_limited', `${what} Close one of them first.`, {
    retryAfterSeconds: 5,
    details: { limit },
  })
}
