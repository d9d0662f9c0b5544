// Two of the three figures on top. Each links to what explains it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { completedInMonth } from '../../billing/figure-links.ts'
import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { dayAndMonth, firstOfNextMonth, lastOfMonth, londonMidnight } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { inThousands } from '../../format/people.ts'
import { Figure, FigureToCome } from '../../parts/figure.tsx'
import { followedSummaryQuery, usageQuery } from '../../server/queries.ts'

export function MonthCard() {
  const usage = useQuery(usageQuery(useScope()))
  return (
    <Figure label="Paid out this month">
      <Loaded query={usage} skeleton={<FigureToCome />} isSmall>
        {({ payouts, period_start }) => (
          <>
            <p className="num mt-1 text-2xl leading-9 font-semibold tracking-tight">
              {gbp(payouts.paid_to_sellers_gbp)}
            </p>
            <p className="num mt-1 text-muted">
              <Link to="/payouts" search={completedInMonth(period_start)} className="hover:underline">
                {inThousands(payouts.completed)} completed
              </Link>
              {', '}
              <Link
                to="/payouts"
                search={{ from: period_start, to: lastOfMonth(period_start) }}
                className="hover:underline"
              >
                {inThousands(payouts.count)} made
              </Link>
            </p>
            <CameBack since={period_start} />
          </>
        )}
      </Loaded>
    </Figure>
  )
}

/** How much of it came back, so that the figure above agrees with the chart below. */
function CameBack({ since }: { since: string }) {
  const sums = useQuery(followedSummaryQuery(useScope(), { completed_from: londonMidnight(since) })).data?.by_status
  if (sums === undefined || sums.returned.count === 0) return null
  return (
    <p className="num mt-1 text-muted">
      {gbp(sums.completed.amount_gbp)} arrived, {gbp(sums.returned.amount_gbp)} came back
    </p>
  )
}

export function InvoiceCard() {
  const { environment, ...scope } = useScope()
  const usage = useQuery(usageQuery({ environment, ...scope }))
  return (
    <Figure
      label="Invoice so far"
      action={
        <Link to="/fees" className={linkClass}>
          See why
        </Link>
      }
    >
      <Loaded query={usage} skeleton={<FigureToCome />} isSmall>
        {({ invoice_so_far, period_start }) => (
          <>
            <p className="num mt-1 text-2xl leading-9 font-semibold tracking-tight">{gbp(invoice_so_far.total_gbp)}</p>
            <p className="mt-1 text-muted">
              {environment === 'sandbox'
                ? 'Sandbox is never charged'
                : `Issued on ${dayAndMonth(firstOfNextMonth(period_start))}`}
            </p>
          </>
        )}
      </Loaded>
    </Figure>
  )
}
