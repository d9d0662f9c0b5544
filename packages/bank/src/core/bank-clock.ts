// The bank's own time: the clock that it was given, plus what the control plane has advanced it by. The offset is
// stored in the books, and is passed on to here whenever it is read there.
import { type Clock, after } from './clock.ts'

export class BankClock implements Clock {
  readonly #given: Clock
  #offsetMs = 0
  #moves = 0

  constructor(given: Clock) {
    this.#given = given
  }

  now(): Date {
    return after(this.#given.now(), this.#offsetMs)
  }

  /**
   * The time without the offset. Signatures carry this one: a receiver compares it with a clock of its own, which
   * nobody has advanced.
   */
  wallTime(): Date {
    return this.#given.now()
  }

  follow(offsetMs: number): void {
    this.#moves += 1
    this.#offsetMs = offsetMs
  }

  /** What was read while the clock was moved here may be from before: time would go back. */
  async followBooks(readOffset: () => Promise<number>): Promise<void> {
    const moves = this.#moves
    const offsetMs = await readOffset()
    if (moves === this.#moves) this.follow(offsetMs)
  }
}
