// Some proxies name the port with the address that they forward for. Every connection would be a network of its own.
import type { FastifyRequest } from 'fastify'

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([0-9a-f:.%]+)\])(?::\d{1,5})?$/i

/** Before anybody asks where a request comes from. */
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
