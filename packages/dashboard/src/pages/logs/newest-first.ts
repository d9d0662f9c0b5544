import type { ActivityEntry } from '@kestrel/contract'
import type { InfiniteData } from '@tanstack/react-query'

import type { List } from '../../server/client.ts'

export type LogPages = InfiniteData<List<ActivityEntry>>

/** The loaded pages with the newest page merged in. When entries may be missing in between, the newest page alone. */
export function withNewest(pages: LogPages | undefined, newest: List<ActivityEntry>): LogPages {
  const [first, ...others] = pages?.pages ?? []
  const known = new Set(first?.data.map(({ id }) => id))
  const fresh = newest.data.filter(({ id }) => !known.has(id))
  if (pages === undefined || first === undefined || (fresh.length === newest.data.length && first.data.length > 0)) {
    return { pages: [newest], pageParams: [null] }
  }
  if (fresh.length === 0) return pages
  return { ...pages, pages: [{ ...first, data: [...fresh, ...first.data] }, ...others] }
}
