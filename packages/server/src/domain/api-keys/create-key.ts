// At most five active keys per environment, however many requests ask at once.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type ApiKeyRow, countActiveKeys, insertKey } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { type KeyNotice, type NoticeDeps, tellAdmins } from './key-notice.ts'
import { mayMakeKey } from './key-allowance.ts'
import { newKey } from './key-format.ts'
import { noteKey } from './note-key.ts'

export const MOST_ACTIVE_KEYS = 5
const LONGEST_LABEL = 60

export type CreatedKey = ApiKeyRow & { readonly secret: string }

export async function createKey(
  deps: Pick<Deps, 'db' | 'clock'> & NoticeDeps,
  wanted: {
    partner: Pick<Partner, 'id' | 'name' | 'verificationStatus'>
    environment: Environment
    label: string | null
    /** The member who made it in the dashboard, so that the admins are told. The operator tells them in person. */
    notice?: KeyNotice
  },
): Promise<CreatedKey> {
  const { partner, environment, label, notice } = wanted
  if (label !== null && [...label].length > LONGEST_LABEL) {
    throw new AppError('invalid_request', `A label has at most ${LONGEST_LABEL} characters.`, {
      details: { fields: [`label (at most ${LONGEST_LABEL} characters)`] },
    })
  }
  requireVerified(partner, environment)
  const key = await deps.db.inTransaction(async (tx) => {
    const createdBy = notice?.by ?? null
    const created = await createKeyIn(tx, partner.id, { environment, label, at: deps.clock.now(), createdBy })
    if (notice === undefined) return created
    await mayMakeKey(tx, deps, partner.id)
    await tellAdmins(tx, deps, { event: 'created', partner, key: created, notice })
    return created
  })
  deps.post.wake()
  return key
}

export function requireVerified(partner: Pick<Partner, 'verificationStatus'>, environment: Environment): void {
  if (environment === 'sandbox' || partner.verificationStatus === 'approved') return
  throw new AppError(
    'api_key_required',
    `A live key is available once business verification is approved; it is ${partner.verificationStatus} now.`,
  )
}

export async function createKeyIn(
  tx: Tx,
  partnerId: string,
  wanted: { environment: Environment; label: string | null; at: Date; createdBy?: string | null },
): Promise<CreatedKey> {
  const { environment, at } = wanted
  await lockPartner(tx, partnerId)
  if ((await countActiveKeys(tx, partnerId, environment, at)) >= MOST_ACTIVE_KEYS) throw keyLimitReached(environment)
  return addKey(tx, partnerId, wanted)
}

export function keyLimitReached(environment: Environment): AppError {
  return new AppError(
    'key_limit_reached',
    `There are ${MOST_ACTIVE_KEYS} active ${environment} keys already, which is the limit. Revoke one first.`,
  )
}

/** Does not count: for callers that have counted under the lock, or that replace a key. */
export function addKey(
  tx: Tx,
  partnerId: string,
  wanted: { environment: Environment; label: string | null; at: Date; createdBy?: string | null },
): CreatedKey {
  const { environment, label, at, createdBy = null } = wanted
  const { secret, keyHash, keyPrefix } = newKey(environment)
  const id = newId(at)
  insertKey(tx, { partnerId, id, environment, keyHash, keyPrefix, label, createdAt: at, createdBy })
  const fresh = { lastUsedAt: null, lastUsedIp: null, revokedAt: null, expiresAt: null, replacedBy: null }
  const key = { id, environment, keyPrefix, label, createdAt: at, createdBy, ...fresh }
  noteKey(tx, partnerId, { type: 'api_key.created', key, at })
  return { ...key, secret }
}
