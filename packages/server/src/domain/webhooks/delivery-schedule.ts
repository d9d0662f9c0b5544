// When an attempt that failed is made again: ten attempts over three days, as Standard Webhooks suggests.
import { randomBetween } from '../../core/ids.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** After the first attempt, the second, and so on. */
const WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

export const MOST_ATTEMPTS = WAITS_MS.length + 1

/** A receiver may ask for more patience, but not for so much that its events are forgotten. */
const LONGEST_WISH_MS = HOUR

/** Each wait is up to this part shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.1

/** How long to wait after this attempt; null when it was the last. */
export function waitAfter(attempts: number, retryAfter: string | null, now: Date): number | null {
  const planned = WAITS_MS[attempts - 1]
  if (planned === undefined) return null
  const jittered = planned + randomBetween(-planned * JITTER, planned * JITTER)
  return Math.round(Math.max(jittered, wishedWait(retryAfter, now)))
}

/** `Retry-After` in seconds or as a date; what cannot be read asks for nothing. */
export function wishedWait(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const ms = /^\s*\d{1,9}\s*$/.test(retryAfter)
    ? Number.parseInt(retryAfter, 10) * SECOND
    : Date.parse(retryAfter) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_WISH_MS)
}
