// Money that the operator puts into a wallet. A sandbox that is at the bank gets it there, and the ledger follows as it
// does for any deposit; anywhere else it is an entry with a reason.
import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { MicroUsdc } from '../../core/money.ts'
import { pages } from '../../core/pages.ts'
import type { Scope } from '../../core/scope.ts'
import type { Deposit, PartnerBank } from '../../rail/partner-bank.ts'
import { type BankAccount, RailUnavailable } from '../../rail/rail.ts'
import { lockWalletOnRail, readAvailable } from '../../storage/ledger.ts'
import { bankAccountOf, findWallet } from '../../storage/wallets.ts'
import type { Deps } from '../deps.ts'
import { type Credit, creditWallet, creditWalletIn } from '../wallet/credit-wallet.ts'
import { creditDeposit } from './credit-deposits.ts'

/** Clocks may differ by this much. */
const LOOK_BACK_MS = 60_000

/** The balance after the credit. */
export async function creditByOperator(deps: Deps, scope: Scope, credit: Credit): Promise<MicroUsdc> {
  if (scope.environment === 'live') {
    await refuseWithoutBank(deps, scope)
    return creditWallet(deps, scope, credit)
  }
  const credited = await creditIfSimulated(deps, scope, credit)
  if (credited !== null) return credited
  const account = bankAccountOf(await findWallet(deps.db, scope))
  const bank = deps.banks.sandbox
  if (bank === null || account === null) {
    throw new AppError(
      'bank_unavailable',
      'This wallet is at the sandbox bank, which is not running. Start the service.',
    )
  }
  const since = after(deps.clock.now(), -LOOK_BACK_MS)
  try {
    await bank.addTestMoney(account, credit.amount, `credit:${newId(deps.clock.now())}`)
    for (const deposit of await depositsSince(bank, account, since)) {
      await deps.db.inTransaction((tx) => creditDeposit(tx, scope, deposit, deps.clock.now()))
    }
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The sandbox bank could not be given the money. ${error.message}`)
  }
  return readAvailable(deps.db, scope)
}

/** What a live wallet shows must be at a bank. A credit there corrects the books; it never is the money itself. */
async function refuseWithoutBank(deps: Deps, scope: Scope): Promise<void> {
  if (bankAccountOf(await findWallet(deps.db, scope)) !== null) return
  throw new AppError(
    'bank_unavailable',
    'Its live wallet is not open at any bank, so it can hold nothing. kestrel partner show says what is missing. Nothing was credited.',
  )
}

/** Null when the wallet is at the bank. Under its lock, because it may be on its way there. */
function creditIfSimulated(deps: Deps, scope: Scope, credit: Credit): Promise<MicroUsdc | null> {
  return deps.db.inTransaction(async (tx) => {
    const { rail } = await lockWalletOnRail(tx, scope)
    return rail === 'simulated' ? creditWalletIn(tx, scope, credit, deps.clock.now()) : null
  })
}

async function depositsSince(bank: PartnerBank, { customerRef }: BankAccount, since: Date): Promise<Deposit[]> {
  const found: Deposit[] = []
  for await (const page of pages((cursor) => bank.listDeposits('chain', since, cursor))) {
    found.push(...page.deposits.filter((deposit) => deposit.customerRef === customerRef))
  }
  return found
}
