// A difference is looked at again, by itself, before it is called a break, because money moves meanwhile. A limited
// number wait for that at once, and a limited number are reported one by one; the rest are counted.
import type { Environment } from '@kestrel/contract'

import { type Clock, pause } from '../../../core/clock.ts'
import { someAtOnce } from '../../../core/some-at-once.ts'
import type { BookBreak } from './compare-books.ts'

const LOOKS = 3
const PAUSE_MS = 700
const MOST_AT_ONCE = 16
/** A busy bank is ahead of us by hundreds of payouts at any moment; those must fit. */
const MOST_WAITING = 500
/** More breaks than anybody would take one by one. */
const MOST_BREAKS = 1_000

/** A difference found at the first look, and how to look again. */
export interface Suspect {
  readonly breaks: readonly BookBreak[]
  readonly lookAgain: () => Promise<readonly BookBreak[]>
}

export interface SecondLooks {
  readonly suspect: (each: Suspect) => Promise<void>
  /** Counts differences that were not looked at. */
  readonly leaveOut: (count: number) => void
  /** There are more breaks than anybody reads. */
  readonly isFull: () => boolean
  /** Looks at everything that waits. */
  readonly lookNow: () => Promise<void>
  /** The same, and reports how many were not looked at. */
  readonly end: () => Promise<void>
}

/** Confirmed breaks are added to `found`. */
export function createSecondLooks(clock: Clock, environment: Environment, found: BookBreak[]): SecondLooks {
  let waiting: Suspect[] = []
  let leftOut = 0
  const isFull = () => found.length >= MOST_BREAKS
  const lookNow = async () => {
    const batch = waiting
    waiting = []
    found.push(...(await confirmed(clock, batch)))
  }
  return {
    isFull,
    lookNow,
    leaveOut: (count) => void (leftOut += count),
    suspect: async (each) => {
      if (isFull()) leftOut += 1
      else if (waiting.push(each) >= MOST_WAITING) await lookNow()
    },
    end: async () => {
      await lookNow()
      if (leftOut === 0) return
      const detail = `${leftOut} more differed at the first look and were not looked at again`
      found.push({ check: 'more_differences', partnerId: null, about: environment, detail })
    },
  }
}

async function confirmed(clock: Clock, batch: readonly Suspect[]): Promise<BookBreak[]> {
  let suspects = batch
  for (let look = 1; look < LOOKS && suspects.length > 0; look++) {
    await pause(clock, PAUSE_MS)
    suspects = await stillSuspect(suspects)
  }
  return suspects.flatMap((each) => each.breaks)
}

/** The suspects that look exactly the same at the second look. */
async function stillSuspect(suspects: readonly Suspect[]): Promise<Suspect[]> {
  const lasting: Suspect[] = []
  await someAtOnce(suspects, MOST_AT_ONCE, async (each) => {
    const again = new Set((await each.lookAgain()).map(nameOf))
    const breaks = each.breaks.filter((found) => again.has(nameOf(found)))
    if (breaks.length > 0) lasting.push({ ...each, breaks })
  })
  return lasting
}

function nameOf(each: BookBreak): string {
  return `${each.check} ${each.about} ${each.detail}`
}
