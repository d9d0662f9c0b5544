// The answer to a payout for which a key or a member has no room left.
import { AppError } from '../../core/errors.ts'
import { dayAfter, londonDay, startOfDay } from '../../core/london-day.ts'
import { londonMidnight, londonMonth, nextMonth } from '../../core/london-month.ts'
import { type Pence, formatPence, pence } from '../../core/money.ts'
import type { Spending } from '../../storage/spending-limits.ts'

interface Reached {
  readonly limit: 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp'
  readonly most: Pence
  readonly used: Pence
  readonly resetsAt: Date | null
  readonly words: string
}

/** Null if there is room for it, or no limit. */
export function limitReached(
  amount: Pence,
  spending: Spending | null,
  { now, who }: { now: Date; who: 'key' | 'member' },
): AppError | null {
  const reached = spending === null ? null : whichLimit(amount, spending, now)
  if (reached === null) return null
  const { limit, most, used, resetsAt, words } = reached
  const left = formatPence(pence(most > used ? most - used : 0n))
  const [name, has] = who === 'key' ? ['This API key', 'It has'] : ['You', 'You have']
  const room =
    resetsAt === null ? '' : ` ${has} used ${formatPence(used)}, and ${left} is left until ${resetsAt.toISOString()}.`
  return new AppError(
    'spending_limit_reached',
    `${name} may pay ${formatPence(most)} GBP ${words}.${room} This payout is ${formatPence(amount)}. Nothing was sent.`,
    {
      details: {
        limit,
        limit_gbp: formatPence(most),
        used_gbp: formatPence(used),
        remaining_gbp: left,
        resets_at: resetsAt?.toISOString() ?? null,
      },
    },
  )
}

function whichLimit(amount: Pence, spending: Spending, now: Date): Reached | null {
  const { maxPerPayout, daily, monthly, spentToday, spentThisMonth } = spending
  if (maxPerPayout !== null && amount > maxPerPayout) {
    const none = { used: pence(0n), resetsAt: null, words: 'at once' }
    return { limit: 'max_per_payout_gbp', most: maxPerPayout, ...none }
  }
  if (daily !== null && amount > daily - spentToday) {
    const resetsAt = startOfDay(dayAfter(londonDay(now)))
    return { limit: 'daily_gbp', most: daily, used: spentToday, resetsAt, words: 'per day in London' }
  }
  if (monthly !== null && amount > monthly - spentThisMonth) {
    const resetsAt = londonMidnight(nextMonth(londonMonth(now)))
    return { limit: 'monthly_gbp', most: monthly, used: spentThisMonth, resetsAt, words: 'per month in London' }
  }
  return null
}
