// Top-ups: money that arrived at the bank is credited once, whoever tells us and however often.
import type { Environment } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { formatUsdcHeld } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import type { Deposit, PartnerBank } from '../../rail/partner-bank.ts'
import { keepDeposit } from '../../storage/deposits.ts'
import type { Tx } from '../../storage/sql.ts'
import { findScopes } from '../../storage/wallets.ts'
import type { Deps } from '../deps.ts'
import { creditWalletIn } from '../wallet/credit-wallet.ts'
import { readFeed } from './read-feed.ts'

const FEEDS = { bank: 'bank_deposits', chain: 'chain_deposits' } as const

export async function sweepDeposits(deps: Deps, environment: Environment): Promise<void> {
  const bank = deps.banks[environment]
  if (bank === null) return
  await sweepSource(deps, environment, bank, 'bank')
  await sweepSource(deps, environment, bank, 'chain')
}

function sweepSource(
  deps: Deps,
  environment: Environment,
  bank: PartnerBank,
  source: Deposit['source'],
): Promise<number | null> {
  return readFeed(deps, environment, FEEDS[source], {
    startFrom: after(deps.clock.now(), -60_000),
    page: async (since, cursor) => {
      const { deposits, next } = await bank.listDeposits(source, since, cursor)
      return { items: deposits, next }
    },
    updatedAt: (deposit: Deposit) => deposit.updatedAt,
    apply: (deposits) => creditAll(deps, environment, deposits),
  })
}

/** Those that must be read again: their wallet is being connected, and who connects it may not have seen them. */
async function creditAll(deps: Deps, environment: Environment, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const scopes = await findScopes(deps.db, environment, [...new Set(deposits.map((each) => each.customerRef))])
  const left: Deposit[] = []
  for (const deposit of deposits) {
    const owner = scopes.get(deposit.customerRef)
    const now = deps.clock.now()
    if (owner === undefined) {
      deps.onAlarm('a deposit is for nobody we know', { environment, depositRef: deposit.depositRef })
    } else if (owner.isConnected) await deps.db.inTransaction((tx) => creditDeposit(tx, owner.scope, deposit, now))
    else left.push(deposit)
  }
  return left
}

export async function creditDeposit(tx: Tx, scope: Scope, deposit: Deposit, at: Date): Promise<void> {
  const cause = newId(at)
  const isNew = await keepDeposit(tx, scope, { ...deposit, creditedAt: at }, cause)
  if (!isNew) return
  const way = deposit.source === 'bank' ? 'bank transfer' : 'USDC'
  const reason = `Top-up by ${way}: ${formatUsdcHeld(deposit.amount)} USDC`
  await creditWalletIn(tx, scope, { cause, amount: deposit.amount, reason }, at)
}
