// Whether a key may be used for a route, and from where the request comes.
import type { KeyScope } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { isWithin } from '../../core/networks.ts'
import type { NetworkGate } from '../limits/network-gate.ts'
import type { Caller } from './caller.ts'
import { routeOf } from './route-of.ts'

interface Route {
  readonly method: string
  readonly url: string
  readonly scope?: KeyScope | undefined
}

const BY_ADDRESS: readonly (readonly [start: string, scope: KeyScope])[] = [
  ['/v1/sandbox/', 'sandbox'],
  ['/v1/webhook-endpoints', 'webhooks'],
  ['/v1/deliveries', 'webhooks'],
]

/** What says nothing else and is no read needs the scope that moves money: a route that was forgotten opens nothing. */
export function scopeNeeded({ method, url, scope }: Route): KeyScope {
  const byAddress = BY_ADDRESS.find(([start]) => url.startsWith(start))?.[1]
  return scope ?? byAddress ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'pay')
}

/**
 * Asked before the key's own limits are counted: somebody elsewhere who has the key must not use up what its owner may ask for.
 * Such a request counts for its own network instead, like one without a key.
 */
export function refuseOtherNetworks(
  request: FastifyRequest,
  { keyRules }: Pick<Caller, 'keyRules'>,
  gate: Pick<NetworkGate, 'admitStranger'> | null,
): void {
  const allowed = keyRules?.allowedIps ?? null
  if (allowed === null || isWithin(request.ip, allowed)) return
  gate?.admitStranger(request, 1)
  throw new AppError(
    'address_not_allowed',
    `This API key may not be used from ${request.ip}. Nothing was done. An admin can change its networks in the dashboard.`,
    { details: { address: request.ip } },
  )
}

export function requireScope(
  request: FastifyRequest,
  { keyRules }: Pick<Caller, 'keyRules'>,
  { scope }: { readonly scope?: KeyScope },
): void {
  if (keyRules === null) return
  const { scopes } = keyRules
  const needed = scopeNeeded({ method: request.method, url: routeOf(request).url ?? '', scope })
  if (scopes.includes(needed)) return
  throw new AppError(
    'scope_missing',
    `This API key is for ${scopes.join(', ')}, and this needs ${needed}. Nothing was done. An admin can change its scopes in the dashboard.`,
    { details: { needed } },
  )
}
