// A browser sends the session's cookie with requests from any page. So a request that changes something must come from
// a page of ours, which the browser says in headers that no page can forge.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/** For requests with a session: they must say that they come from here. */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE_METHODS.has(request.method)) return
  if (isFromHere(request.headers.origin, request, publicUrl) && isOwnSite(request)) return
  throw refusal()
}

/** For signing in, where there is no session yet: they must not say that they come from elsewhere. */
export function refuseForeignSite(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers
  if ((origin === undefined || isFromHere(origin, request, publicUrl)) && isOwnSite(request)) return
  throw refusal()
}

function refusal(): AppError {
  return new AppError(
    'cross_site_request',
    'This request does not come from the dashboard’s own pages, so it was refused. Nothing was done.',
  )
}

/** Our public address, or the one that the caller used: behind a proxy or a tunnel they may differ. */
function isFromHere(origin: string | undefined, request: FastifyRequest, publicUrl: string): boolean {
  const own = new URL(publicUrl)
  return origin === own.origin || origin === `${own.protocol}//${request.headers.host ?? ''}`
}

function isOwnSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined || (typeof site === 'string' && OWN_SITES.has(site))
}
