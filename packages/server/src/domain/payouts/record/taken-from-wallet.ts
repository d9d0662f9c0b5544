import type { MicroUsdc } from '../../../core/money.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'

/** A bank may count what the operator has added as sent, too. The wallet did not give that. */
export function takenFromWallet(payout: Pick<FollowedPayout, 'walletSends' | 'toppedUp'>, sent: MicroUsdc): MicroUsdc {
  const isWithTopUps = sent === payout.walletSends + (payout.toppedUp ?? 0n)
  return isWithTopUps ? payout.walletSends : sent
}
