// Stores alarms as they ring, without making anybody wait: one row per alarm, with how often and when.
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { type AlarmRow, ringAlarms } from '../../storage/alarms.ts'
import type { Database } from '../../storage/sql.ts'
import type { AlarmName } from './alarms/alarm-catalogue.ts'

export interface AlarmBook {
  /** Returns at once. */
  ring(what: AlarmName, about: Readonly<Record<string, unknown>>): void
  /** Resolves when all alarms so far are stored, or could not be. */
  settled(): Promise<void>
}

type Ringing = Omit<AlarmRow, 'closedAt'>

/** More different alarms than this at once are noise, unless they are about payouts. The log has them all. */
const MOST_WAITING = 500

export function createAlarmBook(
  { db, clock }: { db: Database; clock: Clock },
  onError: (error: unknown) => void,
): AlarmBook {
  let waiting = new Map<string, Ringing>()
  let running: Promise<void> = Promise.resolve()
  let isAwake = false

  async function write(): Promise<void> {
    const ringing = [...waiting.values()]
    waiting = new Map()
    try {
      await db.inTransaction(async (tx) => ringAlarms(tx, ringing))
    } catch (error) {
      // They are in the log; those that go on ringing are stored the next time.
      onError(error)
    }
  }

  return {
    ring(what, given) {
      const about = idsOnly(given)
      const key = JSON.stringify([what, about])
      const now = clock.now()
      const known = waiting.get(key)
      if (known === undefined && waiting.size >= MOST_WAITING && about['payoutId'] === undefined) return
      waiting.set(key, {
        ...(known ?? { id: newId(now), what, about, firstSeenAt: now }),
        lastSeenAt: now,
        count: (known?.count ?? 0n) + 1n,
      })
      if (isAwake) return
      isAwake = true
      running = running.then(() => {
        // Alarms from here on need another round.
        isAwake = false
        return write()
      })
    },
    settled: () => running,
  }
}

/** An id, a code or a number has no spaces. A sentence may hold private details, and an error always may. */
const PLAIN = /^[\w:.-]{1,100}$/

export function idsOnly(given: Readonly<Record<string, unknown>>): AlarmRow['about'] {
  const about: Record<string, string | number | boolean> = {}
  for (const name of Object.keys(given).toSorted()) {
    const value = given[name]
    if (typeof value === 'number' || typeof value === 'boolean') about[name] = value
    const text = typeof value === 'bigint' ? value.toString() : value
    if (typeof text === 'string' && PLAIN.test(text)) about[name] = text
  }
  return about
}
