// How long the bank's news of a wallet waits where somebody has that wallet locked. The news of other wallets waits behind it.
import { type Clock, monotonicMs } from '../../../core/clock.ts'
import { forgetOldest } from '../../../core/forget-oldest.ts'

/** As long as anybody waits for a lock; for a moment; or it is not tried. */
export type Patience = 'usual' | 'short' | 'none'

export type Waited = Exclude<Patience, 'none'>

export interface WalletPatience {
  for(wallet: string): Patience
  /** What came of it where something was to be written. */
  tried(wallet: string, waited: Waited, isLocked: boolean): void
}

/** For one reading: a wallet that is found locked is not tried again, and once somebody was waited for in vain, nobody is waited for long. */
export function onceEach(): WalletPatience {
  const locked = new Set<string>()
  let hasWaited = false
  return {
    for: (wallet) => {
      if (locked.has(wallet)) return 'none'
      return hasWaited ? 'short' : 'usual'
    },
    tried: (wallet, waited, isLocked) => {
      if (!isLocked) return
      locked.add(wallet)
      hasWaited ||= waited === 'usual'
    },
  }
}

/** Wallets that were waited for in vain within the last seconds. */
export class LatelyLocked {
  readonly #until = new Map<string, number>()

  has(wallet: string): boolean {
    return (this.#until.get(wallet) ?? -Infinity) > monotonicMs()
  }

  /** A lock that lasts longer than a moment may be that of a wallet that is busy: it says nothing, either way. */
  note(wallet: string, waited: Waited, isLocked: boolean): void {
    if (isLocked && waited === 'short') return
    this.#until.delete(wallet)
    if (!isLocked) return
    this.#until.set(wallet, monotonicMs() + LATELY_MS)
    forgetOldest(this.#until, MOST_REMEMBERED)
  }
}

const LATELY_MS = 10_000
const MOST_REMEMBERED = 10_000
/** After so many that are locked, those that were so lately are left; after so many more everybody is. They wait as rows of the list, for seconds. */
const MOST_LOCKED = { known: 4, all: 8 }

/** For the messages of one go: it ends before others take it for dead, however many wallets are locked. */
export function perGo(lately: LatelyLocked): WalletPatience {
  const once = onceEach()
  let found = 0
  return {
    for: (wallet) => {
      const isLately = lately.has(wallet)
      if (found >= (isLately ? MOST_LOCKED.known : MOST_LOCKED.all)) return 'none'
      const patience = once.for(wallet)
      return patience === 'usual' && isLately ? 'short' : patience
    },
    tried: (wallet, waited, isLocked) => {
      once.tried(wallet, waited, isLocked)
      lately.note(wallet, waited, isLocked)
      if (isLocked) found += 1
    },
  }
}

const LONGEST_BY_THE_WAY_MS = 1_000

/** For what nobody has told of: it can be left. */
export function byTheWay(clock: Clock, lately: LatelyLocked): WalletPatience {
  const once = onceEach()
  const until = monotonicMs(clock) + LONGEST_BY_THE_WAY_MS
  return {
    for: (wallet) =>
      once.for(wallet) === 'none' || lately.has(wallet) || monotonicMs(clock) >= until ? 'none' : 'short',
    tried: (wallet, waited, isLocked) => once.tried(wallet, waited, isLocked),
  }
}
