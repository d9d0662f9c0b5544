// The three figures on top. Each links to what explains it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { completedInMonth } from '../../app/figure-links.ts'
import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { useIsVerified, useScope } from '../../app/session.ts'
import { clockTime, dayAndMonth, firstOfNextMonth, lastOfMonth, londonMidnight } from '../../format/dates.ts'
import { gbp, rate, usdc } from '../../format/money.ts'
import { Bar, Delayed } from '../../parts/skeleton.tsx'
import { balanceQuery, followedSummaryQuery, usageQuery } from '../../server/queries.ts'

interface FigureProps {
  readonly label: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

function Figure({ label, action, children }: FigureProps) {
  return (
    <section aria-label={label} className="min-w-0 rounded-card border border-line bg-surface p-5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-muted">{label}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

const waiting = (
  <Delayed>
    <div role="status" aria-label="Loading" className="grid gap-2 pt-2">
      <Bar className="h-7 w-32" />
      <Bar className="h-4 w-44" />
    </div>
  </Delayed>
)

export function BalanceCard() {
  const isVerified = useIsVerified()
  const balance = useQuery({ ...balanceQuery(useScope()), enabled: isVerified })
  if (!isVerified) {
    return (
      <Figure label="Available to pay out">
        <p className="mt-1 text-muted">Your live wallet opens when the business is verified.</p>
      </Figure>
    )
  }
  return (
    <Figure
      label="Available to pay out"
      action={
        <Link to="/funding" className={linkClass}>
          Top up
        </Link>
      }
    >
      <Loaded query={balance} skeleton={waiting} isSmall>
        {({ approx_gbp, usdc: held, gbp_per_usd }) => (
          <>
            <p className="num mt-1 text-[30px] leading-9 font-semibold tracking-tight">
              <span className="sr-only">About </span>
              {gbp(approx_gbp)}
            </p>
            <p className="num mt-1 text-muted">
              {usdc(held)} · {rate(gbp_per_usd)}
            </p>
            <p className="num text-sm text-muted">As at {clockTime(new Date(balance.dataUpdatedAt))}</p>
          </>
        )}
      </Loaded>
    </Figure>
  )
}

export function MonthCard() {
  const usage = useQuery(usageQuery(useScope()))
  return (
    <Figure label="Paid out this month">
      <Loaded query={usage} skeleton={waiting} isSmall>
        {({ payouts, period_start }) => (
          <>
            <p className="num mt-1 text-2xl leading-9 font-semibold tracking-tight">
              {gbp(payouts.paid_to_sellers_gbp)}
            </p>
            <p className="num mt-1 text-muted">
              <Link to="/payouts" search={completedInMonth(period_start)} className="hover:underline">
                {payouts.completed} completed
              </Link>
              {', '}
              <Link
                to="/payouts"
                search={{ from: period_start, to: lastOfMonth(period_start) }}
                className="hover:underline"
              >
                {payouts.count} made
              </Link>
            </p>
            <CameBack since={period_start} />
          </>
        )}
      </Loaded>
    </Figure>
  )
}

/** What was paid out and is not there any more, so that the figure above and the chart below agree. */
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
      <Loaded query={usage} skeleton={waiting} isSmall>
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
