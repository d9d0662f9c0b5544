import type { MicroUsdc } from '../../../core/money.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'

/**
 * A bank may count what the operator has added as sent, too. The wallet did not give that, and neither did it give what the
 * operator has asked the bank to add: the bank's answer may be under way, or lost.
 */
export function takenFromWallet(
  payout: Pick<PayoutRow, 'walletSends' | 'toppedUp' | 'toppingUp'>,
  sent: MicroUsdc,
): MicroUsdc {
  const withTopUps = payout.walletSends + (payout.toppedUp ?? 0n)
  const isWithTopUps = sent === withTopUps || sent === withTopUps + (payout.toppingUp ?? 0n)
  return isWithTopUps ? payout.walletSends : sent
}
