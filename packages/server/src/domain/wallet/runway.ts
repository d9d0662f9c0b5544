// How long a wallet lasts at the pace of the last days, and what to add so that it lasts as long again.
import type { LondonDay } from '../../core/london-day.ts'
import { dayAfter, daysAfter, londonDay } from '../../core/london-day.ts'
import { type MicroUsdc, type Pence, pence, usdcFromCents } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import { type Rate, usdcFor } from '../../core/rate.ts'
import { divideDown, divideUp } from '../../core/rounding.ts'
import type { Scope } from '../../core/scope.ts'
import { sumCompletedByDay } from '../../storage/payout-days.ts'
import type { Db } from '../../storage/sql.ts'
import { payoutFee } from '../quotes/fee.ts'

/** Two weeks have each day of the week twice, so that a quiet weekend does not count more than it should. */
const DAYS = 14n
const DAYS_BEFORE_TODAY = -13
/** Farther than anybody plans; what is more is not told apart. */
const MOST_TENTHS = 99_990n
const MOST_PAYOUTS = 999_999n
const MICRO_PER_USDC = 1_000_000n

export interface Pace {
  /** What arrived in all of the days, and stayed. */
  readonly amount: Pence
  readonly payouts: number
}

export interface Runway {
  readonly tenthsOfDays: bigint
  readonly payouts: bigint
  readonly perDay: Pence
  readonly suggested: MicroUsdc
}

/** From the sums that are kept by day: however many payouts there were, it reads a few rows. */
export async function readPace(db: Db, scope: Scope, now: Date): Promise<Pace> {
  const today: LondonDay = londonDay(now)
  const days = await sumCompletedByDay(db, scope, daysAfter(today, DAYS_BEFORE_TODAY), dayAfter(today))
  const stayed = days.filter(({ status }) => status === 'completed')
  return {
    amount: pence(stayed.reduce((sum, day) => sum + day.amount, 0n)),
    payouts: stayed.reduce((sum, day) => sum + day.count, 0),
  }
}

export interface Held {
  readonly approximately: Pence
  readonly rate: Rate
  readonly plan: Plan
}

/** Null when there is no pace. */
export function runwayOf(held: Held, pace: Pace): Runway | null {
  if (pace.amount === 0n || pace.payouts === 0) return null
  const sent = sentAtPace(pace, held.plan)
  const tenths = divideDown(held.approximately * DAYS * 10n, sent)
  const payouts = divideDown(held.approximately * BigInt(pace.payouts), sent)
  const missing = sent > held.approximately ? pence(sent - held.approximately) : pence(0n)
  return {
    tenthsOfDays: tenths < MOST_TENTHS ? tenths : MOST_TENTHS,
    payouts: payouts < MOST_PAYOUTS ? payouts : MOST_PAYOUTS,
    perDay: pence(divideDown(pace.amount, DAYS)),
    suggested: wholeUsdc(usdcFor(missing, held.rate)),
  }
}

/** With each payout the wallet sends the bank's share of the fee. What that is for payouts of the average size is near enough. */
function sentAtPace(pace: Pace, plan: Plan): Pence {
  const payouts = BigInt(pace.payouts)
  const { inTransfer } = payoutFee(pence(divideDown(pace.amount, payouts)), plan)
  return pence(pace.amount + inTransfer * payouts)
}

function wholeUsdc(amount: MicroUsdc): MicroUsdc {
  return usdcFromCents(divideUp(amount, MICRO_PER_USDC) * 100n)
}
