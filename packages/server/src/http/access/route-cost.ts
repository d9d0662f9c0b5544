// What requests cost compared with a plain read, measured in processor time, and which kinds of work are limited at
// once.
import type { RouteAccess } from './route-access.ts'

type Cost = Pick<RouteAccess, 'cost' | 'share' | 'line'>

/** Drawing a page: about fifty milliseconds against two. */
export const DOCUMENT: Cost = { cost: 25, share: 'documents' }
/** Reading a picture and drawing it anew: a tenth of a second, and ten seconds for one that was made to take long. */
export const PICTURE: Cost = { cost: 50, share: 'pictures' }
/** Reads everything, to the end. */
export const EXPORT: Cost = { cost: 50, share: 'exports' }
/** Sums over a month or a quarter. */
export const AGGREGATE: Cost = { cost: 10, line: 'costly' }
/** May look through a long stretch of the log. */
export const SEARCH: Cost = { cost: 5, line: 'costly' }
/** Rows of a page that cost about as much as a plain read. */
const ROWS_PER_REQUEST = 25

/** A page of payouts, on top of the request that it comes with: two hundred rows take thirteen milliseconds against one. */
export function costOfPage(rows: number): number {
  return Math.ceil(rows / ROWS_PER_REQUEST) - 1
}

/** A question about earlier payouts, on top of the request that it comes with: trying account numbers is slow. */
export const ABOUT_RECIPIENT = 24
