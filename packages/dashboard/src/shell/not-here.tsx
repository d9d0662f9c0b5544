import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { buttonClass } from '../app/page.tsx'
import { useEnvironment } from '../app/session.ts'
import { Card } from '../parts/card.tsx'
import { EmptyState } from '../parts/states.tsx'
import { inEnvironment } from './navigation.ts'

interface NotHereProps {
  readonly what: string
  /** Where all of its kind are. */
  readonly all: { readonly to: '/payouts' | '/webhooks'; readonly label: string }
  /** Why it may not be here. */
  readonly children: ReactNode
}

/** In place of something that this environment does not have: the other one may. */
export function NotHere({ what, all, children }: NotHereProps) {
  const environment = useEnvironment()
  const other = environment === 'live' ? 'sandbox' : 'live'
  return (
    <Card>
      <EmptyState icon="search" title={`There is no such ${what} here`}>
        <p>
          You are looking in {environment}. {children}
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="." search={inEnvironment(other)} className={buttonClass('primary')}>
            Look in {other}
          </Link>
          <Link to={all.to} className={buttonClass()}>
            {all.label}
          </Link>
        </div>
      </EmptyState>
    </Card>
  )
}
