// What a key may be used for, from where and until when, and what it may pay: as it is asked for, kept and compared.
import { type Environment, KEY_SCOPES, type KeyScope } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { covers, parseNetwork } from '../../core/networks.ts'
import type { SpendingLimits } from '../../storage/spending-limits.ts'
import { isMore, raisesLimits } from '../spending/spender-limits.ts'

export interface KeyRules extends SpendingLimits {
  readonly scopes: readonly KeyScope[]
  /** Null: from anywhere. */
  readonly allowedIps: readonly string[] | null
  readonly expiresAt: Date | null
}

/** A live key manages where events go only if that was asked for: it would let a thief of the key read along. */
const GIVEN: Readonly<Record<Environment, readonly KeyScope[]>> = {
  sandbox: KEY_SCOPES,
  live: KEY_SCOPES.filter((scope) => scope !== 'webhooks'),
}

/** Keys from before there were scopes, and those that were made without, have what their environment gives. */
export function scopesOf(environment: Environment, stored: readonly string[] | null): readonly KeyScope[] {
  return stored === null ? GIVEN[environment] : KEY_SCOPES.filter((scope) => stored.includes(scope))
}

/** Whether the key may do anything afterwards that it may not do before. */
export function widens(before: KeyRules, after: KeyRules): boolean {
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    raisesLimits(before, after) ||
    isMore(before.expiresAt?.getTime() ?? null, after.expiresAt?.getTime() ?? null) ||
    opensNetworks(before.allowedIps, after.allowedIps)
  )
}

function opensNetworks(before: readonly string[] | null, after: readonly string[] | null): boolean {
  if (before === null) return false
  return after === null || after.some((network) => !covers(before, network))
}

export function requireNetworks(given: readonly string[]): string[] {
  return given.map((text, index) => {
    const network = parseNetwork(text.trim())
    if (network !== null) return network
    throw new AppError(
      'invalid_request',
      `allowed_ips[${index}] is no address and no network such as 203.0.113.0/24.`,
      {
        details: { fields: [`allowed_ips[${index}] (an address, or a network such as 203.0.113.0/24)`] },
      },
    )
  })
}

export function requireLater(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return
  throw new AppError('invalid_request', 'expires_at has passed already. To stop a key now, revoke it.', {
    details: { fields: ['expires_at (a moment in the future)'] },
  })
}
