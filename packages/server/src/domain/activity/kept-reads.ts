// A program that polls asks the same thing all day. Of reads that succeed the first so many of a minute are kept, which is
// more than anybody looks through, and the log of a busy business stays small.
import { monotonicMs } from '../../core/clock.ts'

const MINUTE_MS = 60_000
const MOST_PER_MINUTE = 60

export class KeptReads {
  #since = 0
  #counts = new Map<string, number>()

  /** Whether one more read of this wallet is kept. */
  take(wallet: string): boolean {
    const now = monotonicMs()
    if (now - this.#since >= MINUTE_MS) {
      this.#since = now
      this.#counts = new Map()
    }
    const count = (this.#counts.get(wallet) ?? 0) + 1
    this.#counts.set(wallet, count)
    return count <= MOST_PER_MINUTE
  }
}
