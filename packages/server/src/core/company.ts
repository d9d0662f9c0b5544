// Those who come at much the same time go on together, step by step: what each step runs is then still at hand in the processor, and
// the same work costs two thirds of what it costs one after the other.

import { type Clock, monotonicMs } from './clock.ts'

/** However many still come, and however long each turn is that brings some. */
const LONGEST_TURNS = 50
const LONGEST_MS = 10

export class Company {
  readonly #clock: Clock | undefined
  #going: Promise<void> | null = null
  #arrivals = 0

  constructor(clock?: Clock) {
    this.#clock = clock
  }

  /** Resolves, for all who wait at once, after a turn of the event loop without anybody new. Whoever is alone waits for one such turn. */
  gather(): Promise<void> {
    this.#arrivals++
    return (this.#going ??= new Promise((resolve) => {
      const until = monotonicMs(this.#clock) + LONGEST_MS
      let [seen, turns] = [0, 0]
      const look = () => {
        const hasCome = this.#arrivals > seen
        seen = this.#arrivals
        if (hasCome && ++turns < LONGEST_TURNS && monotonicMs(this.#clock) < until) return void setImmediate(look)
        this.#going = null
        resolve()
      }
      setImmediate(look)
    }))
  }
}
