// A set of statuses in SQL, as a list of literals: a partial index is found by its own words, which a parameter is not.
import type { PayoutStatus } from '@kestrel/contract'

export function statusIn(column: string, statuses: ReadonlySet<PayoutStatus>): string {
  return `${column} in (${[...statuses].map((status) => `'${status}'`).join(', ')})`
}
