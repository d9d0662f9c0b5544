import { AppError } from '../../core/errors.ts'
import { type MicroUsdc, parseUsdc } from '../../core/money.ts'

/** Max-Wallet-Debit-USDC: the most that the wallet may send; null when the caller sets no limit. */
export function maxWalletDebit(header: string | string[] | undefined): MicroUsdc | null {
  if (header === undefined) return null
  const amount = typeof header === 'string' ? parseUsdc(header) : null
  if (amount !== null) return amount
  throw new AppError(
    'invalid_header',
    'The header Max-Wallet-Debit-USDC must be USDC with two decimals, such as 33.30.',
  )
}
