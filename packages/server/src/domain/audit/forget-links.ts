import type { Deps } from '../deps.ts'
import { FIRST_CHAIN, forgetLinks, listChainsAfter } from '../../storage/forgotten-links.ts'

const CHAINS = 500
const MOST_AT_ONCE = 5_000

/** Forgets the links of entries whose months are gone. Returns how many. */
export async function forgetOldLinks(deps: Pick<Deps, 'db'>, months: number | null): Promise<number> {
  if (months === null) return 0
  let forgotten = 0
  let page = await listChainsAfter(deps.db, FIRST_CHAIN, CHAINS)
  while (page.length > 0) {
    for (const chain of page) {
      for (;;) {
        const count = await deps.db.inTransaction((tx) => forgetLinks(tx, chain, { months, most: MOST_AT_ONCE }))
        forgotten += count
        if (count < MOST_AT_ONCE) break
      }
    }
    page = await listChainsAfter(deps.db, page.at(-1)!, CHAINS)
  }
  return forgotten
}
