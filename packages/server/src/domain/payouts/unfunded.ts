import { AppError } from '../../core/errors.ts'
import { type MicroUsdc, formatUsdcHeld, formatUsdcSent } from '../../core/money.ts'

/** Before anything is set aside; whether the money is there when it is, the wallet's lock decides. */
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
