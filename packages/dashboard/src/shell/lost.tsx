import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useEffect } from 'react'

import { describeFailure } from '../app/failure.ts'
import { setTitle } from '../app/title.ts'
import { useIsOnline } from '../app/use-online.ts'
import { buttonClass } from '../parts/button.tsx'
import { EmptyState, ErrorState } from '../parts/states.tsx'

export function NotFound() {
  useEffect(() => setTitle(['Not found'], null, null), [])
  return (
    <main className="pt-24">
      <h1 className="sr-only">Not found</h1>
      <EmptyState title="There is no page at this address">
        <Link to="/" className={buttonClass('primary')}>
          Go to the overview
        </Link>
      </EmptyState>
    </main>
  )
}

/** A page that broke. The frame around it stays. */
export function PageFailed({ error }: ErrorComponentProps) {
  const failure = describeFailure(error)
  return (
    <div className="pt-24">
      <h1 className="sr-only">{failure.title}</h1>
      <ErrorState {...failure} onRetry={() => window.location.reload()} />
    </div>
  )
}

/** A page that could not be fetched: offline it comes by itself later, otherwise a reload finds the newest. */
export function PageMissing() {
  const isOnline = useIsOnline()
  return (
    <div className="pt-24">
      <h1 className="sr-only">{isOnline ? 'Not loaded' : 'You are offline'}</h1>
      {isOnline ? (
        <ErrorState
          title="This page could not be loaded"
          message="Check your connection, then try again."
          requestId={null}
          onRetry={() => window.location.reload()}
        />
      ) : (
        <EmptyState icon="offline" title="You are offline">
          This page has not been opened before. It loads by itself once you are online again.
        </EmptyState>
      )}
    </div>
  )
}
