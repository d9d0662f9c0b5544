// What the operator decides about a partner. Each takes effect at the partner's next request.
import { type Partner, approvePartner, findPartnerBySlug, setPartnerStatus } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'
import { chargeVerification } from '../fees/charge-verification.ts'
import { findPartner } from './find-partner.ts'

export async function changePartnerStatus(
  deps: Pick<Deps, 'db'>,
  slug: string,
  status: 'active' | 'suspended',
): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  await deps.db.inTransaction(async (tx) => setPartnerStatus(tx, partner.id, status))
  return { ...partner, status }
}

/** Business verification is approved: live keys become available. */
export async function verifyPartner(deps: Pick<Deps, 'db' | 'clock'>, slug: string): Promise<Partner> {
  const partner = await findPartner(deps, slug)
  await deps.db.inTransaction(async (tx) => {
    approvePartner(tx, partner.id, deps.clock.now())
    await chargeVerification(tx, partner.id)
  })
  return (await findPartnerBySlug(deps.db, slug))!
}
