// Replaces a key. The old one goes on working for a while, and is refused from its first request after that: no job is
// needed.
import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { countActiveKeys, findKey, replaceKey } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'
import { refuseLimitedMember } from '../spending/limited-member.ts'
import { type CreatedKey, MOST_ACTIVE_KEYS, addKey, keyLimitReached, requireVerified } from './create-key.ts'
import { mayMakeKey } from './key-allowance.ts'
import { scopesOf } from './key-rules.ts'
import { noteKey } from './note-key.ts'
import { type KeyNotice, type NoticeDeps, tellAdmins } from './key-notice.ts'

export async function rotateKey(
  deps: Pick<Deps, 'db' | 'clock'> & NoticeDeps,
  wanted: {
    partner: Pick<Partner, 'id' | 'name' | 'verificationStatus'>
    keyId: string
    graceSeconds: number
    notice: KeyNotice
  },
): Promise<CreatedKey> {
  const { partner, keyId, graceSeconds, notice } = wanted
  if (!isUuid(keyId)) throw notFound()
  const created = await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, partner.id)
    const at = deps.clock.now()
    const old = await findKey(tx, partner.id, keyId, at)
    if (old === null) throw notFound()
    if (old.revokedAt !== null || old.replacedBy !== null) {
      throw new AppError('invalid_request', 'This key has been revoked or replaced already. Rotate the newest one.')
    }
    const { environment, label, scopes, allowedIps, spenderId } = old
    requireVerified(partner, environment)
    if (scopesOf(environment, scopes).includes('pay')) {
      await refuseLimitedMember(tx, { partnerId: partner.id, environment, memberId: notice.memberId }, at)
    }
    const active = await countActiveKeys(tx, partner.id, environment, at)
    if (graceSeconds > 0 && active >= MOST_ACTIVE_KEYS) throw keyLimitReached(environment)
    await mayMakeKey(tx, deps, partner.id)
    // It has the limits of the old one, and what was paid under them: a new key is no way around them.
    const rules = { scopes, allowedIps, expiresAt: old.expiresAt }
    const key = addKey(tx, partner.id, { environment, label, at, createdBy: notice.by, rules, spenderId })
    const expiresAt = graceSeconds === 0 ? null : earlier(after(at, graceSeconds * 1_000), old.expiresAt)
    replaceKey(tx, { partnerId: partner.id, id: keyId, replacedBy: key.id, expiresAt, at })
    const replaced = { ...old, replacedBy: key.id, expiresAt, revokedAt: expiresAt === null ? at : null }
    await tellAdmins(tx, deps, { event: 'rotated', partner, key: old, notice, worksUntil: expiresAt ?? at })
    await noteKey(tx, partner.id, { type: 'api_key.created', key, at })
    await noteKey(tx, partner.id, { type: 'api_key.rotated', key: replaced, at })
    return key
  })
  deps.post.wake()
  return created
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one
}
