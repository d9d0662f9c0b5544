import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Skeleton } from '../parts/skeleton.tsx'
import { EmptyState, ErrorState } from '../parts/states.tsx'
import { describeFailure } from './failure.ts'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'fetchStatus' | 'refetch'>
  readonly children: (data: T) => ReactNode
  readonly skeleton?: ReactNode
}

/** What was read, or why it is not there: waiting, offline, failed. Old data stays while a new try fails. */
export function Loaded<T>({ query, children, skeleton = <Skeleton /> }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) {
    return <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} />
  }
  if (query.fetchStatus === 'paused') {
    return (
      <EmptyState icon="offline" title="You are offline">
        This loads by itself as soon as you are connected again.
      </EmptyState>
    )
  }
  return skeleton
}
