import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useEffect } from 'react'

import { describeFailure } from '../app/failure.ts'
import { setTitle } from '../app/title.ts'
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

/** A page that could not be loaded, or that broke. The frame around it stays. */
export function PageFailed({ error }: ErrorComponentProps) {
  const failure = navigator.onLine ? describeFailure(error) : OFFLINE
  return (
    <div className="pt-24">
      <h1 className="sr-only">{failure.title}</h1>
      <ErrorState {...failure} onRetry={() => window.location.reload()} />
    </div>
  )
}

const OFFLINE = {
  title: 'You are offline',
  message: 'This page was not opened before. Try again when you are connected.',
  requestId: null,
}
