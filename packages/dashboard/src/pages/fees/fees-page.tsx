import type { Usage } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'

import { completedInMonth } from '../../billing/figure-links.ts'
import { invoiceName } from '../../billing/invoice-words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { linkClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useEnvironment, useScope } from '../../app/session.ts'
import { lastOfMonth, monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { count, inThousands } from '../../format/people.ts'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { invoicesQuery, usageQuery } from '../../server/queries.ts'
import { BillLines } from '../../billing/bill-lines.tsx'
import { MonthPicker, monthNow, monthOf, useFirstMonth } from '../../billing/month-picker.tsx'
import { PayoutsBehind } from '../../billing/payouts-behind.tsx'
import { FeeCalculator } from './fee-calculator.tsx'
import { FeesPerDay } from './fees-per-day.tsx'
import { PriceList } from './price-list.tsx'

export function FeesPage() {
  const { month } = useSearch({ from: '/inside/fees' })
  const environment = useEnvironment()
  const navigate = useNavigate({ from: '/fees' })
  const chosen = monthOf(month)
  const isNow = chosen === monthNow()
  const usage = useQuery(usageQuery(useScope(), isNow ? undefined : chosen))
  return (
    <Page
      title="Fees & usage"
      sub={environment === 'sandbox' ? 'Sandbox is never charged: fees are shown, and no invoice is made.' : undefined}
      actions={
        <MonthPicker
          chosen={chosen}
          onChoose={(to) => void navigate({ search: to === undefined ? {} : { month: to } })}
        />
      }
    >
      <NotVerifiedNotice />
      <Loaded query={usage}>{(found) => <Month usage={found} isNow={isNow} />}</Loaded>
      <FeesPerDay month={chosen} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <FeeCalculator />
        <PriceList />
      </div>
    </Page>
  )
}

function Month({ usage, isNow }: { usage: Usage; isNow: boolean }) {
  const { payouts, period_start } = usage
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={isNow ? `${monthName(period_start)} so far` : monthName(period_start)}>
        <Facts>
          <Fact term="Payouts made">
            <Link to="/payouts" search={{ from: period_start, to: lastOfMonth(period_start) }} className={linkClass}>
              {count(payouts.count, 'payout')}
            </Link>
          </Fact>
          <Fact term="Completed">{inThousands(payouts.completed)}</Fact>
          <Fact term="Paid to recipients">{gbp(payouts.paid_to_sellers_gbp)}</Fact>
          <Fact term="Fees">{gbp(payouts.fees_gbp)}</Fact>
        </Facts>
        <p className="mt-3 text-sm text-muted">
          A payout counts in the month in which it first completes, also when it comes back later.
        </p>
        <p className="mt-3">
          <Link to="/payouts" search={completedInMonth(period_start)} className={linkClass}>
            See the payouts behind it
          </Link>
        </p>
      </Card>
      <Bill usage={usage} isNow={isNow} />
    </div>
  )
}

/** The charges of the month. Once the month has an invoice, it links there. */
function Bill({ usage: { invoice_so_far, period_start }, isNow }: { usage: Usage; isNow: boolean }) {
  const scope = useScope()
  const invoices = useQuery({ ...invoicesQuery(scope), enabled: scope.environment === 'live' })
  const invoice = invoices.data?.data.find(({ period }) => period === period_start.slice(0, 7))
  return (
    <Card
      title={isNow ? 'Invoice so far' : 'Invoice'}
      action={
        scope.environment === 'sandbox' ? (
          <RehearsalLink month={period_start.slice(0, 7)} isNow={isNow} />
        ) : invoice === undefined ? null : (
          <Link to="/invoices/$id" params={{ id: invoice.id }} className={linkClass}>
            {invoiceName(invoice)}
          </Link>
        )
      }
    >
      {invoice_so_far.lines.length === 0 ? (
        <p className="text-muted">There are no charges.</p>
      ) : (
        <BillLines
          lines={invoice_so_far.lines}
          total={invoice_so_far.total_gbp}
          under={(line) => <PayoutsBehind line={line} month={period_start} />}
        />
      )}
      <p className="mt-3 text-sm text-muted">
        The part of each fee that was taken in the transfer is already paid and not on the invoice.
      </p>
    </Card>
  )
}

function RehearsalLink({ month, isNow }: { month: string; isNow: boolean }) {
  if (month < useFirstMonth()) return null
  return (
    <Link to="/invoices" search={isNow ? {} : { month }} className={linkClass}>
      What it would be in live
    </Link>
  )
}
