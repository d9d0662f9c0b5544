// Test money and chosen endings, in a sandbox whose bank is our own. The bank is told what to do; what it then says is
// read back and recorded as always.
import { type SimulateRequest, UNDER_WAY } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import { type MicroUsdc, parseUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable, type SandboxControls, type Steering } from '../../../rail/port.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../../payouts/payout.ts'
import { readPayout } from '../../payouts/read/read-payout.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { sweepDeposits } from '../feeds/credit-deposits.ts'

type Outcome = SimulateRequest['outcome']

/**
 * The steps in order. Each step has several ways, of which the first that the bank allows is taken; a step without one
 * is skipped.
 */
const STEPS: Readonly<Record<Outcome, readonly (readonly Steering[])[]>> = {
  settle: [['settle']],
  return: [['settle'], ['return'], ['refund']],
  fail: [['undeliver'], ['refund']],
  // After it is handed over, the bank has to take it back before it can stop it.
  cancel: [['cancel', 'review'], ['cancel']],
}

export async function simulateOutcome(deps: Deps, scope: Scope, id: string, outcome: Outcome): Promise<Payout> {
  const payout = await readPayout(deps, scope, id)
  const controls = controlsFor(deps, scope)
  const { transferRef } = payout
  if (payout.rail !== deps.bankRails.sandbox)
    throw unavailable('This payout was made before the sandbox bank was there.')
  if (!mayEndSo(payout, outcome)) throw atRest(payout)
  if (transferRef === null) throw unavailable('The bank has not confirmed this payout yet. Try again shortly.')
  return withBank(async () => {
    let now = payout
    for (const ways of STEPS[outcome]) {
      await steer(controls, transferRef, ways)
      // Also after a step that the bank refused: it moves on by itself, and may have taken that step already.
      now = await readBack(deps, scope, now)
    }
    if (now.status !== ENDS[outcome]) throw atRest(now)
    return now
  })
}

const ENDS = { settle: 'completed', return: 'returned', fail: 'failed', cancel: 'cancelled' } as const satisfies Record<
  Outcome,
  Payout['status']
>

function mayEndSo({ status }: Payout, outcome: Outcome): boolean {
  return UNDER_WAY.has(status) || (status === 'completed' && outcome === 'return')
}

async function steer(controls: SandboxControls, transferRef: string, ways: readonly Steering[]): Promise<void> {
  for (const way of ways) if (await controls.steer(transferRef, way)) return
}

async function readBack(deps: Deps, scope: Scope, payout: Payout): Promise<Payout> {
  const transfer = await railNamed(deps, payout.rail).readListed(payout.transferRef!)
  if (transfer === null) return payout
  return (await recordNews(deps, scope, [{ payoutId: payout.id, transfer }])).get(payout.id) ?? payout
}

const LEAST = parseUsdc('1.00')!
const MOST = parseUsdc('100000.00')!

export async function simulateTopUp(
  deps: Deps,
  scope: Scope,
  deposit: { usdc: string; source: 'bank' | 'chain' },
): Promise<void> {
  const controls = controlsFor(deps, scope)
  const amount = acceptedAmount(deposit.usdc)
  const walletRef = (await findWallet(deps.db, scope))?.walletRef ?? null
  if (walletRef === null) throw unavailable('The wallet is not connected to the sandbox bank yet. Try again shortly.')
  await withBank(async () => {
    await controls.deposit(walletRef, { amount, source: deposit.source })
    await sweepDeposits(deps, 'sandbox')
  })
}

function acceptedAmount(text: string): MicroUsdc {
  const amount = parseUsdc(text)
  if (amount !== null && amount >= LEAST && amount <= MOST) return amount
  throw new AppError('invalid_request', 'A top-up is from 1.00 to 100000.00 USDC.', {
    details: { fields: ['usdc (1.00 to 100000.00, with two decimals)'] },
  })
}

function controlsFor(deps: Deps, scope: Scope): SandboxControls {
  if (scope.environment === 'live') throw unavailable('Only the sandbox can be told what to do.')
  if (deps.sandboxControls !== null) return deps.sandboxControls
  throw unavailable('There is no sandbox bank of our own here that could be told what to do.')
}

async function withBank<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', 'The sandbox bank did not answer. Try again shortly.', {
      retryAfterSeconds: 2,
    })
  }
}

function unavailable(message: string): AppError {
  return new AppError('simulation_unavailable', message)
}

function atRest({ id, status }: Payout): AppError {
  return new AppError('simulation_unavailable', `Payout ${id} is ${status} and cannot end that way any more.`, {
    details: { status },
  })
}
