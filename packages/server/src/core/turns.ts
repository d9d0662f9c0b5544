// Work that may not overlap takes turns, in order of arrival: whoever finds nobody else goes at once.

export class Turns {
  /** Those that wait for their turn, by the name of what they share; no entry while nobody has it. */
  readonly #waiting = new Map<string, (() => void)[]>()

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#waiting.get(name)
    if (queue === undefined) this.#waiting.set(name, [])
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.get(name)?.shift()
      if (next === undefined) this.#waiting.delete(name)
      else next()
    }
  }
}
