// Operations that take no body. Many programs declare JSON, or a form, with every request, also with one that has nothing in it.
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'

/** What nothing is declared as does not matter there. Call it before the routes are declared. */
export function takeNoBody(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { operationId, body, 'x-bytes': bytes } = (route.schema ?? {}) as Readonly<Record<string, unknown>>
    if (operationId === undefined || body !== undefined || bytes !== undefined || isRead(route.method)) return
    route.preParsing = [route.preParsing ?? [], dropType].flat()
  })
}

/** Nothing is parsed of these, whatever they declare. */
function isRead(method: string | string[]): boolean {
  return [method].flat().every((each) => each === 'GET' || each === 'HEAD')
}

const dropType: preParsingHookHandler = (request, _reply, payload, done) => {
  if (!hasBody(request.raw.headers)) delete request.raw.headers['content-type']
  done(null, payload)
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
