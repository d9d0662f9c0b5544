// Opens wallets at the bank: for sandbox right after sign-up, for live once verification is approved. Each step is
// stored or can be found again, so the next try repairs a crash in the middle, however late. When that is, is in
// connect-later.ts.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Deposit, OpenedAccount, TopUpWays } from '../../../rail/account.ts'
import { BankRefusal, type PartnerBank, RailUnavailable } from '../../../rail/port.ts'
import {
  type HalfConnectedWallet,
  type UnconnectedWallet,
  claimHalfConnectedWallets,
  claimUnconnectedWallets,
  completeWallet,
  putOffConnecting,
} from '../../../storage/connecting.ts'
import { lockWallet } from '../../../storage/ledger.ts'
import type { Tx } from '../../../storage/sql.ts'
import { connectWallet, keepHolder } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { beginWithBank, bringTestMoney, isAllBrought } from '../../wallet/move-to-bank.ts'
import { creditDeposit } from '../feeds/credit-deposits.ts'
import { countedOnce } from '../feeds/left-out-deposits.ts'
import { connectLater } from './connect-later.ts'
import { approvedFor } from './approved-for.ts'

const MOST_AT_ONCE = 20
/** Longer than connecting takes with a bank that is slow at each step: a process that died is taken over after that. */
const LEASE_MS = 2 * 60_000

/** Returns how many wallets were connected, or completed. */
export async function connectWallets(deps: Deps, environment: Environment): Promise<number> {
  const bank = deps.banks[environment]
  if (bank === null) return 0
  const now = deps.clock.now()
  const claim = { environment, now, until: after(now, LEASE_MS), most: MOST_AT_ONCE }
  const waiting = await claimUnconnectedWallets(deps.db, claim)
  const half = await claimHalfConnectedWallets(deps.db, claim)
  const tried = await Promise.allSettled([
    ...waiting.map((wallet) => orLater(deps, wallet, () => connectOne(deps, bank, wallet))),
    ...half.map((wallet) => orLater(deps, wallet, () => completeOne(deps, bank, wallet))),
  ])
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return tried.filter((each) => each.status === 'fulfilled' && each.value).length
}

async function orLater(deps: Deps, wallet: UnconnectedWallet, work: () => Promise<boolean>): Promise<boolean> {
  try {
    const isDone = await work()
    // Nothing was wrong: somebody put money in, or was quicker. The next round looks again.
    if (!isDone)
      await putOffConnecting(deps.db, wallet, { tries: wallet.tries, isRefused: false, until: null, trouble: null })
    return isDone
  } catch (error) {
    await connectLater(deps, wallet, error)
    throw error
  }
}

/** Another one after each refusal: the bank may keep a refusal under its key. */
function keyOf({ environment, partnerId, refusals }: UnconnectedWallet): string {
  return `${environment}:${partnerId}${refusals === 0 ? '' : `:${refusals}`}`
}

async function connectOne(deps: Deps, bank: PartnerBank, wallet: UnconnectedWallet): Promise<boolean> {
  const key = keyOf(wallet)
  const holderRef = wallet.holderRef ?? (await openHolder(deps, bank, wallet, key))
  if (holderRef === null) return false
  await approvedFor(bank, wallet.environment, holderRef)
  const account = await bank.openWallet(holderRef, key)
  const ways = await bank.openTopUp(account, key)
  const putIn = await bringTestMoney(deps.db, wallet, { bank, account, key })
  const contents = await readContents(bank, account, ways)
  const isConnected = await deps.db.inTransaction((tx) =>
    connect(deps, tx, { scope: wallet, account, ways, contents, putIn }),
  )
  if (isConnected && ways.bankRef === null) await connectLater(deps, { ...wallet, tries: 0 }, noPounds(ways))
  return isConnected
}

/** Opens the account in pounds of a wallet that was connected without one. */
async function completeOne(deps: Deps, bank: PartnerBank, wallet: HalfConnectedWallet): Promise<boolean> {
  const { holderRef, walletRef } = wallet
  await approvedFor(bank, wallet.environment, holderRef)
  const { bankRef, bank: account, bankRefusal } = await bank.openTopUp({ holderRef, walletRef }, keyOf(wallet))
  if (bankRef === null || account === null) throw noPounds({ bankRefusal })
  await completeWallet(deps.db, wallet, { depositAccountRef: bankRef, depositAccount: account })
  return true
}

function noPounds({ bankRefusal }: Pick<TopUpWays, 'bankRefusal'>): BankRefusal {
  return new BankRefusal(
    `No account in pounds, only an address for USDC. ${bankRefusal ?? 'The bank does not say why.'}`,
  )
}

/** Null when another process has opened one meanwhile: the next round goes on with that one. */
async function openHolder(
  deps: Deps,
  bank: PartnerBank,
  wallet: UnconnectedWallet,
  key: string,
): Promise<string | null> {
  const holderRef = await bank.openSandboxHolder({ id: wallet.partnerId, name: wallet.name }, key)
  return (await keepHolder(deps.db, wallet, holderRef)) ? holderRef : null
}

interface Contents {
  readonly balance: MicroUsdc
  readonly deposits: readonly Deposit[]
}

/**
 * Money that arrives or is undone at this very moment is seen clearly by the next try. A bank that never lists the same twice is
 * told of like any other trouble.
 */
async function readContents(bank: PartnerBank, account: OpenedAccount, ways: TopUpWays): Promise<Contents> {
  const deposits = await bank.listAccountDeposits(account, ways)
  const balance = await bank.readWalletBalance(account)
  const again = await bank.listAccountDeposits(account, ways)
  if (namesOf(again) === namesOf(deposits)) return { balance, deposits }
  throw new RailUnavailable('The bank listed other deposits when it was asked again.')
}

/** Whatever the order in which they are listed. */
function namesOf(deposits: readonly Deposit[]): string {
  return JSON.stringify(deposits.map(({ depositRef, amount }) => `${depositRef} ${amount}`).toSorted())
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
  const { balance } = contents
  const deposits = await countedOnce(tx, scope, contents.deposits)
  const deposited = deposits.reduce((sum, deposit) => sum + deposit.amount, 0n)
  beginWithBank(tx, scope, { change: balance - deposited - available, now })
  for (const deposit of deposits) await creditDeposit(deps, tx, scope, deposit)
  return true
}
