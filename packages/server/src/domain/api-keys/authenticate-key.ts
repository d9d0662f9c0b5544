// Finds the caller. The key is looked up by its hash at every request, so a revoked key stops working at once
// everywhere.
import { timingSafeEqual } from 'node:crypto'

import { AppError } from '../../core/errors.ts'
import { type KeyHolder, findEndOfKey, findKeyHolder } from '../../storage/api-keys.ts'
import type { Deps } from '../deps.ts'
import { isKeyShaped, keyHash } from './key-format.ts'

const BEARER = /^Bearer +(\S+) *$/i

export async function authenticateKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  authorization: string | undefined,
): Promise<KeyHolder> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined) {
    throw unauthorized('Send your API key in the header Authorization: Bearer kp_sandbox_… or kp_live_….')
  }
  if (!isKeyShaped(secret)) {
    throw unauthorized(
      'The header Authorization holds no API key. A key is kp_sandbox_ or kp_live_ and 48 hexadecimal digits.',
    )
  }
  const hash = keyHash(secret)
  const holder = await findKeyHolder(deps.db.lookup, hash, deps.clock.now())
  if (holder === null || !timingSafeEqual(holder.keyHash, hash)) {
    const endedAt = await findEndOfKey(deps.db.lookup, hash, deps.clock.now())
    if (endedAt !== null) {
      throw unauthorized(`This API key expired at ${endedAt.toISOString()}. Create another in the dashboard.`)
    }
    throw unauthorized('This API key is not known or has been revoked. Create another in the dashboard.')
  }
  return holder
}

/** The key in the header, if it has the shape of one. */
export function keySent(authorization: string): string | null {
  const secret = BEARER.exec(authorization)?.[1]
  return secret !== undefined && isKeyShaped(secret) ? secret : null
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message)
}

/** 403 unless the partner may use the service at all. */
export function requireActivePartner(holder: Pick<KeyHolder, 'status' | 'environment' | 'verificationStatus'>): void {
  if (holder.status === 'active' && (holder.environment === 'sandbox' || holder.verificationStatus === 'approved'))
    return
  if (holder.status === 'active') {
    throw new AppError(
      'partner_not_active',
      `Business verification is ${holder.verificationStatus}, so live is closed. Nothing was done. Sandbox works on.`,
    )
  }
  throw new AppError(
    'partner_not_active',
    `This partner account is ${holder.status}. Nothing was done. Write to support to have it looked at.`,
  )
}
