// Money that comes in. Everything from its arrival to the wallet is one step here, because in the sandbox nothing can
// go wrong in between.
import { conflict } from '../core/bank-error.ts'
import { after } from '../core/clock.ts'
import { newAddress, newId, newTransactionHash } from '../core/ids.ts'
import type { MicroUsdc, Pence } from '../core/money.ts'
import { penceBehindDeposit, usdcForDeposit } from '../core/rate.ts'
import { readRate } from '../storage/bank-state.ts'
import { readTerms } from '../storage/bank-terms.ts'
import { recordEvents } from '../storage/events.ts'
import { type Drain, insertDrain, newestLiquidationAddressOf } from '../storage/liquidation-addresses.ts'
import type { Tx } from '../storage/sql.ts'
import {
  DEPOSIT_STEPS,
  insertBankDeposit,
  insertVirtualAccountEvents,
  newestVirtualAccountOf,
} from '../storage/virtual-accounts.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { type Wallet, lockWallets } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { drainCreated, drainMoved, virtualAccountActivity } from './bank-events.ts'

/** At least one of the two is given; the other follows from the rate. */
export interface BankCredit {
  readonly received: Pence | null
  readonly credited: MicroUsdc | null
}

/** A bank transfer to the wallet's virtual account. */
export async function receiveBankDeposit(
  deps: BankDeps,
  tx: Tx,
  wallet: Wallet,
  credit: BankCredit,
): Promise<{ depositId: string }> {
  const account = await newestVirtualAccountOf(tx, wallet.id)
  if (account === null) {
    throw conflict('no_virtual_account', 'The wallet has no virtual account that a bank transfer could arrive at.')
  }
  const now = deps.clock.now()
  const [amounts, { depositsShownIn: shownIn }] = [await bothAmounts(tx, credit), await readTerms(tx)]
  const deposit = { id: newId(), virtualAccountId: account.id, ...amounts, shownIn, at: now }
  await insertBankDeposit(tx, deposit)
  const activities = DEPOSIT_STEPS.map((type, index) => ({
    id: newId(),
    type,
    depositId: deposit.id,
    virtualAccountId: account.id,
    customerId: account.customerId,
    chain: account.chain,
    ...amounts,
    shownIn,
    createdAt: after(now, index),
  }))
  await insertVirtualAccountEvents(tx, activities)
  await creditWallet(tx, wallet, { cause: deposit.id, amount: amounts.credited, source: 'bank', at: now })
  recordEvents(
    tx,
    activities.map((activity) => virtualAccountActivity(activity, deps.publicUrl())),
    now,
  )
  return { depositId: deposit.id }
}

async function bothAmounts(
  tx: Tx,
  credit: BankCredit,
): Promise<{ received: Pence; credited: MicroUsdc; rate: string }> {
  const rate = await readRate(tx)
  const { received, credited } = credit
  if (received !== null) return { received, credited: credited ?? usdcForDeposit(received, rate), rate: rate.text }
  if (credited !== null) return { received: penceBehindDeposit(credited, rate), credited, rate: rate.text }
  throw new Error('This should be impossible: a deposit has an amount in one currency at least')
}

/** USDC sent to the wallet's liquidation address. */
export async function receiveOnchainDeposit(
  deps: BankDeps,
  tx: Tx,
  wallet: Wallet,
  amount: MicroUsdc,
): Promise<{ depositId: string }> {
  const address = await newestLiquidationAddressOf(tx, wallet.id)
  if (address === null) {
    throw conflict('no_liquidation_address', 'The wallet has no liquidation address that USDC could be sent to.')
  }
  const now = deps.clock.now()
  const received: Drain = {
    id: newId(),
    liquidationAddressId: address.id,
    customerId: address.customerId,
    chain: address.chain,
    walletChain: address.walletChain,
    walletAddress: address.walletAddress,
    amount,
    state: 'funds_received',
    depositTxHash: newTransactionHash(),
    destinationTxHash: newTransactionHash(),
    fromAddress: newAddress(address.chain),
    createdAt: now,
    updatedAt: now,
  }
  const processed: Drain = { ...received, state: 'payment_processed', updatedAt: after(now, 1) }
  await insertDrain(tx, processed)
  await creditWallet(tx, wallet, { cause: processed.id, amount, source: 'onchain', at: now })
  const url = deps.publicUrl()
  recordEvents(tx, [drainCreated(received, url), drainMoved(received, processed, url)], now)
  return { depositId: processed.id }
}

/** The real bank's own shortcut: straight into the wallet, or through the liquidation address when there is one. */
export async function simulateDeposit(deps: BankDeps, tx: Tx, wallet: Wallet, amount: MicroUsdc): Promise<void> {
  if ((await newestLiquidationAddressOf(tx, wallet.id)) !== null) {
    await receiveOnchainDeposit(deps, tx, wallet, amount)
    return
  }
  await creditWallet(tx, wallet, { cause: newId(), amount, source: 'onchain', at: deps.clock.now() })
}

async function creditWallet(
  tx: Tx,
  wallet: Wallet,
  credit: { cause: string; amount: MicroUsdc; source: 'bank' | 'onchain'; at: Date },
): Promise<void> {
  await lockWallets(tx, [wallet.id])
  const { cause, amount, source, at } = credit
  postMovements(tx, [{ walletId: wallet.id, kind: 'deposit', cause, amount, source }], at)
}
