// Whether a caller is really on this machine. What only they may see does not exist for anybody else.
import type { FastifyRequest } from 'fastify'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
export function isLoopback(address: string | undefined): boolean {
  return LOOPBACK.has(address ?? '')
}

const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** No other machine, no proxy on this one that says so, and no page whose name was made to point here. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const isHere = isLoopback(request.socket.remoteAddress) && OWN_HOST.test(request.headers.host ?? '')
  return isHere && FORWARDED.every((name) => request.headers[name] === undefined)
}
