import type { Invoice } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'

import { invoiceName, dueWords } from '../../billing/invoice-words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useEnvironment, useScope } from '../../app/session.ts'
import { dayAndMonth, firstOfNextMonth, londonDay, monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { invoicesQuery } from '../../server/queries.ts'
import { InvoiceBadge } from '../../billing/invoice-badge.tsx'
import { Rehearsal } from './rehearsal.tsx'

export function InvoicesPage() {
  return useEnvironment() === 'sandbox' ? <Rehearsal /> : <InvoicesOfLive />
}

function InvoicesOfLive() {
  const invoices = useQuery(invoicesQuery(useScope()))
  return (
    <Page title="Invoices" sub="Issued on the 1st for the month before.">
      <NotVerifiedNotice />
      <Card flush className="overflow-hidden">
        <Loaded query={invoices}>
          {({ data }) => (data.length === 0 ? <NoInvoices /> : <InvoiceTable invoices={data} />)}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoInvoices() {
  const first = dayAndMonth(firstOfNextMonth(londonDay(new Date())))
  return (
    <EmptyState icon="invoices" title="No invoices yet">
      {`The first one comes on ${first}, if live was in use before.`}
    </EmptyState>
  )
}

function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  const navigate = useNavigate()
  return (
    <DataTable
      caption="Invoices"
      columns={COLUMNS}
      rows={invoices}
      rowId={({ id }) => id}
      onRowClick={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
      narrow={(invoice) => <NarrowInvoice invoice={invoice} />}
    />
  )
}

const COLUMNS: readonly Column<Invoice>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: (invoice) => (
      <Link
        to="/invoices/$id"
        params={{ id: invoice.id }}
        data-row-link
        onClick={(event) => event.stopPropagation()}
        className="num font-medium hover:underline"
      >
        {invoiceName(invoice)}
      </Link>
    ),
  },
  { id: 'period', header: 'Month', cell: ({ period }) => monthName(period) },
  {
    id: 'issued',
    header: 'Issued',
    cell: ({ issued_at }) => (issued_at === null ? 'Not yet' : <Time at={issued_at} as="day" />),
  },
  {
    id: 'due',
    header: 'To pay',
    cell: (invoice) => (
      <span title={invoice.due_at === null ? undefined : `Due on ${dayAndMonth(londonDay(new Date(invoice.due_at)))}`}>
        {dueWords(invoice, new Date())}
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <InvoiceBadge status={status} /> },
  {
    id: 'total',
    header: 'Total',
    isRight: true,
    cell: ({ total_gbp }) => <span className="font-medium">{gbp(total_gbp)}</span>,
  },
]

function NarrowInvoice({ invoice }: { invoice: Invoice }) {
  return (
    <Link to="/invoices/$id" params={{ id: invoice.id }} className="block">
      <span className="flex justify-between gap-3">
        <span className="font-medium">{monthName(invoice.period)}</span>
        <span className="num font-medium">{gbp(invoice.total_gbp)}</span>
      </span>
      <span className="mt-1 flex items-center justify-between gap-3 text-sm text-muted">
        <span className="num min-w-0 truncate">
          {invoiceName(invoice)} · {dueWords(invoice, new Date())}
        </span>
        <InvoiceBadge status={invoice.status} />
      </span>
    </Link>
  )
}
