// What a transfer takes from the wallet so that the recipient gets an exact amount of pounds.
import { type MicroUsdc, type Pence, addUsdc, pence } from './money.ts'
import { type Rate, usdcThatBuys } from './rate.ts'

// The default plan of our own price list says 0.20 GBP + 0.50% for the bank's share, rounded half up to the penny.
// The bank pads the very same when it works the amount out itself, so that the two can be compared to the cent.
const PADDING_FIXED_PENCE = 20n
const PADDING_BASIS_POINTS = 50n

export function paddingFor(destination: Pence): Pence {
  return pence(PADDING_FIXED_PENCE + (destination * PADDING_BASIS_POINTS * 2n + 10_000n) / 20_000n)
}

interface Order {
  readonly destination: Pence
  readonly developerFee: MicroUsdc
  readonly rate: Rate
}

/** What the bank takes when it is not told how much: enough for a rate that moves a little. */
export function paddedAmount({ destination, developerFee, rate }: Order): MicroUsdc {
  return addUsdc(usdcThatBuys(pence(destination + paddingFor(destination)), rate), developerFee)
}

/** The least that buys the pounds and pays the developer's fee, rounded up to the cent. */
export function leastAmount({ destination, developerFee, rate }: Order): MicroUsdc {
  return addUsdc(usdcThatBuys(destination, rate), developerFee)
}
