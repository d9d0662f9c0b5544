// Puts a sandbox back to its beginning, for a program whose tests want to start from the same place. History stays: payouts,
// entries and events are what they were.
import { AppError } from '../../../core/errors.ts'
import type { MicroUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { countFollowedUnderWay, listTransfersToCancel } from '../../../storage/payout-follow-ups.ts'
import { findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { type Limit, takeOrRefuse } from '../../limits/limit.ts'
import { type Switching, resumePayouts } from '../../partners/pause-payouts.ts'
import { resetBalance } from './reset-balance.ts'
import { NO_OWN_BANK, simulateOutcome, unavailable } from './simulate.ts'

/** Each asks the bank four times per payout; what is more is told, and ended by the next reset. */
const MOST_PAYOUTS = 200
const MOST_AT_ONCE = 8

const RESETS: Limit = {
  name: 'sandbox/reset',
  everyMs: 10_000,
  burst: 10,
  refusal: 'This sandbox was reset very often. Wait as long as Retry-After says.',
}

export interface ResetSandbox {
  readonly balance: MicroUsdc
  /** Payouts that were cancelled. */
  readonly ended: number
  /** Payouts that are under way still: the bank has not confirmed them, or they are too many for one reset. */
  readonly left: number
}

export async function resetSandbox(deps: Deps, wanted: Switching): Promise<ResetSandbox> {
  const scope = { partnerId: wanted.partner.id, environment: 'sandbox' } as const
  const wallet = await findWallet(deps.db, scope)
  const isAtBank = deps.banks.sandbox !== null
  if (isAtBank && deps.sandboxControls === null) throw unavailable(NO_OWN_BANK)
  if (isAtBank && (wallet?.walletRef ?? null) === null) {
    throw unavailable('The wallet is not connected to the sandbox bank yet. Try again shortly.')
  }
  await deps.db.inTransaction((tx) => takeOrRefuse(tx, deps, RESETS, scope.partnerId))
  await resumePayouts(deps, { ...wanted, environment: 'sandbox' }, { only: 'whichever holds' })
  const ended = await endPayouts(deps, scope)
  const balance = await resetBalance(deps, scope)
  return { balance, ended, left: await countFollowedUnderWay(deps.db, scope) }
}

async function endPayouts(deps: Deps, scope: Scope): Promise<number> {
  const underWay = await listTransfersToCancel(deps.db, scope, MOST_PAYOUTS)
  let ended = 0
  for (let index = 0; index < underWay.length; index += MOST_AT_ONCE) {
    const some = underWay.slice(index, index + MOST_AT_ONCE)
    const each = await Promise.all(some.map(({ id }) => cancelled(deps, scope, id)))
    ended += each.filter(Boolean).length
  }
  return ended
}

/** False for one that has come to its end meanwhile, or cannot be told. */
async function cancelled(deps: Deps, scope: Scope, id: string): Promise<boolean> {
  try {
    await simulateOutcome(deps, scope, id, { outcome: 'cancel' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'simulation_unavailable') return false
    throw error
  }
}
