import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type ApiKeyRow, findKey, findPartnerOfKey, revokeKey as writeRevocation } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { noteKey } from './note-key.ts'
import { type KeyNotice, type NoticeDeps, tellAdmins } from './key-notice.ts'

/** Switches a key off: the next request with it, in any process, is refused, and no payout is made that was on its way. Returns the partner's id. */
export async function revokeKey(deps: Pick<Deps, 'db' | 'clock'>, keyId: string): Promise<string> {
  const partnerId = isUuid(keyId) ? await findPartnerOfKey(deps.db, keyId) : null
  if (partnerId === null) throw notFound()
  await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, partnerId)
    const at = deps.clock.now()
    const key = await findKey(tx, partnerId, keyId, at)
    if (key !== null && key.revokedAt === null) await revoke(tx, partnerId, { key, at })
  })
  return partnerId
}

/** The same from the dashboard, where another partner's key does not exist. Revoking twice is the same as once. Returns the key. */
export async function revokeOwnKey(
  deps: Pick<Deps, 'db' | 'clock'> & NoticeDeps,
  wanted: { partner: Pick<Partner, 'id' | 'name'>; keyId: string; notice: KeyNotice },
): Promise<ApiKeyRow> {
  const { partner, keyId, notice } = wanted
  if (!isUuid(keyId)) throw notFound()
  const revoked = await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, partner.id)
    const at = deps.clock.now()
    const key = await findKey(tx, partner.id, keyId, at)
    if (key === null) throw notFound()
    if (key.revokedAt !== null) return key
    await tellAdmins(tx, deps, { event: 'revoked', partner, key, notice })
    await revoke(tx, partner.id, { key, at })
    return key
  })
  deps.post.wake()
  return revoked
}

/** Takes the wallet's lock, which comes last. */
async function revoke(tx: Tx, partnerId: string, { key, at }: { key: ApiKeyRow; at: Date }): Promise<void> {
  await writeRevocation(tx, { partnerId, id: key.id, at })
  await noteKey(tx, partnerId, { type: 'api_key.revoked', key: { ...key, revokedAt: at }, at })
}
