/** Returns a function that does what it is given, so many at a time, in the order in which they came. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= limit) await new Promise<void>((begin) => waiting.push(begin))
    else running++
    try {
      return await work()
    } finally {
      // Whoever waits takes this place, so that nobody who comes now gets ahead.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
