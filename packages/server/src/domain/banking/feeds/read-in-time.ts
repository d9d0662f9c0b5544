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
  const until = monotonicMs(clock) + LONGEST_MS
  const askOn = () => {
    while (underWay.size < MOST_READ_AT_ONCE && monotonicMs(clock) < until) {
      const next = left.next()
      if (next.done === true) return
      underWay.set(next.value, ask(next.value))
    }
  }
  let callOff = () => undefined as void
  const isOver = new Promise<void>((resolve) => (callOff = later(clock, LONGEST_MS + LONGEST_ANSWER_MS, resolve)))
  try {
    askOn()
    while (underWay.size > 0 || come.length > 0) {
      if (come.length === 0) await Promise.race([isOver, ...underWay.values()])
      if (come.length === 0) break
      const answers = come.splice(0)
      askOn()
      yield answers
    }
    yield [...underWay.keys()].map((each) => [each, { status: 'fulfilled', value: late }])
  } finally {
    callOff()
  }
}
