// Changes as they happen: server-sent events for open pages.
import { AppError } from '../../core/errors.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { isStillAllowed } from '../access/still-allowed.ts'
import type { RouteContext } from './route-context.ts'

const MOST_STREAMS = 5

export function addStreamRoute({ app, deps, publicUrl }: RouteContext): void {
  const openBy = new Map<string, Set<EventStream>>()
  // Closed at once: a stream has no end of its own that a stopping service could wait for.
  app.addHook('preClose', async () => {
    for (const stream of [...openBy.values()].flatMap((streams) => [...streams])) stream.end()
  })
  app.get('/v1/stream', {
    config: { auth: 'key', action: 'stream.open', isEndless: true },
    schema: operationSchema(
      {
        id: 'streamChanges',
        tag: 'Payouts',
        summary: 'Stream changes',
        description:
          'Server-sent events: `payout` with `id`, `status` and `updated_at` when a payout was created or changed, `balance` with `usdc` when the wallet did, and a comment every 20 seconds. They are hints within about a second: read what they are about. Five streams per key or session; one ends when the key or session does.',
        query: EnvironmentQuery,
        ok: { 200: { text: 'text/event-stream', description: 'Events, for as long as the caller listens.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl ${base}/v1/stream --no-buffer \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const who = caller.session?.id ?? caller.keyId ?? caller.id
      const own = openBy.get(who) ?? new Set()
      if (own.size >= MOST_STREAMS) {
        throw new AppError('rate_limited', `There are ${MOST_STREAMS} streams open already. Close one of them first.`, {
          retryAfterSeconds: 5,
        })
      }
      const stream = openEventStream({
        isStillAllowed: () => isStillAllowed(deps, request, publicUrl),
        onEnd: () => {
          unsubscribe()
          own.delete(stream)
          if (own.size === 0) openBy.delete(who)
        },
      })
      const unsubscribe = deps.changes.subscribe(scopeOf(request), (change) => stream.tell(change))
      openBy.set(who, own.add(stream))
      reply.headers({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
      return reply.send(stream.body)
    },
  })
}
