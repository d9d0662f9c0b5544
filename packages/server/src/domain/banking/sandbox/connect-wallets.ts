// Opens wallets at the bank: for sandbox right after sign-up, for live once verification is approved. Each step is
// stored or can be found again, so the next round repairs a crash in the middle, however late.
import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Deposit, OpenedAccount, TopUpWays } from '../../../rail/account.ts'
import type { PartnerBank } from '../../../rail/port.ts'
import { lockWallet } from '../../../storage/ledger.ts'
import type { Tx } from '../../../storage/sql.ts'
import { type UnconnectedWallet, connectWallet, keepHolder, listUnconnectedWallets } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { beginWithBank, bringTestMoney, isAllBrought } from '../../wallet/move-to-bank.ts'
import { creditDeposit } from '../feeds/credit-deposits.ts'

const MOST_AT_ONCE = 20

/** Returns how many wallets were connected. */
export async function connectWallets(deps: Deps, environment: Environment): Promise<number> {
  const bank = deps.banks[environment]
  if (bank === null) return 0
  const waiting = await listUnconnectedWallets(deps.db, environment, MOST_AT_ONCE)
  const tried = await Promise.allSettled(waiting.map((wallet) => connectOne(deps, bank, wallet)))
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return tried.filter((each) => each.status === 'fulfilled' && each.value).length
}

async function connectOne(deps: Deps, bank: PartnerBank, wallet: UnconnectedWallet): Promise<boolean> {
  const holderRef = wallet.holderRef ?? (await openHolder(deps, bank, wallet))
  if (holderRef === null) return false
  const key = `${wallet.environment}:${wallet.partnerId}`
  const account = await bank.openWallet(holderRef, key)
  const ways = await bank.openTopUp(account, key)
  const putIn = await bringTestMoney(deps.db, wallet, { bank, account, key })
  const contents = await readContents(bank, account, ways)
  if (contents === null) return false
  return deps.db.inTransaction((tx) => connect(deps, tx, { scope: wallet, account, ways, contents, putIn }))
}

/** Null when another process has opened one meanwhile: the next round goes on with that one. */
async function openHolder(deps: Deps, bank: PartnerBank, wallet: UnconnectedWallet): Promise<string | null> {
  const { partnerId, name, contactEmail } = wallet
  const holderRef = await bank.openSandboxHolder({ id: partnerId, name, email: contactEmail })
  return (await keepHolder(deps.db, wallet, holderRef)) ? holderRef : null
}

interface Contents {
  readonly balance: MicroUsdc
  readonly deposits: readonly Deposit[]
}

/** Null when money arrives at this very moment: the next round then sees clearly. */
async function readContents(bank: PartnerBank, account: OpenedAccount, ways: TopUpWays): Promise<Contents | null> {
  const deposits = await bank.listAccountDeposits(account, ways)
  const balance = await bank.readWalletBalance(account)
  const again = await bank.listAccountDeposits(account, ways)
  return again.length === deposits.length ? { balance, deposits } : null
}

async function connect(
  deps: Deps,
  tx: Tx,
  opened: { scope: Scope; account: OpenedAccount; ways: TopUpWays; contents: Contents; putIn: MicroUsdc },
): Promise<boolean> {
  const { scope, account, ways, contents } = opened
  const now = deps.clock.now()
  const available = await lockWallet(tx, scope)
  // Somebody has put money in meanwhile: the next round brings that too.
  if (!(await isAllBrought(tx, scope, opened.putIn))) return false
  const isConnected = await connectWallet(tx, scope, {
    rail: deps.bankRails[scope.environment],
    chain: account.chain,
    address: ways.chainAddress,
    holderRef: account.holderRef,
    walletRef: account.walletRef,
    depositAccountRef: ways.bankRef,
    depositAccount: ways.bank,
    now,
  })
  if (!isConnected) return false
  const { balance, deposits } = contents
  const deposited = deposits.reduce((sum, deposit) => sum + deposit.amount, 0n)
  beginWithBank(tx, scope, { change: balance - deposited - available, now })
  for (const deposit of deposits) await creditDeposit(tx, scope, deposit, now)
  return true
}
