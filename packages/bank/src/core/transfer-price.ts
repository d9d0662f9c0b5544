// What a transfer takes from the wallet so that the recipient gets an exact amount of pounds.
import { type MicroUsdc, type Pence, addUsdc, pence, subtractUsdc } from './money.ts'
import { type Rate, usdcThatBuys } from './rate.ts'

export interface TransferPrice {
  /** What the wallet is debited. */
  readonly amount: MicroUsdc
  readonly developerFee: MicroUsdc
  /** What the bank keeps: all that is neither the developer's nor needed for the bare conversion. */
  readonly exchangeFee: MicroUsdc
}

// The default plan of our own price list says 0.20 GBP + 0.50% for the bank's share, rounded half up to the penny.
// The bank asks for the very same when it works the amount out itself, so that the two can be compared to the cent.
const SHARE_FIXED_PENCE = 20n
const SHARE_BASIS_POINTS = 50n

export function bankShare(destination: Pence): Pence {
  return pence(SHARE_FIXED_PENCE + (destination * SHARE_BASIS_POINTS * 2n + 10_000n) / 20_000n)
}

interface Order {
  readonly destination: Pence
  readonly developerFee: MicroUsdc
  readonly rate: Rate
}

export function priceTransfer(order: Order): TransferPrice {
  const converted = usdcThatBuys(pence(order.destination + bankShare(order.destination)), order.rate)
  return priceOf(order, addUsdc(converted, order.developerFee))
}

/** Null when the amount offered does not buy the pounds that are to arrive. */
export function priceOfferedAmount(order: Order, offered: MicroUsdc): TransferPrice | null {
  const price = priceOf(order, offered)
  return price.exchangeFee < 0n ? null : price
}

function priceOf(order: Order, amount: MicroUsdc): TransferPrice {
  const bare = usdcThatBuys(order.destination, order.rate)
  const { developerFee } = order
  return { amount, developerFee, exchangeFee: subtractUsdc(subtractUsdc(amount, developerFee), bare) }
}
