// The limits in pounds of a key or of a member: as they are compared, changed and said.
import type { Scope } from '../../core/scope.ts'
import { formatPence } from '../../core/money.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { type Spending, type SpendingLimits, setSpendingLimits } from '../../storage/spending-limits.ts'
import type { Tx } from '../../storage/sql.ts'

const NAMES: Readonly<Record<keyof SpendingLimits, string>> = {
  maxPerPayout: 'Most per payout',
  daily: 'Most per day',
  monthly: 'Most per month',
}
const KINDS = Object.keys(NAMES) as (keyof SpendingLimits)[]

export function limitsOf(spending: SpendingLimits | null): SpendingLimits {
  const { maxPerPayout = null, daily = null, monthly = null } = spending ?? {}
  return { maxPerPayout, daily, monthly }
}

/** Whether any limit is set now; a row stays when the last is taken away. */
export function isLimited(spending: SpendingLimits | null): boolean {
  return spending !== null && KINDS.some((kind) => spending[kind] !== null)
}

/** Whether more may be paid afterwards than before. */
export function raisesLimits(before: SpendingLimits, after: SpendingLimits): boolean {
  return KINDS.some((kind) => isMore(before[kind], after[kind]))
}

export function isMore(before: bigint | number | null, after: bigint | number | null): boolean {
  return before !== null && (after === null || after > before)
}

export function isSameLimits(before: SpendingLimits, after: SpendingLimits): boolean {
  return KINDS.every((kind) => before[kind] === after[kind])
}

/** Takes the wallet's lock, which comes last: what is reserved from now on keeps to the limits. */
export async function limitSpender(
  tx: Tx,
  scope: Scope,
  wanted: { spenderId: string; limits: SpendingLimits; at: Date },
): Promise<void> {
  await lockWallet(tx, scope)
  setSpendingLimits(tx, scope, wanted)
}

/** Those that are named, for a mail. */
export function limitsInWords(limits: Partial<SpendingLimits>): [name: string, value: string][] {
  return KINDS.filter((kind) => limits[kind] !== undefined).map((kind) => {
    const amount = limits[kind] ?? null
    return [NAMES[kind], amount === null ? 'no limit' : `${formatPence(amount)} GBP`]
  })
}

/** Each limit of a spender and what was paid under it, as events keep it: JSON has no whole numbers of this size. */
export function spendingInWords({ spentToday, spentThisMonth, ...limits }: Omit<Spending, 'spenderId' | 'since'>) {
  const word = (amount: bigint | null) => (amount === null ? null : String(amount))
  return {
    max_per_payout_pence: word(limits.maxPerPayout),
    daily_pence: word(limits.daily),
    monthly_pence: word(limits.monthly),
    spent_today_pence: word(spentToday),
    spent_this_month_pence: word(spentThisMonth),
  }
}
