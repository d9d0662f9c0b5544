// What a business says of itself.
import { assert } from '../../core/assert.ts'
import { type PartnerSettings, changeSettings as writeSettings } from '../../storage/partner-settings.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

export type { PartnerSettings }

export async function changeSettings(
  deps: Pick<Deps, 'db'>,
  partnerId: string,
  changes: Partial<PartnerSettings>,
): Promise<Partner> {
  const partner = await deps.db.inTransaction((tx) => writeSettings(tx, partnerId, changes))
  assert(partner !== null, 'a caller’s partner exists')
  return partner
}
