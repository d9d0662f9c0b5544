// What differed at the first look is looked at again, by itself, before it is called a break: money moves meanwhile. So
// much waits for that at once and no more, and so much is reported one by one; the rest is counted.
import type { Environment } from '@kestrel/contract'

import { sleep } from '../../core/clock.ts'
import { someAtOnce } from '../../core/some-at-once.ts'
import type { BookBreak } from './compare-books.ts'

const LOOKS = 3
const PAUSE_MS = 700
const MOST_AT_ONCE = 16
/** A busy bank is ahead of us by some hundreds at any moment, and that must not be taken for more than can be looked at. */
const MOST_WAITING = 500
/** More than anybody takes one by one. */
const MOST_BREAKS = 1_000

/** Something that differed at the first look, and how to look at it again. */
export interface Suspect {
  readonly breaks: readonly BookBreak[]
  readonly lookAgain: () => Promise<readonly BookBreak[]>
}

export interface SecondLooks {
  readonly suspect: (each: Suspect) => Promise<void>
  /** So many were not looked at. */
  readonly leaveOut: (count: number) => void
  /** There is more to report than anybody reads. */
  readonly isFull: () => boolean
  /** Looks at all that wait. */
  readonly lookNow: () => Promise<void>
  /** The same, and says how many were not looked at. */
  readonly end: () => Promise<void>
}

/** What is confirmed is put into `found`. */
export function createSecondLooks(environment: Environment, found: BookBreak[]): SecondLooks {
  let waiting: Suspect[] = []
  let leftOut = 0
  const isFull = () => found.length >= MOST_BREAKS
  const lookNow = async () => {
    const batch = waiting
    waiting = []
    found.push(...(await confirmed(batch)))
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

async function confirmed(batch: readonly Suspect[]): Promise<BookBreak[]> {
  let suspects = batch
  for (let look = 1; look < LOOKS && suspects.length > 0; look++) {
    await sleep(PAUSE_MS)
    suspects = await stillSuspect(suspects)
  }
  return suspects.flatMap((each) => each.breaks)
}

/** What is said of it again, in the same words. */
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
