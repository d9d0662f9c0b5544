// A program in a loop is refused by the thousand. So refusals are counted, and leave one trace per minute for a caller,
// where it calls from, what it asked for and why it was refused: a stolen key is seen beside its owner's loop. Where the reason lies in what was asked, the first ones stand by themselves:
// whoever looks for a mistake wants to see each of them.
import { monotonicMs } from '../../core/clock.ts'
import { networkOf } from '../../core/network.ts'
import type { NewActivity } from '../../storage/activity.ts'

export interface Trace extends NewActivity {
  readonly partnerId: string
}

const COUNTED_MS = 60_000
/** So many refusals of one kind within a minute stand by themselves. */
const BY_THEMSELVES = 20

/** So many networks have a trace of their own within a minute; the others share one, or a caller could make rows at will. */
const MOST_NETWORKS = 10
const OTHERS = 'others'

interface Held {
  readonly since: number
  seen: number
  /** Those that have left no trace yet, by where they came from. */
  readonly from: Map<string, Waiting>
}

interface Waiting {
  /** The first of them, and how many. */
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
    const held = this.#held.get(name) ?? { since: monotonicMs(), seen: 0, from: new Map<string, Waiting>() }
    this.#held.set(name, held)
    held.seen++
    if (held.seen <= BY_THEMSELVES && !isAboutCaller(trace)) return false
    const network = networkOf(trace.request?.ip ?? '')
    const place = held.from.has(network) || held.from.size < MOST_NETWORKS ? network : OTHERS
    const waiting = held.from.get(place) ?? { first: null, count: 0 }
    held.from.set(place, waiting)
    waiting.first ??= trace
    waiting.count++
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

function release({ from }: Held): Trace[] {
  return [...from].flatMap(([place, waiting]) => {
    const { first, count } = waiting
    if (first === null) return []
    waiting.first = null
    waiting.count = 0
    const many = `${count} requests within a minute${place === OTHERS ? ' from this and other networks' : ''}`
    return [count === 1 ? first : { ...first, detail: `${first.detail ?? 'refused'}, ${many}` }]
  })
}
