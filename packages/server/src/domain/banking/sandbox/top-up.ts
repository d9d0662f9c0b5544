// Test money for a sandbox. The bundled bank is told of a deposit, which is credited as always; without a bank, the
// sandbox is credited as the operator would.
import type { TopUpRequest } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import { type MicroUsdc, parseUsdc } from '../../../core/money.ts'
import { SIMULATED } from '../../../core/rail-name.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { type Limit, takeOrRefuse } from '../../limits/limit.ts'
import { creditWallet } from '../../wallet/credit-wallet.ts'
import { sweepDeposits } from '../feeds/credit-deposits.ts'
import { NO_OWN_BANK, unavailable, withBank } from './simulate.ts'

const LEAST = parseUsdc('1.00')!
const MOST = parseUsdc('100000.00')!

/** Each one has the deposits of all sandboxes looked through. */
const TOP_UPS: Limit = {
  name: 'sandbox/top-up',
  everyMs: 2_000,
  burst: 50,
  refusal: 'There were very many top-ups of this sandbox. Wait as long as Retry-After says, or add more at once.',
}

export async function simulateTopUp(deps: Deps, scope: Scope, { usdc, source }: TopUpRequest): Promise<void> {
  const amount = acceptedAmount(usdc)
  await deps.db.inTransaction((tx) => takeOrRefuse(tx, deps, TOP_UPS, scope.partnerId))
  const wallet = await findWallet(deps.db, scope)
  if (deps.banks.sandbox === null && wallet?.rail === SIMULATED) {
    await creditWallet(deps, scope, { amount, reason: 'Test money' })
    return
  }
  const controls = deps.sandboxControls
  if (controls === null) throw unavailable(NO_OWN_BANK)
  const walletRef = wallet?.walletRef ?? null
  if (walletRef === null) throw unavailable('The wallet is not connected to the sandbox bank yet. Try again shortly.')
  await withBank(async () => {
    await controls.deposit(walletRef, { amount, source })
    // Only so that it shows at once. It has been told: whoever were answered that it failed would ask for it twice.
    await sweepDeposits(deps, 'sandbox').catch(unlessBankIsAway)
  })
}

function unlessBankIsAway(error: unknown): void {
  if (!(error instanceof RailUnavailable)) throw error
}

function acceptedAmount(text: string): MicroUsdc {
  const amount = parseUsdc(text)
  if (amount !== null && amount >= LEAST && amount <= MOST) return amount
  throw new AppError('invalid_request', 'A top-up is from 1.00 to 100000.00 USDC.', {
    details: { fields: ['usdc (1.00 to 100000.00, with two decimals)'] },
  })
}
