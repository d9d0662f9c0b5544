import { unknownId } from '../core/bank-error.ts'
import { newAddress, newId } from '../core/ids.ts'
import { microUsdc, usdcFromCents } from '../core/money.ts'
import { lockCustomer } from '../storage/customers.ts'
import type { Tx } from '../storage/sql.ts'
import { postMovements } from '../storage/wallet-movements.ts'
import { type Chain, type Wallet, insertWallet } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { refuseBeforeApproval } from './onboarding.ts'

/** 10,000.00 USDC at 0.79 is the specification's sandbox float of about 7,900 GBP. */
const SANDBOX_FLOAT = usdcFromCents(1_000_000n)

/** A customer's first wallet comes with the sandbox's float; further ones start empty. */
export async function openWallet(deps: BankDeps, tx: Tx, input: { customerId: string; chain: Chain }): Promise<Wallet> {
  const customer = await lockCustomer(tx, input.customerId)
  if (customer === null) throw unknownId('customer')
  refuseBeforeApproval(customer)
  const now = deps.clock.now()
  const wallet: Wallet = {
    id: newId(),
    ...input,
    address: newAddress(input.chain),
    balance: microUsdc(0n),
    createdAt: now,
    updatedAt: now,
  }
  const { isFirst } = await insertWallet(tx, wallet)
  if (!isFirst) return wallet
  const float = { walletId: wallet.id, kind: 'float', cause: wallet.id, amount: SANDBOX_FLOAT } as const
  postMovements(tx, [float], now)
  return { ...wallet, balance: SANDBOX_FLOAT }
}
