// What was made of something that has versions, kept for as long as its version is the same: whoever asks for the version first is
// never told what is out of date. Those that were asked for last are kept, up to a size.
interface Kept<T> {
  readonly version: string
  readonly value: T
  readonly bytes: number
  readonly until: number
}

export class KeptVersions<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #limits: { readonly bytes: number; readonly ms: number }
  readonly #now: () => number
  #bytes = 0

  constructor(limits: { readonly bytes: number; readonly ms: number }, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Whether it is worth asking for the version. */
  has(name: string): boolean {
    return this.#kept.has(name)
  }

  /** What was made of this version; undefined for any other. */
  get(name: string, version: string | null): T | undefined {
    const kept = this.#kept.get(name)
    if (kept === undefined) return undefined
    this.#remove(name, kept)
    if (kept.version !== version || kept.until <= this.#now()) return undefined
    this.#add(name, kept)
    return kept.value
  }

  /** What was kept last, whatever its version is by now: for whoever finds out later. */
  latest(name: string): T | undefined {
    const kept = this.#kept.get(name)
    return kept === undefined || kept.until <= this.#now() ? undefined : kept.value
  }

  forget(name: string): void {
    const kept = this.#kept.get(name)
    if (kept !== undefined) this.#remove(name, kept)
  }

  keep(name: string, made: { readonly version: string; readonly value: T; readonly bytes: number }): void {
    this.forget(name)
    this.#add(name, { ...made, until: this.#now() + this.#limits.ms })
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#limits.bytes) return
      this.#remove(oldest, kept)
    }
  }

  /** As the last of them: a map keeps the order in which names were added. */
  #add(name: string, kept: Kept<T>): void {
    this.#kept.set(name, kept)
    this.#bytes += kept.bytes
  }

  #remove(name: string, kept: Kept<T>): void {
    this.#kept.delete(name)
    this.#bytes -= kept.bytes
  }
}
