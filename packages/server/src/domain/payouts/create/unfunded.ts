import { AppError } from '../../../core/errors.ts'
import { type MicroUsdc, formatUsdcHeld, formatUsdcSent } from '../../../core/money.ts'

/** An early check, before anything is reserved. The wallet's lock decides whether the money is there in the end. */
export function refuseUnfunded(walletSends: MicroUsdc, available: MicroUsdc): void {
  if (walletSends > available) throw unfunded(walletSends, available)
}

export function unfunded(walletSends: MicroUsdc, available: MicroUsdc): AppError {
  const details = { available_usdc: formatUsdcHeld(available), wallet_sends_usdc: formatUsdcSent(walletSends) }
  return new AppError(
    'insufficient_funds',
    `The wallet has ${details.available_usdc} USDC to spend and this payout needs ${details.wallet_sends_usdc}. Nothing was sent. Top up and retry with the same Idempotency-Key.`,
    { details },
  )
}
