// Whether a payout's money is back in the bank's wallet although the bank does not say so of its transfer. The only
// sign is that the wallet holds more than our books say, so nothing else may explain that.
import type { Environment } from '@kestrel/contract'

import { pause } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { formatUsdcExact, microUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import { listMoneyUnderWay } from '../../../storage/bank-comparison.ts'
import { listUncredited } from '../../../storage/bank-rows-waiting.ts'
import { listNotCredited } from '../../../storage/deposits-not-credited.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { isAccountedFor } from '../reconcile/accounted-for.ts'
import { surplusAtBank } from '../reconcile/compare-wallet.ts'
import { sweepDeposits } from '../feeds/credit-deposits.ts'
import { sweepTransfers } from '../feeds/sweep-transfers.ts'

const LOOKS = 2
const PAUSE_MS = 700
/** A worker reads a list within moments; one that takes longer has much to record. */
const TRIES = 8

/** Records everything that the bank lists: what that explains is no refund. */
export async function bringHome(deps: Deps, environment: Environment): Promise<void> {
  try {
    await untilRead(deps, () => sweepTransfers(deps, environment))
    await untilRead(deps, () => sweepDeposits(deps, environment))
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The bank could not be asked, so nothing was changed. ${error.message}`)
  }
}

async function untilRead({ clock }: Deps, read: () => Promise<number | null>): Promise<void> {
  for (let tries = 1; (await read()) === null; tries++) {
    if (tries === TRIES) {
      const message =
        'The bank’s lists are being read this very moment. Try again in half a minute. Nothing was changed.'
      throw new AppError('invalid_request', message)
    }
    await pause(clock, PAUSE_MS)
  }
}

/** Null: the money is back. Otherwise the reason why not, for the operator. Call `bringHome` before. */
export async function whyNotBack(deps: Deps, scope: Scope, row: PayoutRow): Promise<string | null> {
  const rail = railOfBank(deps, scope.environment)
  const unfunded = [...rail.words.unfunded]
  const others = await listMoneyUnderWay(deps.db, scope, { except: row.id, rail: rail.name, unfunded })
  if (others.length > 0) {
    return `Money of this wallet’s ${others.join(', ')} is under way at the bank too, so nobody can tell whose it is. Wait for those to end; one that the bank stands by is ended with kestrel payout resolve --completed.`
  }
  const uncredited = await listUncredited(deps.db, scope.environment)
  if (uncredited.length > 0) {
    return `The bank’s deposit ${uncredited.join(', ')} is not credited yet, and may be what it holds more. See kestrel bank feeds.`
  }
  const wanted = row.bankSent ?? row.walletSends
  const leftOut = (await listNotCredited(deps.db, scope)).filter(({ isPutIn }) => !isPutIn)
  if (
    isAccountedFor(
      wanted,
      leftOut.map(({ amount }) => amount),
    )
  ) {
    const refs = leftOut.map(({ depositRef }) => depositRef).join(', ')
    return `The bank’s deposit ${refs} was left out, and may be what it holds more. If it is, put it in first: kestrel wallet credit … --reference deposit:REF.`
  }
  for (let look = 1; look <= LOOKS; look++) {
    if (look > 1) await pause(deps.clock, PAUSE_MS)
    const surplus = await surplusAtBank(deps, scope)
    if (surplus === null || surplus <= 0n)
      return `The bank’s wallet does not hold the money of ${row.id}, so it is not back.`
    if (surplus !== wanted) {
      const [more, back] = [formatUsdcExact(microUsdc(surplus)), formatUsdcExact(wanted)]
      return `The bank’s wallet holds ${more} USDC more than our books say, and the money of ${row.id} is ${back}. Account for the difference first, with kestrel wallet debit or credit.`
    }
  }
  return null
}
