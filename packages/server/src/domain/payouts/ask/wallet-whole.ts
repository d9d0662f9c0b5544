// Whether the bank's wallet still holds what is held here for payouts that nobody knows the bank to have.
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import type { WalletAtBank } from '../../../rail/transfer.ts'
import { readAtBank } from '../../../storage/ledger.ts'
import type { Deps } from '../../deps.ts'

/**
 * Whether the wallet holds all that it must, with what is held; null: the bank cannot be asked. The bank is read first: what
 * moves meanwhile then looks like more, not less.
 */
export async function isWalletWhole(
  deps: Deps,
  { scope, account }: { scope: Scope; account: WalletAtBank | null },
  held: MicroUsdc,
): Promise<boolean | null> {
  const bank = deps.banks[scope.environment]
  if (bank === null || account === null) return false
  const theirs = await bank.readWalletBalance(account).catch(unlessUnavailable)
  if (theirs === null) return null
  return theirs >= (await readAtBank(deps.db.lookup, scope)) + held
}

export function unlessUnavailable(error: unknown): null {
  if (!(error instanceof RailUnavailable)) throw error
  return null
}
