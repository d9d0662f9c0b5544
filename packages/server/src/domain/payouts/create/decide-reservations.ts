// Decides which payouts of one batch get the wallet's money, in order of arrival: a pure decision. For payouts with new keys
// one statement decides the same (storage/reserve-new-payouts.ts); a test compares the two.
import type { MicroUsdc } from '../../../core/money.ts'
import { subtractUsdc } from '../../../core/money.ts'
import type { LockedWallet } from '../../../storage/ledger.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Spending } from '../../../storage/spending-limits.ts'
import { stageOf } from '../progress.ts'

export type ReservationDecision =
  | { readonly kind: 'reserve' }
  /** The key's earlier attempt was certainly not sent: the same payout is tried again, at the current rate. */
  | { readonly kind: 'revive'; readonly row: PayoutRow }
  /** The key's earlier attempt was not sent, and asked for something else: it makes room. */
  | { readonly kind: 'supersede'; readonly row: PayoutRow }
  /** The key is bound, or its first request is still under way. */
  | { readonly kind: 'taken'; readonly row: PayoutRow }
  /** The bank made the key's earlier attempt all the same, and the operator has taken its money out of the books. */
  | { readonly kind: 'closed'; readonly row: PayoutRow }
  | { readonly kind: 'unfunded'; readonly available: MicroUsdc }
  /** The key was taken a moment ago and is free now: retry. */
  | { readonly kind: 'freed' }
  /** The wallet has been connected to the bank meanwhile: retry over its new rail. */
  | { readonly kind: 'moved' }
  /** The API key that asks for it has been revoked or has expired since it was looked up. */
  | { readonly kind: 'keyless' }
  /** All payouts of the account are paused. */
  | { readonly kind: 'paused' }
  /** Whoever asks for it has a spending limit, and no room left for it. */
  | { readonly kind: 'over_limit' }

export interface Candidate {
  readonly payout: NewPayout
  /** The payout that the key is bound to: none yet if the key is new, none any more if it was freed in between. */
  readonly row: PayoutRow | 'new' | undefined
}

const NO_KEYS: ReadonlySet<string> = new Set()

/** `keys`: the API keys of the batch that work, as was read under the wallet's lock. */
export function decideReservations(
  candidates: readonly Candidate[],
  wallet: LockedWallet,
  { limits = [], keys = NO_KEYS }: { readonly limits?: readonly Spending[]; readonly keys?: ReadonlySet<string> } = {},
): ReservationDecision[] {
  let { available } = wallet
  const rooms = new Map(limits.map((spending) => [spending.spenderId, new Room(spending)]))
  const claimed = new Set<string>()
  return candidates.map(({ payout, row }) => {
    if (row === undefined) return { kind: 'freed' }
    const wanted = row === 'new' ? ({ kind: 'reserve' } as const) : whatIsWanted(payout, row, claimed)
    if (row !== 'new') claimed.add(row.id)
    if (wanted.kind !== 'reserve' && wanted.kind !== 'revive') return wanted
    if (payout.keyId !== null && !keys.has(payout.keyId)) return { kind: 'keyless' }
    if (wallet.isPaused) return { kind: 'paused' }
    if (payout.rail !== wallet.rail) return { kind: 'moved' }
    const room = payout.spenderId === null ? undefined : rooms.get(payout.spenderId)
    if (room?.isTooSmallFor(payout.amount)) return { kind: 'over_limit' }
    if (payout.walletSends > available) return { kind: 'unfunded', available }
    room?.take(payout.amount)
    available = subtractUsdc(available, payout.walletSends)
    return wanted
  })
}

/** What a limit still has room for, while a batch is decided. */
class Room {
  readonly #limits: Spending
  #taken = 0n

  constructor(limits: Spending) {
    this.#limits = limits
  }

  isTooSmallFor(amount: bigint): boolean {
    const { maxPerPayout, daily, monthly, spentToday, spentThisMonth } = this.#limits
    const after = this.#taken + amount
    return (
      (maxPerPayout !== null && amount > maxPerPayout) ||
      (daily !== null && spentToday + after > daily) ||
      (monthly !== null && spentThisMonth + after > monthly)
    )
  }

  take(amount: bigint): void {
    this.#taken += amount
  }
}

function whatIsWanted(payout: NewPayout, row: PayoutRow, claimed: ReadonlySet<string>) {
  // Two requests of one batch may have one key: the first gets it.
  if (stageOf(row).key !== 'tries_again' || claimed.has(row.id)) return { kind: 'taken', row } as const
  if (row.debitedAt !== null) return { kind: 'closed', row } as const
  const fingerprints = [payout.fingerprint, ...(payout.olderFingerprints ?? [])]
  return fingerprints.some((fingerprint) => row.fingerprint.equals(fingerprint))
    ? ({ kind: 'revive', row } as const)
    : ({ kind: 'supersede', row } as const)
}
