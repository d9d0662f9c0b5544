import type { MicroUsdc } from '../../../core/money.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'

type Sent = Pick<TransferSnapshot, 'send' | 'state'>
type Reserved = Pick<PayoutRow, 'walletSends' | 'toppedUp' | 'toppingUp' | 'bankSent'>

/**
 * What the bank says that it took from the wallet; what is recorded, where it does not say so. A bank may count what the
 * operator has added as sent, too. The wallet did not give that, and neither did it give what the operator has asked the bank
 * to add: the bank's answer may be under way, or lost.
 */
export function takenFromWallet(payout: Reserved, transfer: Sent): MicroUsdc {
  const { walletSends, toppedUp, toppingUp, bankSent } = payout
  const { send } = transfer
  if (send === undefined) return bankSent ?? walletSends
  const withTopUps = walletSends + (toppedUp ?? 0n)
  const isWithTopUps = send === withTopUps || send === withTopUps + (toppingUp ?? 0n)
  if (isWithTopUps) return walletSends
  // What cannot be takes nothing back from what was believed before.
  return isTooLittle(payout, send) || isFarTooMuch(payout, send) ? (bankSent ?? walletSends) : send
}

/** The bank has drawn the wallet and says that it took less than can have paid for the pounds, or far more than they cost. */
export function saysWhatCannotBe(payout: Reserved, { send, state }: Sent): boolean {
  if (send === undefined) return false
  const isDrawn = state !== 'accepted' && state !== 'awaiting_funds'
  return isFarTooMuch(payout, send) || (isDrawn && isTooLittle(payout, send))
}

/** Nobody can leave over more than there was: what the wallet sent, and what the operator added. */
export function isTooMuch({ walletSends, toppedUp, toppingUp, bankSent }: Reserved, surplus: bigint): boolean {
  const sent = bankSent !== null && bankSent > walletSends ? bankSent : walletSends
  return surplus > sent + (toppedUp ?? 0n) + (toppingUp ?? 0n)
}

/**
 * The bank's share is the least part of what a payout costs. A bank that took no more than three quarters has not drawn the
 * wallet yet, or is wrong: money is not given back for that.
 */
function isTooLittle({ walletSends }: Reserved, send: MicroUsdc): boolean {
  return send * 4n <= walletSends * 3n
}

/** The order said what to take. A bank that took more than twice as much is wrong: the partner is not debited for that. */
function isFarTooMuch({ walletSends, toppedUp, toppingUp }: Reserved, send: MicroUsdc): boolean {
  return send > 2n * (walletSends + (toppedUp ?? 0n) + (toppingUp ?? 0n))
}
