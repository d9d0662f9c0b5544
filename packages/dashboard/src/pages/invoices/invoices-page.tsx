import type { Invoice } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useEnvironment, useScope } from '../../app/session.ts'
import { dayAndMonth, firstOfNextMonth, londonDay, monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Badge, type PillTone } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { invoicesQuery } from '../../server/queries.ts'
import { InvoiceLines } from './invoice-lines.tsx'

const TONES: Readonly<Record<string, PillTone>> = {
  draft: 'quiet',
  issued: 'info',
  paid: 'ok',
  overdue: 'bad',
  void: 'quiet',
}

function InvoiceStatus({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'quiet'}>{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>
}

export function InvoicesPage() {
  const invoices = useQuery(invoicesQuery(useScope()))
  const { open } = useSearch({ from: '/inside/invoices' })
  const navigate = useNavigate({ from: '/invoices' })
  const shown = invoices.data?.data.find(({ id }) => id === open)
  return (
    <Page title="Invoices" sub="Issued on the 1st for the month before.">
      <NotVerifiedNotice />
      <Card flush className="overflow-hidden">
        <Loaded query={invoices}>
          {({ data }) =>
            data.length === 0 ? (
              <NoInvoices />
            ) : (
              <DataTable
                caption="Invoices"
                columns={COLUMNS}
                rows={data}
                rowId={({ id }) => id}
                selectedId={open}
                onRowClick={({ id }) => void navigate({ search: { open: id }, resetScroll: false })}
                narrow={(invoice) => <NarrowInvoice invoice={invoice} />}
              />
            )
          }
        </Loaded>
      </Card>
      {shown === undefined ? null : <InvoiceLines invoice={shown} />}
    </Page>
  )
}

function NoInvoices() {
  const environment = useEnvironment()
  const first = dayAndMonth(firstOfNextMonth(londonDay(new Date())))
  return (
    <EmptyState icon="invoices" title="No invoices yet">
      {environment === 'sandbox'
        ? 'Sandbox is never charged, so it has no invoices.'
        : `The first one comes on ${first}, if live was in use before.`}
    </EmptyState>
  )
}

function Open({ invoice }: { invoice: Invoice }) {
  const navigate = useNavigate({ from: '/invoices' })
  return (
    <button
      type="button"
      className="font-medium hover:underline"
      onClick={(event) => {
        event.stopPropagation()
        void navigate({ search: { open: invoice.id }, resetScroll: false })
      }}
    >
      {monthName(invoice.period)}
    </button>
  )
}

const COLUMNS: readonly Column<Invoice>[] = [
  { id: 'period', header: 'Period', cell: (invoice) => <Open invoice={invoice} /> },
  {
    id: 'issued',
    header: 'Issued',
    cell: ({ issued_at }) => (issued_at === null ? 'Not yet' : <Time at={issued_at} as="day" />),
  },
  { id: 'due', header: 'Due', cell: ({ due_at }) => (due_at === null ? '' : <Time at={due_at} as="day" />) },
  { id: 'status', header: 'Status', cell: ({ status }) => <InvoiceStatus status={status} /> },
  {
    id: 'total',
    header: 'Total',
    isRight: true,
    cell: ({ total_gbp }) => <span className="font-medium">{gbp(total_gbp)}</span>,
  },
]

function NarrowInvoice({ invoice }: { invoice: Invoice }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="grid gap-1">
        <Open invoice={invoice} />
        <span>
          <InvoiceStatus status={invoice.status} />
        </span>
      </span>
      <span className="num font-medium">{gbp(invoice.total_gbp)}</span>
    </div>
  )
}
