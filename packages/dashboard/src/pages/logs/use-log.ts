import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { useScope } from '../../app/session.ts'
import { type ActivityFilter, listActivity } from '../../server/account.ts'
import { activityPagesQuery, under } from '../../server/queries.ts'
import { withNewest } from './newest-first.ts'

const LIVE_MS = 3_000

/** The loaded pages of the log. While it is followed, only the newest page is read again. */
export function useLog(filter: ActivityFilter, isLive: boolean) {
  const client = useQueryClient()
  const scope = useScope()
  const options = activityPagesQuery(scope, filter)
  const pages = useInfiniteQuery({ ...options, refetchOnWindowFocus: !isLive })
  useQuery({
    queryKey: under(scope, 'newest-activity', filter),
    queryFn: async () => {
      const newest = await listActivity(filter)
      client.setQueryData(options.queryKey, (before) => withNewest(before, newest))
      return newest.data[0]?.id ?? null
    },
    enabled: isLive && pages.data !== undefined,
    refetchInterval: LIVE_MS,
    staleTime: 0,
  })
  const entries = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  return { pages, entries }
}
