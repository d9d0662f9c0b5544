// Creates a business to try things with, on an empty database.
import type { CreatedKey } from '../domain/api-keys/create-key.ts'
import type { Deps } from '../domain/deps.ts'
import { createPartner } from '../domain/partners/create-partner.ts'
import { findPartnerBySlug, hasPartners } from '../storage/partners.ts'

export const DEMO = { name: 'Thistle Market', slug: 'thistle-market', adminEmail: 'demo@thistle.test' } as const

/** The demo business's first key, or null when there are partners already. */
export async function createDemoBusiness(deps: Deps): Promise<CreatedKey | null> {
  if (await hasPartners(deps.db)) return null
  return (await createPartner(deps, DEMO)).sandboxKey
}

/** Whether its admin can sign in: a later start still says how, unless the demo business was never made here. */
export async function hasDemoBusiness(deps: Deps): Promise<boolean> {
  return (await findPartnerBySlug(deps.db, DEMO.slug)) !== null
}
