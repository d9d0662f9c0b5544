// The filters of the audit log as they stand in the address, and as the API wants them.
import { addDays, isDay, londonMidnight } from '../../format/dates.ts'
import type { ActivityFilter } from '../../server/account.ts'

export interface AuditSearch {
  readonly by?: string | undefined
  readonly what?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function auditFilter({ by, what, from, to }: AuditSearch): ActivityFilter {
  return {
    ...(by === undefined || by.trim() === '' ? {} : { by: by.trim() }),
    ...(what === 'all' ? {} : { only: 'changes' as const }),
    ...(isDay(from) ? { from: londonMidnight(from) } : {}),
    // The day that was named is part of it.
    ...(isDay(to) ? { to: londonMidnight(addDays(to, 1)) } : {}),
  }
}

export const isNarrowed = (search: AuditSearch) => {
  const { by, from, to } = auditFilter(search)
  return by !== undefined || from !== undefined || to !== undefined
}
