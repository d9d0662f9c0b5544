// Tells of requests that were forwarded by something that is not trusted to say for whom.
import { isIP } from 'node:net'

import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface Forwarded {
  /** The address that counts as the caller's, because nobody before it is trusted. */
  readonly by: string
  /** The address that it says it forwards for. */
  readonly on: string
}

export function addProxyWatch(app: FastifyInstance, onForwarded: (forwarded: Forwarded) => void): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const forwarded = unbelieved(request)
    if (forwarded !== null) onForwarded(forwarded)
    done()
  })
}

function unbelieved(request: FastifyRequest): Forwarded | null {
  const header = request.headers['x-forwarded-for']
  if (header === undefined) return null
  const named = String(header).split(',')
  // Trusted proxies are believed from the end of the list on; the next in it is what nobody trusted has said.
  const believed = (request.ips?.length ?? 1) - 1
  const on = named.at(-1 - believed)?.trim() ?? ''
  return isIP(on) === 0 ? null : { by: request.ip, on }
}
