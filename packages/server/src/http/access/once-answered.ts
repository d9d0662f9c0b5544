// What is done once per request when it is over: its answer is written, or is known and nobody is there to read it any
// more. Fastify's own onResponse comes only for answers that were written whole, so whoever hangs up would leave no trace.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its end is waited for. */
    isAwaited: boolean
  }
}

type Act = (request: FastifyRequest, reply: FastifyReply) => void

const actsOf = new WeakMap<FastifyInstance, Act[]>()

export function onceAnswered(app: FastifyInstance, act: Act): void {
  const acts = actsOf.get(app)
  if (acts === undefined) actsOf.set(app, begin(app, act))
  else acts.push(act)
}

function begin(app: FastifyInstance, first: Act): Act[] {
  const acts = [first]
  app.decorateRequest('isAwaited', false)
  const act = (request: FastifyRequest, reply: FastifyReply) => {
    for (const each of acts) {
      try {
        each(request, reply)
      } catch (error) {
        // Nobody else would catch it here, and the others are still to be done.
        app.log.error({ requestId: request.id, err: error }, 'what follows an answer failed')
      }
    }
  }
  // The answer is known from here on. An answer that fails on its way is sent again as an error.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.isAwaited) {
      request.isAwaited = true
      onceOver(reply, () => act(request, reply))
    }
    done(null, payload)
  })
  return acts
}

function onceOver(reply: FastifyReply, act: () => void): void {
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    act()
  }
  if (reply.raw.destroyed) end()
  // Not `once`: the answer is gone after it, and taking a listener off it costs more than leaving it there.
  else reply.raw.on('finish', end).on('close', end)
}
