// A program in a loop is refused by the thousand. So refusals are counted, and leave one trace per minute for a caller,
// what it asked for and why it was refused. Where the reason lies in what was asked, the first ones stand by themselves:
// whoever looks for a mistake wants to see each of them.
import { monotonicMs } from '../../core/clock.ts'
import type { NewActivity } from '../../storage/activity.ts'

export interface Trace extends NewActivity {
  readonly partnerId: string
}

const COUNTED_MS = 60_000
/** So many refusals of one kind within a minute stand by themselves. */
const BY_THEMSELVES = 20

interface Held {
  readonly since: number
  seen: number
  /** Those that have left no trace yet: the first of them, and how many. */
  first: Trace | null
  count: number
}

export class CountedRefusals {
  readonly #held = new Map<string, Held>()

  /** Takes a trace that is to be counted; false for any other. */
  take(trace: Trace): boolean {
    const { status, partnerId, keyId, by, action, detail } = trace
    if (status === null || status < 400 || status > 499) return false
    const name = JSON.stringify([partnerId, keyId ?? by, action, status, detail])
    const held = this.#held.get(name) ?? { since: monotonicMs(), seen: 0, first: null, count: 0 }
    this.#held.set(name, held)
    held.seen++
    if (held.seen <= BY_THEMSELVES && !isAboutCaller(trace)) return false
    held.first ??= trace
    held.count++
    return true
  }

  /** Those whose minute is over. */
  due(): Trace[] {
    const now = monotonicMs()
    const over = [...this.#held].filter(([, { since }]) => now - since >= COUNTED_MS)
    for (const [name] of over) this.#held.delete(name)
    return over.flatMap(([, held]) => release(held))
  }

  /** All of them: somebody wants to read, or the process ends. Their minute goes on. */
  all(): Trace[] {
    return [...this.#held.values()].flatMap(release)
  }
}

/** It asked too often, or may ask for nothing: whatever it asked, the answer is the same. */
function isAboutCaller({ status, detail }: Trace): boolean {
  return status === 429 || detail === 'partner_not_active'
}

function release(held: Held): Trace[] {
  const { first, count } = held
  if (first === null) return []
  held.first = null
  held.count = 0
  return [count === 1 ? first : { ...first, detail: `${first.detail ?? 'refused'}, ${count} requests within a minute` }]
}
