// At most five active keys per environment, however many requests ask at once.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type ApiKeyRow, countActiveKeys, insertKey } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { refuseLimitedMember } from '../spending/limited-member.ts'
import { limitSpender } from '../spending/spender-limits.ts'
import { type KeyNotice, type NoticeDeps, tellAdmins } from './key-notice.ts'
import { mayMakeKey } from './key-allowance.ts'
import { newKey } from './key-format.ts'
import { type KeyRules, requireLater, scopesOf } from './key-rules.ts'
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
    rules?: Partial<KeyRules>
    /** The member who made it in the dashboard, so that the admins are told. The operator tells them in person. */
    notice?: KeyNotice
  },
): Promise<CreatedKey> {
  const { partner, environment, label, rules = {}, notice } = wanted
  if (label !== null && [...label].length > LONGEST_LABEL) {
    throw new AppError('invalid_request', `A label has at most ${LONGEST_LABEL} characters.`, {
      details: { fields: [`label (at most ${LONGEST_LABEL} characters)`] },
    })
  }
  requireVerified(partner, environment)
  const key = await deps.db.inTransaction(async (tx) => {
    const createdBy = notice?.by ?? null
    const at = deps.clock.now()
    requireLater(rules.expiresAt ?? null, at)
    const created = await createKeyIn(tx, partner.id, { environment, label, at, createdBy, rules })
    if (notice !== undefined) {
      await mayMakeKey(tx, deps, partner.id)
      if (scopesOf(environment, created.scopes).includes('pay')) {
        await refuseLimitedMember(tx, { partnerId: partner.id, environment, memberId: notice.memberId }, at)
      }
      await tellAdmins(tx, deps, { event: 'created', partner, key: created, notice })
    }
    const { maxPerPayout = null, daily = null, monthly = null } = rules
    if (maxPerPayout !== null || daily !== null || monthly !== null) {
      const limits = { maxPerPayout, daily, monthly }
      await limitSpender(tx, { partnerId: partner.id, environment }, { spenderId: created.spenderId, limits, at })
    }
    await noteKey(tx, partner.id, { type: 'api_key.created', key: created, at })
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

interface NewKey {
  readonly environment: Environment
  readonly label: string | null
  readonly at: Date
  readonly createdBy?: string | null
  readonly rules?: Partial<Pick<ApiKeyRow, 'scopes' | 'allowedIps' | 'expiresAt'>>
  /** The first of the keys that it replaces; its own id for a new one. */
  readonly spenderId?: string
}

/** The caller notes the event last: `noteKey` takes the wallet's lock. */
export async function createKeyIn(tx: Tx, partnerId: string, wanted: NewKey): Promise<CreatedKey> {
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

/** Does not count: for callers that have counted under the lock, or that replace a key. The caller notes the event last. */
export function addKey(tx: Tx, partnerId: string, wanted: NewKey): CreatedKey {
  const { environment, label, at, createdBy = null, rules = {} } = wanted
  const { secret, keyHash, keyPrefix } = newKey(environment)
  const id = newId(at)
  const { scopes = null, allowedIps = null, expiresAt = null } = rules
  const kept = { scopes, allowedIps, expiresAt, spenderId: wanted.spenderId ?? id }
  insertKey(tx, { partnerId, id, environment, keyHash, keyPrefix, label, createdAt: at, createdBy, ...kept })
  const fresh = { lastUsedAt: null, lastUsedIp: null, revokedAt: null, replacedBy: null }
  return { id, environment, keyPrefix, label, createdAt: at, createdBy, ...fresh, ...kept, secret }
}
