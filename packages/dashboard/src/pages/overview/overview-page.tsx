import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { NewPayoutLink } from '../../payout/new-payout-link.tsx'
import { linkClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope } from '../../app/session.ts'
import { weekday } from '../../format/dates.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { recentPayoutsQuery } from '../../server/queries.ts'
import { PayoutTable } from '../../payout/payout-table.tsx'
import { BalanceCard } from '../../wallet/balance-card.tsx'
import { InvoiceCard, MonthCard } from './figures.tsx'
import { Checklist } from './checklist.tsx'
import { InvoiceNotice } from './invoice-notice.tsx'
import { NeedsAttention } from './needs-attention.tsx'

const RECENT = 6

/** Loaded by itself: the chart's code is larger than the rest of the page. */
const PaidPerDay = lazy(() => import('./paid-per-day.tsx'))

export function OverviewPage() {
  return (
    <Page title="Overview" sub={weekday(new Date())} actions={<NewPayoutLink />}>
      <NotVerifiedNotice />
      <InvoiceNotice />
      <div className="grid gap-4 md:grid-cols-[1.35fr_1fr_1fr]">
        <BalanceCard />
        <MonthCard />
        <InvoiceCard />
      </div>
      <Body />
    </Page>
  )
}

/** A new account sees what to do; an account in use sees what happened. */
function Body() {
  const scope = useScope()
  const isAdmin = useIsAdmin()
  const recent = useQuery(recentPayoutsQuery(scope, {}, RECENT))
  return (
    <Loaded query={recent}>
      {({ data }) =>
        data.length === 0 ? (
          <FirstSteps />
        ) : (
          <>
            <NeedsAttention />
            <Suspense fallback={<ChartToCome />}>
              <PaidPerDay />
            </Suspense>
            <Card
              flush
              title="Recent payouts"
              action={
                <Link to="/payouts" className={linkClass}>
                  View all <Icon name="chevronRight" size={12} className="inline" />
                </Link>
              }
            >
              <PayoutTable payouts={data} />
            </Card>
            {isAdmin ? <Checklist hasPayouts /> : null}
          </>
        )
      }
    </Loaded>
  )
}

function ChartToCome() {
  return (
    <Card title="Paid to recipients">
      <div role="status" aria-busy="true" aria-label="Loading" className="h-60" />
    </Card>
  )
}

/** Every step is for an admin; a viewer is told what will be here. */
function FirstSteps() {
  if (useIsAdmin()) return <Checklist hasPayouts={false} />
  return (
    <Card>
      <EmptyState icon="payouts" title="No payouts yet">
        They appear here as soon as an admin sends the first one.
      </EmptyState>
    </Card>
  )
}
