// A business's logo. An uploaded picture is drawn anew, and only the new one is stored and shown: a picture can be made
// to harm whatever reads it, a document or a browser.
import { createHash } from 'node:crypto'

import { assert } from '../../core/assert.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { PictureProblem } from '../../documents/pictures/picture-problem.ts'
import {
  type Logo,
  type LogoAsSent,
  findLogo,
  listLogosAsSent,
  replaceLogoAsSent,
  setLogo as writeLogo,
} from '../../storage/logos.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

export type { Logo }

type LogoDeps = Pick<Deps, 'db' | 'studio'>

export async function setLogo(
  deps: LogoDeps,
  partnerId: string,
  given: { image: Buffer; type: Logo['type'] },
): Promise<Partner> {
  const logo = await remake(deps, partnerId, given).catch(asRefusal)
  return present(await deps.db.inTransaction((tx) => writeLogo(tx, partnerId, logo)))
}

export async function removeLogo(deps: Pick<Deps, 'db'>, partnerId: string): Promise<Partner> {
  return present(await deps.db.inTransaction((tx) => writeLogo(tx, partnerId, null)))
}

const SLUG = /^[a-z0-9-]{2,40}$/

/** For anybody. A partner without a logo and no partner at all look the same. */
export async function readLogo(deps: Pick<Deps, 'db'>, slug: string): Promise<Logo> {
  const logo = SLUG.test(slug) ? await findLogo(deps.db, slug) : null
  if (logo === null) throw notFound()
  return logo
}

/** So few that no round holds many pictures in memory. */
const MOST_PER_ROUND = 10

/**
 * Draws old logos anew that were stored as sent, and drops those that cannot be drawn. Returns how many were handled.
 */
export async function remakeOldLogos(deps: LogoDeps): Promise<number> {
  const sent = await listLogosAsSent(deps.db, MOST_PER_ROUND)
  for (const logo of sent) {
    const remade = await remakeOld(deps, logo)
    await deps.db.inTransaction((tx) => replaceLogoAsSent(tx, logo, remade))
  }
  return sent.length
}

async function remakeOld(deps: LogoDeps, { partnerId, image, type }: LogoAsSent): Promise<Logo | null> {
  if (type !== 'image/png' && type !== 'image/jpeg') return null
  return remake(deps, partnerId, { image, type }).catch((error: unknown) => {
    if (error instanceof PictureProblem) return null
    throw error
  })
}

async function remake(deps: LogoDeps, partnerId: string, given: { image: Buffer; type: Logo['type'] }): Promise<Logo> {
  const picture = await deps.studio.picture(partnerId, given)
  return { ...picture, hash: createHash('sha256').update(picture.image).digest('hex') }
}

function present(partner: Partner | null): Partner {
  assert(partner !== null, 'a caller’s partner exists')
  return partner
}

function asRefusal(error: unknown): never {
  if (!(error instanceof PictureProblem)) throw error
  throw new AppError('invalid_request', error.message, {
    details: { fields: ['(body) (the bytes of an image, as its Content-Type says)'] },
  })
}
