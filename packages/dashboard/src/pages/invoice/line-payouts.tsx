import type { Invoice, InvoicedPayout } from '@kestrel/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { IconButton } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { StatusPill } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { linePayoutsCsvAddress } from '../../server/billing.ts'
import { linePayoutPagesQuery } from '../../server/queries.ts'

interface LinePayoutsProps {
  readonly invoice: Invoice
  readonly line: Invoice['lines'][number]
  readonly onClose: () => void
}

/** The payouts that a line is made of, each with what it adds. */
export function LinePayouts({ invoice, line, onClose }: LinePayoutsProps) {
  const scope = useScope()
  const place = { id: invoice.id, line: line.line }
  const pages = useInfiniteQuery(linePayoutPagesQuery(scope, place))
  return (
    <Card
      flush
      title={`Payouts behind “${line.description}”`}
      className="overflow-hidden"
      action={
        <span className="flex items-center gap-2">
          <a href={linePayoutsCsvAddress(scope.environment, place)} download className={buttonClass()}>
            <Icon name="download" />
            CSV of this line
          </a>
          <IconButton icon="cross" label="Close these payouts" onClick={onClose} />
        </span>
      }
    >
      <Loaded query={pages}>
        {(data) => {
          const payouts = data.pages.flatMap((page) => page.data)
          if (payouts.length === 0) return <EmptyState title="There are no payouts behind this line" />
          return (
            <>
              <PayoutRows payouts={payouts} />
              <LoadMore pages={pages}>Load 50 more</LoadMore>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function PayoutRows({ payouts }: { payouts: readonly InvoicedPayout[] }) {
  const navigate = useNavigate()
  return (
    <DataTable
      caption="Payouts behind the line"
      columns={COLUMNS}
      rows={payouts}
      rowId={({ payout }) => payout.id}
      onRowClick={({ payout }) => void navigate({ to: '/payouts/$id', params: { id: payout.id } })}
      narrow={(row) => <NarrowRow row={row} />}
    />
  )
}

const COLUMNS: readonly Column<InvoicedPayout>[] = [
  {
    id: 'recipient',
    header: 'Recipient',
    cell: ({ payout: { id, recipient } }) => (
      <Link
        to="/payouts/$id"
        params={{ id }}
        data-row-link
        onClick={(event) => event.stopPropagation()}
        className="font-medium wrap-anywhere hover:underline"
      >
        <bdi>{recipient.name ?? 'Unknown recipient'}</bdi>{' '}
        <span className="num font-normal whitespace-nowrap text-muted">··{recipient.account_last4}</span>
      </Link>
    ),
  },
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ payout: { reference } }) => (
      <span className="line-clamp-1 font-mono text-sm break-all text-muted" title={reference ?? undefined}>
        {reference}
      </span>
    ),
  },
  { id: 'charged-at', header: 'Charged', cell: ({ charged_at }) => <Time at={charged_at} /> },
  { id: 'status', header: 'Status', cell: ({ payout: { status } }) => <StatusPill status={status} /> },
  { id: 'amount', header: 'Amount', isRight: true, cell: ({ payout: { amount_gbp } }) => gbp(amount_gbp) },
  {
    id: 'charge',
    header: 'On this line',
    isRight: true,
    cell: ({ charged_exact_gbp }) => <span className="font-medium">{gbp(charged_exact_gbp)}</span>,
  },
]

function NarrowRow({ row: { payout, charged_at, charged_exact_gbp } }: { row: InvoicedPayout }) {
  return (
    <Link to="/payouts/$id" params={{ id: payout.id }} className="block">
      <span className="flex justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{payout.recipient.name ?? 'Unknown recipient'}</span>
        <span className="num font-medium">{gbp(charged_exact_gbp)}</span>
      </span>
      <span className="mt-1 flex items-center justify-between gap-3 text-sm text-muted">
        <span className="num min-w-0 truncate">
          <Time at={charged_at} /> · {gbp(payout.amount_gbp)}
        </span>
        <StatusPill status={payout.status} />
      </span>
    </Link>
  )
}
