// How the limit stands that a caller is nearest to.
import type { Verdict } from './rate-limit.ts'

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export function rateLimitHeaders(verdict: Verdict): Record<(typeof RATE_LIMIT_HEADERS)[number], number> {
  return {
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
  }
}
