import { expect } from 'vitest'

import type { Owner } from '../storage/owner.ts'

/** The service's transactions that wait for a lock. */
export const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`

/** Until this many wait. Whoever looks is in no transaction, which would see that only once. */
export async function untilWaiting(onlooker: Owner, count: number): Promise<void> {
  await expect.poll(() => onlooker.query(WAITING)).toHaveLength(count)
}
