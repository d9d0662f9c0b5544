import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Skeleton } from '../parts/skeleton.tsx'
import { EmptyState, ErrorState } from '../parts/states.tsx'
import { describeFailure, type Failure } from './failure.ts'

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'fetchStatus' | 'refetch'>
  readonly children: (data: T) => ReactNode
  readonly skeleton?: ReactNode
  /** For a small place: the failure in one line. */
  readonly isSmall?: boolean
}

/** What was read, or why it is not there: waiting, offline, failed. Old data stays while a new try fails. */
export function Loaded<T>({ query, children, skeleton = <Skeleton />, isSmall = false }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null && isSmall) {
    return <SmallFailure {...describeFailure(query.error)} onRetry={() => void query.refetch()} />
  }
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

function SmallFailure({ message, requestId, onRetry }: Failure & { onRetry: () => void }) {
  return (
    <p role="alert" className="mt-2 text-sm text-bad">
      {message}{' '}
      <button type="button" className="font-medium underline" onClick={onRetry}>
        Try again
      </button>
      {requestId === null ? null : <span className="block font-mono text-xs text-muted">Request {requestId}</span>}
    </p>
  )
}
