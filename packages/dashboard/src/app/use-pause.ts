import type { Account } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { accountQuery } from '../server/queries.ts'
import { useScope } from './session.ts'

export type Pause = NonNullable<Account['payouts_pause']>

/** Since when all payouts of this environment are paused, and by whom; null while they go out. */
export function usePause(): Pause | null {
  return useQuery(accountQuery(useScope())).data?.payouts_pause ?? null
}
