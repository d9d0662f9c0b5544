// How long the bank's news of a wallet waits where somebody has that wallet locked. The news of other wallets waits behind it.
import { type Clock, monotonicMs } from '../../../core/clock.ts'
import { forgetOldest } from './forget-oldest.ts'

/** As long as anybody waits for a lock; for a moment; or it is not tried. */
export type Patience = 'usual' | 'short' | 'none'

export interface WalletPatience {
  for(wallet: string): Patience
  /** What came of a try. */
  tried(wallet: string, isLocked: boolean): void
}

/** For one reading: a wallet that is found locked is not tried again, and after the first of them nobody is waited for long. */
export function onceEach(): WalletPatience {
  const locked = new Set<string>()
  return {
    for: (wallet) => (locked.has(wallet) ? 'none' : locked.size === 0 ? 'usual' : 'short'),
    tried: (wallet, isLocked) => void (isLocked && locked.add(wallet)),
  }
}

/** Wallets that were found locked within the last seconds: they are waited for shortly, until one is found free. */
export class LatelyLocked {
  readonly #until = new Map<string, number>()

  has(wallet: string): boolean {
    return (this.#until.get(wallet) ?? -Infinity) > monotonicMs()
  }

  note(wallet: string, isLocked: boolean): void {
    this.#until.delete(wallet)
    if (!isLocked) return
    this.#until.set(wallet, monotonicMs() + LATELY_MS)
    forgetOldest(this.#until)
  }
}

const LATELY_MS = 10_000
/** Whoever is behind these waits as a row of the list, which is tried again after seconds. */
const MOST_LOCKED_PER_GO = 4

/** For the messages of one go. */
export function perGo(lately: LatelyLocked): WalletPatience {
  const once = onceEach()
  let left = MOST_LOCKED_PER_GO
  return {
    for: (wallet) => {
      const patience = once.for(wallet)
      const isLately = lately.has(wallet)
      if (left === 0 && isLately) return 'none'
      return patience === 'usual' && isLately ? 'short' : patience
    },
    tried: (wallet, isLocked) => {
      once.tried(wallet, isLocked)
      lately.note(wallet, isLocked)
      if (isLocked && left > 0) left -= 1
    },
  }
}

const LONGEST_BY_THE_WAY_MS = 1_000

/** For what nobody has told of: it can be left. A lock that lasts longer than it waits may be that of a wallet that is busy, and is not remembered. */
export function byTheWay(clock: Clock, lately: LatelyLocked): WalletPatience {
  const once = onceEach()
  const until = monotonicMs(clock) + LONGEST_BY_THE_WAY_MS
  return {
    for: (wallet) =>
      once.for(wallet) === 'none' || lately.has(wallet) || monotonicMs(clock) >= until ? 'none' : 'short',
    tried: (wallet, isLocked) => once.tried(wallet, isLocked),
  }
}
