// Whether the server will ask for a code. Where the two disagree, the server decides and its answer is shown.
import type { ApiKey } from '@kestrel/contract'

import { isMore } from '../../format/money.ts'

type Limits = Pick<ApiKey, 'scopes' | 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp' | 'allowed_ips' | 'expires_at'>

export function widensLimits(before: Limits, after: Limits): boolean {
  const opens = (was: string | null, is: string | null, isLarger: (a: string, b: string) => boolean) =>
    was !== null && (is === null || isLarger(is, was))
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    opens(before.max_per_payout_gbp, after.max_per_payout_gbp, isMore) ||
    opens(before.daily_gbp, after.daily_gbp, isMore) ||
    opens(before.monthly_gbp, after.monthly_gbp, isMore) ||
    opens(before.expires_at, after.expires_at, (a, b) => Date.parse(a) > Date.parse(b)) ||
    // A network that is new may lie within one that was there; the server knows, and needs no code then.
    (before.allowed_ips !== null && (after.allowed_ips ?? ['']).some((each) => !before.allowed_ips!.includes(each)))
  )
}
