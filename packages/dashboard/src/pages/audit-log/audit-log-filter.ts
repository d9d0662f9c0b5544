// The filters of the audit log as they stand in the address, and as the API wants them.
import { addDays, isDay, londonMidnight } from '../../format/dates.ts'
import type { ActivityFilter } from '../../server/account.ts'

export interface AuditLogSearch {
  readonly by?: string | undefined
  readonly what?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function auditLogFilter({ by, what, from, to }: AuditLogSearch): ActivityFilter {
  return {
    ...(by === undefined || by.trim() === '' ? {} : { by: by.trim() }),
    ...(what === 'all' ? {} : { only: 'changes' as const }),
    ...(isDay(from) ? { from: londonMidnight(from) } : {}),
    // The day that was named is part of it.
    ...(isDay(to) ? { to: londonMidnight(addDays(to, 1)) } : {}),
  }
}

export const isNarrowed = (search: AuditLogSearch) => {
  const { by, from, to } = auditLogFilter(search)
  return by !== undefined || from !== undefined || to !== undefined
}
