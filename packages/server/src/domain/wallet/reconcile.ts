// Proves the books: every balance is the sum of its entries, every entry has its payout, every month adds up.
import { type Break, findBreaks } from '../../storage/oracle.ts'
import type { Deps } from '../deps.ts'

export type { Break }

export function reconcile(deps: Pick<Deps, 'db'>): Promise<Break[]> {
  return findBreaks(deps.db)
}
