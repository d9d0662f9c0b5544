// Some proxies forward the client's address with its port, which would make every connection a network of its own.
import type { FastifyRequest } from 'fastify'

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([0-9a-f:.%]+)\])(?::\d{1,5})?$/i

/** Call it before anything asks where a request comes from. */
export function dropForwardedPorts(request: FastifyRequest): void {
  const { headers } = request.raw
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined) return
  headers['x-forwarded-for'] = String(forwarded)
    .split(',')
    .map((part) => withoutPort(part.trim()))
    .join(', ')
}

function withoutPort(address: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(address) ?? []
  return ipv4 ?? ipv6 ?? address
}
