import { Link } from '@tanstack/react-router'

import { buttonClass } from '../app/page.tsx'
import { EmptyState } from '../parts/states.tsx'

/** Invoices are about real money, so sandbox only links to them. */
export function OnlyInLive({ hasInvoices }: { hasInvoices: boolean }) {
  return (
    <EmptyState icon="invoices" title="Sandbox has no invoices">
      <p>Sandbox is never charged. What live is charged for is billed on the 1st for the month before.</p>
      {hasInvoices ? (
        <Link to="." search={(current) => ({ ...current, environment: 'live' })} className={buttonClass()}>
          See it in live
        </Link>
      ) : null}
    </EmptyState>
  )
}
