// Rung by every request that may have changed something: workers at rest, here and in other processes, wake up.
import { monotonicMs } from '../../core/clock.ts'
import type { Rest } from '../../core/rest.ts'
import type { Db } from '../../storage/sql.ts'
import { ringForWork } from '../../storage/work-bell.ts'

export interface Bell {
  /** Returns at once. */
  ring(): void
  settled(): Promise<void>
}

/** Whoever was woken stays awake for twice as long, so under load other processes are told this seldom. */
const TELL_EVERY_MS = 5_000

export function createBell(db: Db, rest: Rest): Bell {
  let toldAt = -Infinity
  let telling: Promise<void> = Promise.resolve()
  return {
    ring: () => {
      rest.stir()
      if (monotonicMs() - toldAt < TELL_EVERY_MS) return
      toldAt = monotonicMs()
      // What is not told is found by the rounds of those at rest.
      telling = ringForWork(db).catch(() => void (toldAt = -Infinity))
    },
    settled: () => telling,
  }
}
