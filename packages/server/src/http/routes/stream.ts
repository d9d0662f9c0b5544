// Changes as they happen: server-sent events for open pages.
import { AppError } from '../../core/errors.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { countedAs } from '../access/caller.ts'
import { isStillAllowed } from '../access/still-allowed.ts'
import type { CountedAs } from '../limits/caller-limits.ts'
import type { RouteContext } from './route-context.ts'

const MOST_STREAMS = 5
/** For all members of a business together: a large team with several tabs each. Keys have 25 at most. */
const MOST_OF_BUSINESS = 100

interface OpenStream extends CountedAs {
  readonly stream: EventStream
  /** The key or the session. */
  readonly who: string
}

export function addStreamRoute({ app, deps, publicUrl }: RouteContext): void {
  const open = new Set<OpenStream>()
  // Closed at once: a stream has no end of its own that a stopping service could wait for.
  app.addHook('preClose', async () => {
    for (const { stream } of open) stream.end()
  })
  app.get('/v1/stream', {
    config: { auth: 'key', action: 'stream.open', isEndless: true },
    schema: operationSchema(
      {
        id: 'streamChanges',
        tag: 'Payouts',
        summary: 'Stream changes',
        description:
          'Server-sent events: `payout` with `id`, `status` and `updated_at` when a payout was created or changed, `balance` with `usdc` when the wallet did, and a comment every 20 seconds. They are hints within about a second: read what they are about. Five streams per key or session, and 100 for all members of a business; one ends when the key or session does.',
        query: EnvironmentQuery,
        ok: { 200: { text: 'text/event-stream', description: 'Events, for as long as the caller listens.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl ${base}/v1/stream --no-buffer \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const counted = { ...countedAs(caller), who: caller.session?.id ?? caller.keyId ?? caller.id }
      refuseTooMany([...open], counted)
      const stream = openEventStream({
        isStillAllowed: () => isStillAllowed(deps, request, publicUrl),
        onEnd: () => {
          unsubscribe()
          open.delete(entry)
        },
      })
      const unsubscribe = deps.changes.subscribe(scopeOf(request), (change) => stream.tell(change))
      const entry = { ...counted, stream }
      open.add(entry)
      reply.headers({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
      return reply.send(stream.body)
    },
  })
}

function refuseTooMany(open: readonly OpenStream[], { who, shared, kind }: Omit<OpenStream, 'stream'>): void {
  const own = open.filter((each) => each.who === who).length
  if (own >= MOST_STREAMS) throw tooMany(`There are ${MOST_STREAMS} streams open already.`, kind)
  const all = open.filter((each) => each.shared === shared).length
  if (all >= MOST_OF_BUSINESS)
    throw tooMany(`There are ${MOST_OF_BUSINESS} streams of this business open already.`, 'business')
}

function tooMany(what: string, limit: CountedAs['kind'] | 'business'): AppError {
  return new AppError('rate_limited', `${what} Close one of them first.`, {
    retryAfterSeconds: 5,
    details: { limit },
  })
}
