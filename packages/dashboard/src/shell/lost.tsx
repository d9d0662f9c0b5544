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

export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <div className="pt-24">
      <ErrorState {...describeFailure(error)} onRetry={() => window.location.reload()} />
    </div>
  )
}
