import { expect, vi } from 'vitest'

import { PATIENT } from '../storage/owner.ts'
import type { TestApp } from './app.ts'

/** Until one connection to the test's database waits for a lock. */
export async function untilOneWaits(test: Pick<TestApp, 'owner'>): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await test.owner.query<{ count: number }>({
      name: '',
      text: `select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
    })
    expect(waiting[0]!.count).toBe(1)
  }, PATIENT)
}
