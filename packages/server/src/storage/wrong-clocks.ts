// What a clock that was ahead has left in a row, in SQL: a time that is further ahead than any true one.
import { CLOCK_WAS_WRONG_MS } from '../core/clock.ts'

/** Of a time that was the present when it was written. */
export const isFromWrongClock = (time: string, now: string): string =>
  `${time} > ${now}::timestamptz + interval '${CLOCK_WAS_WRONG_MS} milliseconds'`

interface AskedLease {
  /** Until when somebody has it; null: nobody. */
  readonly until: string
  /** It is free if it ends by then. */
  readonly by: string
  readonly now: string
  readonly longestMs: number
}

/** Nobody has the lease: it has ended, or it ends twice as far ahead as one that is taken now. */
export const isFree = ({ until, by, now, longestMs }: AskedLease): string =>
  `(${until} is null or ${until} <= ${by} or ${until} > ${now}::timestamptz + interval '${2 * longestMs} milliseconds')`
