import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { findPartnerOfKey, revokeKey as writeRevocation } from '../../storage/api-keys.ts'
import type { Deps } from '../deps.ts'

/** Switches a key off: the next request with it, in any process, is refused. Says whose it was. */
export async function revokeKey(deps: Pick<Deps, 'db' | 'clock'>, keyId: string): Promise<string> {
  const partnerId = isUuid(keyId) ? await findPartnerOfKey(deps.db, keyId) : null
  if (partnerId === null) throw notFound()
  await deps.db.inTransaction((tx) => writeRevocation(tx, { partnerId, id: keyId, at: deps.clock.now() }))
  return partnerId
}
