// Callers who ask for different things of one kind share a reading: those who ask in one turn of the program are read together, and
// while one is under way those who ask wait for its end. As in shared-reads.ts, a reading begins after everybody who gets it has asked,
// so nobody is told what was out of date by then. Nobody waits long for the end of another's: a reading that gets no answer keeps
// only those waiting who are in it.
import { within } from './within.ts'

interface Asking<T> {
  readonly name: string
  readonly resolve: (found: T | null) => void
  readonly reject: (error: unknown) => void
}

/** Of these names, those that there are. */
export type ReadAll<T> = (names: readonly string[]) => Promise<ReadonlyMap<string, T>>

export class ReadsTogether<T> {
  readonly #readAll: ReadAll<T>
  readonly #most: number
  readonly #patienceMs: number
  #isUnderWay = false
  #asking: Asking<T>[] = []

  /** `most` names per reading, and so long is one waited for. */
  constructor(readAll: ReadAll<T>, { most, patienceMs }: { most: number; patienceMs: number }) {
    this.#readAll = readAll
    this.#most = most
    this.#patienceMs = patienceMs
  }

  /** Null: there is none of this name. */
  read(name: string): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ name, resolve, reject })
      if (!this.#isUnderWay) void this.#readThose()
    })
  }

  async #readThose(): Promise<void> {
    this.#isUnderWay = true
    while (this.#asking.length > 0) {
      // Requests that have arrived by now are read from their sockets first, or each would be a reading more.
      await new Promise((resolve) => setImmediate(resolve))
      await within(this.#patienceMs, this.#readNext(this.#taken()), null)
    }
    this.#isUnderWay = false
  }

  /** All who ask for the first so many names. */
  #taken(): Asking<T>[] {
    const names = new Set<string>()
    const later: Asking<T>[] = []
    const taken = this.#asking.filter((each) => {
      const isTaken = names.has(each.name) || names.size < this.#most
      if (isTaken) names.add(each.name)
      else later.push(each)
      return isTaken
    })
    this.#asking = later
    return taken
  }

  async #readNext(taken: readonly Asking<T>[]): Promise<void> {
    try {
      const found = await this.#readAll([...new Set(taken.map(({ name }) => name))])
      for (const { name, resolve } of taken) resolve(found.get(name) ?? null)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }
}
