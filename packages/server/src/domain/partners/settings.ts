// What a business says of itself, and its logo.
import { createHash } from 'node:crypto'

import { assert } from '../../core/assert.ts'
import { AppError, notFound } from '../../core/errors.ts'
import {
  type Logo,
  type PartnerSettings,
  changeSettings as writeSettings,
  findLogo,
  setLogo as writeLogo,
} from '../../storage/partner-settings.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

export type { Logo, PartnerSettings }

export async function changeSettings(
  deps: Pick<Deps, 'db'>,
  partnerId: string,
  changes: Partial<PartnerSettings>,
): Promise<Partner> {
  return present(await deps.db.inTransaction((tx) => writeSettings(tx, partnerId, changes)))
}

export async function setLogo(
  deps: Pick<Deps, 'db'>,
  partnerId: string,
  given: { image: Buffer; type: Logo['type'] },
): Promise<Partner> {
  refuseUnlessImage(given)
  const hash = createHash('sha256').update(given.image).digest('hex')
  return present(await deps.db.inTransaction((tx) => writeLogo(tx, partnerId, { ...given, hash })))
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

function present(partner: Partner | null): Partner {
  assert(partner !== null, 'a caller’s partner exists')
  return partner
}

const BEGINS: Readonly<Record<Logo['type'], (image: Buffer) => boolean>> = {
  'image/png': (image) => image.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (image) => image.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (image) =>
    image.subarray(0, 4).toString('latin1') === 'RIFF' && image.subarray(8, 12).toString('latin1') === 'WEBP',
}

/** It is served under our own address, so it must be what it says it is. */
function refuseUnlessImage({ image, type }: { image: Buffer; type: Logo['type'] }): void {
  if (BEGINS[type](image)) return
  throw new AppError(
    'invalid_request',
    `The body does not begin like ${type}. Send the bytes of the image as they are.`,
    {
      details: { fields: [`(body) (the bytes of an image, as its Content-Type says)`] },
    },
  )
}
