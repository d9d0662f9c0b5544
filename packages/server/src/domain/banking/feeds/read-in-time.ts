// Reads what messages have named, some at once, and for a short time: a go ends before the leases of its messages do.
import { type Clock, later, monotonicMs } from '../../../core/clock.ts'

const MOST_READ_AT_ONCE = 8
/** After so long nothing more is asked for. */
const LONGEST_MS = 1_000
/** And no answer is waited for when so much more is over. */
const LONGEST_ANSWER_MS = 2_000

export type Answers<T, A> = readonly (readonly [T, PromiseSettledResult<A>])[]

/**
 * Hands answers over as they come, so that one that is long in coming holds up none of the others. In the end come those that
 * were not waited for any longer, with what is said in their place. What there was no time to ask for is left out.
 */
export async function* readInTime<T, A>(
  clock: Clock,
  named: readonly T[],
  { read, late }: { read: (each: T) => Promise<A>; late: A },
): AsyncGenerator<Answers<T, A>> {
  const left = named.values()
  const underWay = new Map<T, Promise<void>>()
  const come: [T, PromiseSettledResult<A>][] = []
  const ask = async (each: T) => {
    const [answer] = await Promise.allSettled([read(each)])
    underWay.delete(each)
    come.push([each, answer])
  }
  let until = monotonicMs(clock) + LONGEST_MS
  const askOn = () => {
    while (underWay.size < MOST_READ_AT_ONCE && monotonicMs(clock) < until) {
      const next = left.next()
      if (next.done === true) return
      underWay.set(next.value, ask(next.value))
    }
  }
  askOn()
  while (underWay.size > 0 || come.length > 0) {
    if (come.length === 0) await firstOf(underWay.values(), clock, until + LONGEST_ANSWER_MS)
    if (come.length === 0) break
    const answers = come.splice(0)
    askOn()
    const handedOverAt = monotonicMs(clock)
    yield answers
    // Reading is in no hurry for what becomes of them: a wallet that is locked may be waited for.
    until += monotonicMs(clock) - handedOverAt
    askOn()
  }
  yield [...underWay.keys()].map((each) => [each, { status: 'fulfilled', value: late }])
}

/** The first that is over, or the moment that none is waited for any longer. */
async function firstOf(underWay: Iterable<Promise<void>>, clock: Clock, until: number): Promise<void> {
  let callOff = () => undefined as void
  const isOver = new Promise<void>((resolve) => {
    callOff = later(clock, Math.max(0, until - monotonicMs(clock)), resolve)
  })
  await Promise.race([isOver, ...underWay])
  callOff()
}
