// When an event that did not arrive is tried again: soon at first, then ever less often, for two days.
import { after } from '../core/clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const PAUSES_MS = [SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]
const LAST_PAUSE_MS = 12 * HOUR
const GIVEN_UP_AFTER_MS = 48 * HOUR

/** Null when the event is given up. */
export function nextAttempt(input: { attempts: number; firstAttemptAt: Date; now: Date }): Date | null {
  const next = after(input.now, PAUSES_MS[input.attempts - 1] ?? LAST_PAUSE_MS)
  return next > after(input.firstAttemptAt, GIVEN_UP_AFTER_MS) ? null : next
}
