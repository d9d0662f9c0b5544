import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, linkClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope } from '../../app/session.ts'
import { weekday } from '../../format/dates.ts'
import { KeyHint } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { recentPayoutsQuery } from '../../server/queries.ts'
import { PayoutTable } from '../payouts/payout-table.tsx'
import { BalanceCard, InvoiceCard, MonthCard } from './figures.tsx'
import { Checklist } from './checklist.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { PaidPerDay } from './paid-per-day.tsx'

const RECENT = 6

export function OverviewPage() {
  const isAdmin = useIsAdmin()
  return (
    <Page
      title="Overview"
      sub={weekday(new Date())}
      actions={
        isAdmin ? (
          <Link to="/payouts/new" className={buttonClass('primary')}>
            New payout <KeyHint>N</KeyHint>
          </Link>
        ) : undefined
      }
    >
      <NotVerifiedNotice />
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
  const recent = useQuery(recentPayoutsQuery(scope, {}, RECENT))
  return (
    <Loaded query={recent}>
      {({ data }) =>
        data.length === 0 ? (
          <Checklist hasPayouts={false} />
        ) : (
          <>
            <NeedsAttention />
            <PaidPerDay />
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
            <Checklist hasPayouts />
          </>
        )
      }
    </Loaded>
  )
}
