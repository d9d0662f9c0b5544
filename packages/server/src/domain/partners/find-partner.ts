import { notFound } from '../../core/errors.ts'
import { type Partner, findPartnerBySlug, listPartners as readPartners } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

export async function findPartner(deps: Pick<Deps, 'db'>, slug: string): Promise<Partner> {
  const partner = await findPartnerBySlug(deps.db, slug)
  if (partner === null) throw notFound()
  return partner
}

const SLUG = /^[a-z0-9-]{2,40}$/

/** What anybody may know. Closed, unknown and impossible slugs look the same from outside. */
export async function findPublicPartner(deps: Pick<Deps, 'db'>, slug: string): Promise<Partner> {
  const partner = SLUG.test(slug) ? await findPartnerBySlug(deps.db.lookup, slug) : null
  if (partner === null || partner.status === 'closed') throw notFound()
  return partner
}

export function listPartners(deps: Pick<Deps, 'db'>): Promise<Partner[]> {
  return readPartners(deps.db)
}
