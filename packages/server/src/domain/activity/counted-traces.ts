// A program in a loop is refused by the thousand, or reads the same by the thousand, so what repeats is counted. There is one
// trace per minute for a caller, its network, the action and the reason, so that a stolen key shows beside its owner's loop.
// When the reason lies in the request itself, the first refusals get a trace each: somebody who looks for a mistake wants to
// see them. So do the first reads, more of them than the list of activity shows.
import { monotonicMs } from '../../core/clock.ts'
import { networkOf } from '../../core/network.ts'
import type { NewActivity } from '../../storage/activity.ts'
import type { NewRequestBodies } from '../../storage/request-bodies.ts'
import type { Milestone } from '../../storage/milestones.ts'

export type { Milestone }

export interface Trace extends NewActivity {
  readonly partnerId: string
  /** What a program did with it, perhaps for the first time. */
  readonly milestone?: Milestone | null
  /** Masks what was asked and answered, which takes longer than all the rest. Called if it is kept. */
  readonly bodies?: () => NewRequestBodies | null
}

export interface KeptTrace extends Omit<Trace, 'bodies'> {
  readonly bodies: NewRequestBodies | null
}

/** Within the request, which is gone later. */
export function keptTrace(trace: Trace): KeptTrace {
  return { ...trace, bodies: trace.bodies?.() ?? null }
}

const COUNTED_MS = 60_000
/** The first of one kind within a minute get a trace each. */
const BY_THEMSELVES = { refusals: 20, reads: 300 }

/**
 * The most networks with a trace of their own within a minute. The others share one, or a caller could make rows at
 * will.
 */
const MOST_NETWORKS = 10
const OTHERS = 'others'

interface Held {
  readonly since: number
  seen: number
  /** Those without a trace yet, by network. */
  readonly from: Map<string, Waiting>
}

interface Waiting {
  /** The first of them, and their number. */
  first: KeptTrace | null
  count: number
}

export class CountedTraces {
  readonly #held = new Map<string, Held>()

  /** Takes a trace that is to be counted. False for any other. */
  take(trace: Trace): boolean {
    const most = byThemselves(trace)
    if (most === null) return false
    const held = this.#heldFor(trace)
    held.seen++
    if (held.seen <= most) return false
    const network = networkOf(trace.request?.ip ?? '')
    const place = held.from.has(network) || held.from.size < MOST_NETWORKS ? network : OTHERS
    let waiting = held.from.get(place)
    if (waiting === undefined) held.from.set(place, (waiting = { first: null, count: 0 }))
    waiting.first ??= keptTrace(trace)
    waiting.count++
    return true
  }

  #heldFor({ partnerId, keyId, by, action, status, detail }: Trace): Held {
    const name = `${partnerId} ${keyId ?? by} ${action} ${status} ${detail}`
    const known = this.#held.get(name)
    if (known !== undefined) return known
    const held = { since: monotonicMs(), seen: 0, from: new Map<string, Waiting>() }
    this.#held.set(name, held)
    return held
  }

  /** The traces whose minute is over. */
  due(): KeptTrace[] {
    const now = monotonicMs()
    const over = [...this.#held].filter(([, { since }]) => now - since >= COUNTED_MS)
    for (const [name] of over) this.#held.delete(name)
    return over.flatMap(([, held]) => release(held))
  }

  /** All of them, because somebody wants to read them or the process ends. Their minute goes on. */
  all(): KeptTrace[] {
    return [...this.#held.values()].flatMap(release)
  }
}

/** How many like it get a trace each before the others are counted; null for what always gets its own. */
function byThemselves(trace: Trace): number | null {
  const { status } = trace
  if (status === null || status > 499) return null
  if (status >= 400) return isAboutCaller(trace) ? 0 : BY_THEMSELVES.refusals
  return isPlainRead(trace) ? BY_THEMSELVES.reads : null
}

/** The caller asked too often, or may do nothing: the answer is the same for any request. */
function isAboutCaller({ status, detail }: Trace): boolean {
  return status === 429 || detail === 'partner_not_active'
}

/** Of what names a thing, such as a payout, the log says each time who read it; and so it does of what was changed. */
function isPlainRead({ request, detail, audited = null, milestone = null }: Trace): boolean {
  const isRead = request?.method === 'GET' || request?.method === 'HEAD'
  return isRead && detail === null && audited === null && milestone === null
}

function release({ from }: Held): KeptTrace[] {
  return [...from].flatMap(([place, waiting]) => {
    const { first, count } = waiting
    if (first === null) return []
    waiting.first = null
    waiting.count = 0
    const many = `${count} requests within a minute${place === OTHERS ? ' from this and other networks' : ''}`
    return [count === 1 ? first : { ...first, detail: first.detail === null ? many : `${first.detail}, ${many}` }]
  })
}
