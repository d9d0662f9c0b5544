// The limits in pounds of a key or a member: as they are typed, asked for, and said.
import type { ApiKey, KeyChange } from '@kestrel/contract'

import { gbp, isMore, lessMoney, readAmount } from '../format/money.ts'

export interface AmountsDraft {
  readonly most: string
  readonly daily: string
  readonly monthly: string
}

export type AmountLimits = Pick<ApiKey, 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp'>
export type Spent = Pick<ApiKey, 'spent_today_gbp' | 'spent_this_month_gbp'>
type Changes = Pick<KeyChange, keyof AmountLimits>

export const amountsOf = (limits: AmountLimits): AmountsDraft => ({
  most: limits.max_per_payout_gbp ?? '',
  daily: limits.daily_gbp ?? '',
  monthly: limits.monthly_gbp ?? '',
})

export function isMistaken({ most, daily, monthly }: AmountsDraft): boolean {
  return [most, daily, monthly].some((text) => text.trim() !== '' && readAmount(text) === null)
}

/** What differs from the limits as they are; nothing else is sent. */
export function changedAmounts(draft: AmountsDraft, now: AmountLimits): Changes {
  const amount = (text: string) => (text.trim() === '' ? null : readAmount(text))
  return {
    ...(amount(draft.most) === now.max_per_payout_gbp ? {} : { max_per_payout_gbp: amount(draft.most) }),
    ...(amount(draft.daily) === now.daily_gbp ? {} : { daily_gbp: amount(draft.daily) }),
    ...(amount(draft.monthly) === now.monthly_gbp ? {} : { monthly_gbp: amount(draft.monthly) }),
  }
}

/** In a few words each; none for one without limits. */
export function amountsInWords(limits: AmountLimits & Spent): string[] {
  const { max_per_payout_gbp: most, daily_gbp: daily, monthly_gbp: monthly } = limits
  return [
    ...(most === null ? [] : [`${gbp(most)} per payout`]),
    ...(daily === null ? [] : [`${gbp(limits.spent_today_gbp ?? '0.00')} of ${gbp(daily)} today`]),
    ...(monthly === null ? [] : [`${gbp(limits.spent_this_month_gbp ?? '0.00')} of ${gbp(monthly)} this month`]),
  ]
}

export interface Room {
  readonly left: string
  readonly of: string
  /** The end of "is left". */
  readonly until: 'per payout' | 'today' | 'this month'
}

/** The limit that leaves the least; null for one without limits. */
export function leastRoom(limits: AmountLimits & Spent): Room | null {
  const rooms: Room[] = []
  const add = (of: string | null, used: string | null, until: Room['until']) => {
    if (of !== null)
      rooms.push({ left: isMore(used ?? '0.00', of) ? '0.00' : lessMoney(of, used ?? '0.00'), of, until })
  }
  add(limits.max_per_payout_gbp, null, 'per payout')
  add(limits.daily_gbp, limits.spent_today_gbp, 'today')
  add(limits.monthly_gbp, limits.spent_this_month_gbp, 'this month')
  return rooms.reduce<Room | null>(
    (least, room) => (least === null || isMore(least.left, room.left) ? room : least),
    null,
  )
}
