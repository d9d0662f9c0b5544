// Chance with a seed: the same seed makes the same requests.
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to one (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}
