// A browser has one session, which all its tabs share: turning to another business in one tab turns all of them. So a
// page says which business it shows, and is refused once the session is in another.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import type { Caller } from './caller.ts'

const HEADER = 'kestrel-business'

/** For sessions. A request that names no business means the one that the session is in. */
export function refuseOtherBusiness(request: FastifyRequest, caller: Pick<Caller, 'slug'>): void {
  const named = request.headers[HEADER]
  if (named === undefined || named === caller.slug) return
  throw new AppError(
    'business_changed',
    `This page is for ${shown(named)}, and this browser has turned to another business since. Nothing was done. Reload the page.`,
  )
}

/** Only a text that can be a slug is repeated in the answer. */
function shown(named: string | string[]): string {
  return typeof named === 'string' && /^[a-z0-9-]{2,40}$/.test(named) ? named : 'another business'
}
