// What a month of the sandbox would cost in live. It looks like an invoice and says in each place that it is none.
import type { RehearsalInvoice } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, linkClass, Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { BillLines } from '../../billing/bill-lines.tsx'
import { MonthPicker, monthNow, monthOf } from '../../billing/month-picker.tsx'
import { PayoutsBehind } from '../../billing/payouts-behind.tsx'
import { monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { Card, Notice } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { FigureOf, Figures } from '../../parts/figures.tsx'
import { Icon } from '../../parts/icon.tsx'
import { rehearsalPdfAddress } from '../../server/billing.ts'
import { invoicesQuery, rehearsalQuery } from '../../server/queries.ts'

export function Rehearsal() {
  const { month } = useSearch({ from: '/inside/invoices' })
  const navigate = useNavigate({ from: '/invoices' })
  const chosen = monthOf(month)
  const isNow = chosen === monthNow()
  const rehearsal = useQuery(rehearsalQuery(useScope(), isNow ? undefined : chosen))
  return (
    <Page
      title="Invoices"
      sub="What a month in sandbox would cost in live."
      actions={
        <>
          <MonthPicker
            chosen={chosen}
            onChoose={(to) => void navigate({ search: to === undefined ? {} : { month: to } })}
          />
          {rehearsal.data === undefined ? null : <Paper month={rehearsal.data.period} />}
        </>
      }
    >
      <Notice tone="warn" title="Rehearsal, not a bill">
        <p>
          Sandbox is never charged, and nothing is to be paid. In live, a month is billed on the 1st of the next.{' '}
          <WayToLive />
        </p>
      </Notice>
      <Loaded query={rehearsal}>{(found) => <Month rehearsal={found} isNow={isNow} />}</Loaded>
      <CloseTheMonth />
    </Page>
  )
}

function Paper({ month }: { month: string }) {
  return (
    <a href={rehearsalPdfAddress(month)} download className={buttonClass('primary')}>
      <Icon name="download" />
      Download PDF
    </a>
  )
}

function WayToLive() {
  const invoices = useQuery(invoicesQuery(useScope()))
  if (invoices.data === undefined || invoices.data.data.length === 0) return null
  return (
    <Link to="." search={{ environment: 'live' }} className="font-medium underline">
      See your invoices in live
    </Link>
  )
}

function Month({ rehearsal, isNow }: { rehearsal: RehearsalInvoice; isNow: boolean }) {
  const { period, total_gbp, lines } = rehearsal
  return (
    <>
      <Card>
        <Figures>
          <FigureOf term="It would come to">{gbp(total_gbp)}</FigureOf>
          <FigureOf term="For" note={isNow ? 'as it would close now' : undefined}>
            {monthName(period)}
          </FigureOf>
          <FigureOf term="Issued">Never</FigureOf>
          <FigureOf term="To pay">Nothing</FigureOf>
        </Figures>
      </Card>
      <Card title="Lines">
        <BillLines lines={lines} total={total_gbp} under={(line) => <PayoutsBehind line={line} month={period} />} />
        <p className="mt-3 text-sm text-muted">
          At your own prices. Network costs are those of the price list. The verification of the business is on it until
          the month in which that is done.
        </p>
      </Card>
    </>
  )
}

const advance = () => `curl ${location.origin}/v1/sandbox/advance \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "seconds": 60, "close_month": true }'`

function CloseTheMonth() {
  return (
    <Card title="Close the month from a program">
      <p className="mb-3 text-muted">
        Time passes for the payouts that are under way, and the answer has the invoice of the month as it is then. KEY
        is a sandbox key.{' '}
        <a href="/docs/testing" className={linkClass}>
          More about testing
        </a>
      </p>
      <CodeBlock what="curl sample" code={advance()} />
    </Card>
  )
}
