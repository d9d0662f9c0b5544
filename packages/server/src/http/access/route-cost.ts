// What a request costs beside a plain read, measured in processor time, and what of it may be under way at once.
import type { RouteAccess } from './route-access.ts'

type Cost = Pick<RouteAccess, 'cost' | 'share'>

/** A page that is drawn: some fifty milliseconds against two. */
export const DOCUMENT: Cost = { cost: 25, share: 'documents' }
/** A picture that is read and drawn anew: a tenth of a second, and ten for one that was made to take long. */
export const PICTURE: Cost = { cost: 50, share: 'pictures' }
/** Everything there is, to the end. */
export const EXPORT: Cost = { cost: 50, share: 'exports' }
/** Sums over as much as a month or a quarter. */
export const AGGREGATE: Cost = { cost: 10 }
/** A log that may be looked through a long way for what is asked. */
export const SEARCH: Cost = { cost: 5 }
/** A question about what was paid before, beyond the request that it comes with: whoever tries account numbers is slow. */
export const ABOUT_RECIPIENT = 24
