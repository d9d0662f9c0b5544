// The exchange of a transfer's dollars, at the moment when it is handed over: what it has too much goes to the developer's
// own wallet, and what it has too little is asked for.
import { type MicroUsdc, addUsdc, microUsdc, negateUsdc, subtractUsdc } from '../core/money.ts'
import type { Rate } from '../core/rate.ts'
import { givesMoneyBack } from '../core/transfer-moves.ts'
import { leastAmount } from '../core/transfer-price.ts'
import type { BankTerms } from '../storage/bank-terms.ts'
import type { Transfer } from '../storage/transfers.ts'
import type { Movement } from '../storage/wallet-movements.ts'

export type Exchanged = Pick<Transfer, 'state' | 'rate' | 'surplus' | 'missing'>

/** A transfer is exchanged once, however often it is handed over. */
export function exchange(transfer: Transfer, rate: Rate): Exchanged {
  const handedOver = { state: 'payment_submitted', missing: null } as const
  if (transfer.surplus !== null) return { ...handedOver, rate: transfer.rate, surplus: transfer.surplus }
  const needed = leastAmount({ ...transfer, rate })
  const has = addUsdc(transfer.amount, transfer.toppedUp)
  if (has >= needed) return { ...handedOver, rate: rate.text, surplus: subtractUsdc(has, needed) }
  return { state: 'underfunded', rate: rate.text, surplus: null, missing: subtractUsdc(needed, has) }
}

export interface MoneyBack {
  /** What the wallet gets. */
  readonly refunded: MicroUsdc
  /** What the developer's own wallet gives for it. */
  readonly surplusBack: MicroUsdc
  /** What the developer had added, which is the developer's again. */
  readonly toppedUpBack: MicroUsdc
}

const NOTHING = microUsdc(0n)

/**
 * What a refund is made of. `asked` is what the control plane says that comes back. `excess` is what the developer's own
 * wallet holds: what was taken out of it cannot come back.
 */
export function moneyBack(
  transfer: Transfer,
  of: { terms: BankTerms; excess: MicroUsdc; asked: MicroUsdc | null },
): MoneyBack {
  const surplus = transfer.surplus ?? NOTHING
  const toppedUpBack = transfer.toppedUp
  if (of.asked !== null) return { refunded: of.asked, surplusBack: NOTHING, toppedUpBack: NOTHING }
  if (of.terms.refundsReturn === 'converted') {
    const converted = subtractUsdc(addUsdc(transfer.amount, transfer.toppedUp), surplus)
    const refunded = converted < transfer.amount ? converted : transfer.amount
    return { refunded, surplusBack: NOTHING, toppedUpBack: subtractUsdc(converted, refunded) }
  }
  const surplusBack = surplus < of.excess ? surplus : of.excess
  const kept = subtractUsdc(surplus, surplusBack)
  return { refunded: subtractUsdc(transfer.amount, kept), surplusBack, toppedUpBack }
}

/** The movements that go with a change of one transfer. */
export function movementsOf(
  { was, is, back }: { was: Transfer; is: Transfer; back: MoneyBack | null },
  excessWalletId: string,
): Movement[] {
  const { id: cause, walletId } = is
  const excess = { walletId: excessWalletId, cause }
  const isExchangedNow = was.surplus === null && is.surplus !== null
  const movements: Movement[] = []
  if (isExchangedNow) movements.push({ ...excess, kind: 'surplus', amount: is.surplus ?? NOTHING })
  if (back !== null && givesMoneyBack(is.state)) {
    movements.push(
      { walletId, cause, kind: 'refund', amount: back.refunded },
      { ...excess, kind: 'surplus_back', amount: negateUsdc(back.surplusBack) },
      { ...excess, kind: 'top_up_back', amount: back.toppedUpBack },
    )
  }
  return movements.filter(({ amount }) => amount !== 0n)
}
