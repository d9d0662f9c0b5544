import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import {
  type Partner,
  findPartnerById,
  findPartnerBySlug,
  listPartners as readPartners,
} from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

/** By id or by short name. The id comes first: a business that took another's id for its name is not found by it. */
export async function findPartner(deps: Pick<Deps, 'db'>, nameOrId: string): Promise<Partner> {
  const partner =
    (isUuid(nameOrId) ? await findPartnerById(deps.db, nameOrId) : null) ?? (await findPartnerBySlug(deps.db, nameOrId))
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
