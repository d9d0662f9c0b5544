// A program in a loop is refused by the thousand. So refusals for asking too often are counted, and leave one trace per
// minute for a caller and what it asked for.
import { monotonicMs } from '../../core/clock.ts'
import type { NewActivity } from '../../storage/activity.ts'

export interface Trace extends NewActivity {
  readonly partnerId: string
}

const COUNTED_MS = 60_000
const TOO_MANY_REQUESTS = 429

export class CountedRefusals {
  readonly #held = new Map<string, { readonly first: Trace; count: number; readonly since: number }>()

  /** Takes a trace that is to be counted; false for any other. */
  take(trace: Trace): boolean {
    if (trace.status !== TOO_MANY_REQUESTS) return false
    const name = `${trace.partnerId}/${trace.keyId ?? trace.by}/${trace.action}`
    const held = this.#held.get(name)
    if (held === undefined) this.#held.set(name, { first: trace, count: 1, since: monotonicMs() })
    else held.count++
    return true
  }

  /** Those whose minute is over. */
  due(): Trace[] {
    const now = monotonicMs()
    return this.#release(({ since }) => now - since >= COUNTED_MS)
  }

  /** All of them: somebody wants to read, or the process ends. */
  all(): Trace[] {
    return this.#release(() => true)
  }

  #release(isWanted: (held: { since: number }) => boolean): Trace[] {
    const wanted = [...this.#held].filter(([, held]) => isWanted(held))
    for (const [name] of wanted) this.#held.delete(name)
    return wanted.map(([, { first, count }]) => (count === 1 ? first : { ...first, detail: inWords(first, count) }))
  }
}

function inWords({ detail }: Trace, count: number): string {
  return `${detail ?? 'refused'}, ${count} requests within a minute`
}
