// Decides whether a known caller's request may be worked on now: how often it calls, what its route allows, and how much
// of its business is under way already. A request that is refused for how much there is takes nothing from any limit.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type CallerLimits, type Standing, refusalOf } from '../limits/caller-limits.ts'
import { Places, mostAtOnce } from '../limits/places.ts'
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts'
import { Shares } from '../limits/shares.ts'
import { type Caller, countedAs } from './caller.ts'
import { requireAccess } from './route-access.ts'
import { routeOf } from './route-of.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For costs that only the body shows: counts an admitted request as so many more, or refuses it. */
    chargeMore: (request: FastifyRequest, reply: FastifyReply, cost: number) => void
  }
  interface FastifyRequest {
    /** Gives back the business's place for work under way. */
    leavePlace: (() => void) | null
    /** Gives back the business's share of costly work. */
    workIsOver: (() => void) | null
  }
}

type Admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => void

export function addAdmission(app: FastifyInstance, limits: CallerLimits | null): Admit {
  app.decorateRequest('leavePlace', null)
  app.decorateRequest('workIsOver', null)
  app.decorate('chargeMore', (request: FastifyRequest, reply: FastifyReply, cost: number) => {
    if (limits !== null) tell(reply, limits.takeMore(countedAs(request.caller!), cost))
  })
  if (limits === null) return (request, _reply, caller) => requireAccess(request, caller)
  addPlaces(app, limits)
  const shares = new Shares()
  // There is an answer, the start of a stream, or a refusal, whether or not anybody is there to read it.
  app.addHook('onSend', async (request) => {
    request.leavePlace?.()
    request.workIsOver?.()
  })
  return (request, reply, caller) => {
    const { share, cost } = routeOf(request).config
    tell(reply, limits.take(countedAs(caller), cost))
    requireAccess(request, caller)
    if (share === undefined) return
    try {
      request.workIsOver = shares.take(share, caller.id, reply.raw)
    } catch (error) {
      tell(reply, limits.giveBack(countedAs(caller), cost))
      throw error
    }
  }
}

/** Once the body has arrived: a slow sender holds no place. Work of which there are shares is limited by them. */
function addPlaces(app: FastifyInstance, limits: CallerLimits): void {
  const places = new Places()
  app.addHook('preHandler', async (request, reply) => {
    const { caller } = request
    const { line = 'plain', share, cost } = routeOf(request).config
    if (caller === null || share !== undefined) return
    const counted = countedAs(caller)
    try {
      const most = mostAtOnce(line, { environment: caller.environment, isMember: caller.session !== null })
      request.leavePlace = await places.take({ name: `${counted.shared}/${line}`, most }, reply.raw)
    } catch (error) {
      tell(reply, limits.giveBack(counted, cost))
      throw error
    }
  })
}

function tell(reply: FastifyReply, standing: Standing): void {
  reply.headers(rateLimitHeaders(standing))
  if (!standing.isAllowed) throw refusalOf(standing)
}
