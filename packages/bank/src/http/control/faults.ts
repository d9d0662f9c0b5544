import { Type } from 'typebox'

import { invalidParameters } from '../../core/bank-error.ts'
import {
  EVERY_ROUTE,
  type Fault,
  type FaultBoard,
  ROUTE_FAULTS,
  type RouteFault,
  WEBHOOK_FAULTS,
  type WebhookFault,
  routePattern,
} from '../../faults/fault-board.ts'
import { type RouteContext, listOf } from '../route-context.ts'

const MOST_TIMES = 1_000_000_000

const NewFault = Type.Object({
  mode: Type.Enum([...ROUTE_FAULTS, ...WEBHOOK_FAULTS]),
  route: Type.Optional(Type.String({ minLength: 1 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES })),
  ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  retry_after: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ maxLength: 100 }), Type.Null()])),
})

interface FaultBody {
  readonly mode: RouteFault | WebhookFault
  readonly route?: string
  readonly times?: number
  readonly ms?: number
  readonly code?: string
  readonly key?: string
  readonly retry_after?: number | string | null
}

export function addFaultControls(
  { app }: RouteContext,
  { faults, routes }: { faults: FaultBoard; routes: ReadonlySet<string> },
): void {
  app.post<{ Body: FaultBody }>('/faults', { schema: { body: NewFault } }, async ({ body }, reply) => {
    const route = routeFor(body)
    // A misspelled route would make a test pass for the wrong reason.
    if (route !== EVERY_ROUTE && !routes.has(route)) {
      throw invalidParameters('body', ['route'], 'The bank has no such route. Write it like GET /v0/transfers/{id}.')
    }
    faults.post({ route, ...faultFrom(body) }, body.times ?? 1)
    return reply.code(201).send(presented(faults))
  })

  app.get('/faults', async () => presented(faults))

  app.delete('/faults', async () => {
    faults.clear()
    return presented(faults)
  })
}

function faultFrom({ mode, ms, code, key, retry_after: retryAfter }: FaultBody): Omit<Fault, 'route'> {
  return {
    mode,
    ms: ms ?? null,
    code: code ?? null,
    key: key ?? null,
    retryAfter: retryAfter === undefined ? 1 : retryAfter,
  }
}

/** A bank that is down is down on every route; webhooks have none. */
function routeFor({ mode, route }: FaultBody): string {
  const isEverywhere = mode === 'down' || (WEBHOOK_FAULTS as readonly string[]).includes(mode)
  return isEverywhere || route === undefined ? EVERY_ROUTE : routePattern(route)
}

function presented(faults: FaultBoard): object {
  return listOf(
    faults
      .list()
      .map(({ timesLeft, retryAfter, ...fault }) => ({ ...fault, retry_after: retryAfter, times_left: timesLeft })),
  )
}
