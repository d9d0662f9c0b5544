// Finds the caller. The key is looked up by its hash after each request has arrived, so a revoked key stops working at once
// everywhere; requests that arrive together share the look-up, also those of different keys.
import { timingSafeEqual } from 'node:crypto'

import { AppError } from '../../core/errors.ts'
import { ReadsTogether } from '../../core/reads-together.ts'
import { type KeyHolder, findEndOfKey, findKeyHolder, findKeyHolders } from '../../storage/api-keys.ts'
import { SHARED_LOOKUP_PATIENCE_MS } from '../../storage/silence.ts'
import type { Deps } from '../deps.ts'
import { isKeyShaped, keyHash } from './key-format.ts'

const BEARER = /^Bearer +(\S+) *$/i

export type FindHolder = (hash: Buffer) => Promise<KeyHolder | null>

/** Keys per look-up. */
const MOST_TOGETHER = 64

export function sharedHolders(deps: Pick<Deps, 'db' | 'clock'>): FindHolder {
  const reads = new ReadsTogether<KeyHolder>(
    async (names) => {
      const hashes = names.map((name) => Buffer.from(name, 'latin1'))
      const holders = await findKeyHolders(deps.db.lookup, hashes, deps.clock.now())
      return new Map(holders.map((holder) => [holder.keyHash.toString('latin1'), holder]))
    },
    { most: MOST_TOGETHER, patienceMs: SHARED_LOOKUP_PATIENCE_MS },
  )
  return (hash) => reads.read(hash.toString('latin1'))
}

export async function authenticateKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  authorization: string | undefined,
  findHolder: FindHolder = (hash) => findKeyHolder(deps.db.lookup, hash, deps.clock.now()),
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
  const holder = await findHolder(hash)
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
