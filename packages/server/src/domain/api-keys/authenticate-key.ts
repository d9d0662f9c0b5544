// Finds the caller. The key is looked up by its hash after each request has arrived, so a revoked key stops working at once
// everywhere; requests that arrive together share the look-up, also those of different keys.
import { timingSafeEqual } from 'node:crypto'

import { monotonicMs } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { KeptVersions } from '../../core/kept-versions.ts'
import { ReadsTogether } from '../../core/reads-together.ts'
import {
  type KeyHolder,
  findEndOfKey,
  findHolderVersions,
  findKeyHolder,
  findKeyHolders,
} from '../../storage/api-keys.ts'
import { SHARED_LOOKUP_PATIENCE_MS } from '../../storage/silence.ts'
import type { Deps } from '../deps.ts'
import { isKeyShaped, keyHash } from './key-format.ts'

const BEARER = /^Bearer +(\S+) *$/i

export type FindHolder = (hash: Buffer) => Promise<KeyHolder | null>

export interface Holders {
  readonly find: FindHolder
  /** As it was found last, within the last minute: for what proves it itself (assumed-holder.ts). */
  readonly latest: (hash: Buffer) => KeyHolder | null
}

/** Keys per look-up. */
const MOST_TOGETHER = 64

/** Some four thousand holders. */
const KEPT = { bytes: 8 * 1_048_576, ms: 60_000 } as const
const BYTES_OF_HOLDER = 2_048

/**
 * Each look-up asks the database whether a key works, and for the version of its holder. All that is said of the holder is only read
 * when that is another than the one that is kept.
 */
export function sharedHolders(deps: Pick<Deps, 'db' | 'clock'>): Holders {
  const kept = new KeptVersions<KeyHolder>(KEPT, monotonicMs)

  async function readAll(names: readonly string[]): Promise<ReadonlyMap<string, KeyHolder>> {
    const { lookup } = deps.db
    const now = deps.clock.now()
    const known = names.filter((name) => kept.has(name))
    const unknown = names.filter((name) => !kept.has(name))
    const [versions, found] = await Promise.all([
      findHolderVersions(lookup, known.map(hashOf), now),
      findKeyHolders(lookup, unknown.map(hashOf), now),
    ])
    const same = versions.map(({ keyHash: hash, version }) => ({ hash, holder: kept.get(nameOf(hash), version) }))
    const working = new Set(versions.map(({ keyHash: hash }) => nameOf(hash)))
    for (const name of known) if (!working.has(name)) kept.forget(name)
    const changed = same.flatMap(({ hash, holder }) => (holder === undefined ? [hash] : []))
    const read = [...found, ...(await findKeyHolders(lookup, changed, now))]
    for (const holder of read) {
      const { keyHash: hash, version } = holder
      kept.keep(nameOf(hash), { version, value: holder, bytes: BYTES_OF_HOLDER })
    }
    return new Map([...read, ...same.flatMap(({ holder }) => holder ?? [])].map((each) => [nameOf(each.keyHash), each]))
  }

  const reads = new ReadsTogether<KeyHolder>(readAll, { most: MOST_TOGETHER, patienceMs: SHARED_LOOKUP_PATIENCE_MS })
  return { find: (hash) => reads.read(nameOf(hash)), latest: (hash) => kept.latest(nameOf(hash)) ?? null }
}

const nameOf = (hash: Buffer): string => hash.toString('latin1')
const hashOf = (name: string): Buffer => Buffer.from(name, 'latin1')

interface LookUp {
  readonly findHolder?: FindHolder
  /** Of the key in the header, where it is known already. */
  readonly hash?: Buffer | null
}

export async function authenticateKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  authorization: string | undefined,
  lookUp: LookUp = {},
): Promise<KeyHolder> {
  const { findHolder = (wanted) => findKeyHolder(deps.db.lookup, wanted, deps.clock.now()) } = lookUp
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined) {
    throw unauthorized('Send your API key in the header Authorization: Bearer kp_sandbox_… or kp_live_….')
  }
  if (!isKeyShaped(secret)) {
    throw unauthorized(
      'The header Authorization holds no API key. A key is kp_sandbox_ or kp_live_ and 48 hexadecimal digits.',
    )
  }
  const hash = lookUp.hash ?? keyHash(secret)
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
