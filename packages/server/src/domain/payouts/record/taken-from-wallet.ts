import type { MicroUsdc } from '../../../core/money.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'

/** A bank may count what the operator has added as sent, too. The wallet did not give that. */
export function takenFromWallet(payout: Pick<PayoutRow, 'walletSends' | 'toppedUp'>, sent: MicroUsdc): MicroUsdc {
  const isWithTopUps = sent === payout.walletSends + (payout.toppedUp ?? 0n)
  return isWithTopUps ? payout.walletSends : sent
}
