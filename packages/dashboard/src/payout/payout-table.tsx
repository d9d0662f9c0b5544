import type { Payout } from '@kestrel/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useMemo } from 'react'

import { gbp } from '../format/money.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Time } from '../parts/time.tsx'
import { isCharged } from './charge.ts'

interface PayoutTableProps {
  readonly payouts: readonly Payout[]
  /** Opens a payout beside the list. Without it a row leads to the page of the payout. */
  readonly onOpen?: (id: string) => void
  readonly openId?: string | undefined
}

export function PayoutTable({ payouts, onOpen, openId }: PayoutTableProps) {
  const navigate = useNavigate()
  const open = onOpen ?? ((id: string) => void navigate({ to: '/payouts/$id', params: { id } }))
  const isBeside = openId !== undefined
  // Beside an open payout there is room for what tells the rows apart.
  const columns = useMemo(
    () => columnsOf(onOpen, isBeside).filter(({ id }) => !isBeside || (id !== 'reference' && id !== 'fee')),
    [onOpen, isBeside],
  )
  return (
    <DataTable
      caption="Payouts"
      columns={columns}
      rows={payouts}
      rowId={({ id }) => id}
      onRowClick={({ id }) => open(id)}
      selectedId={openId}
      narrow={(payout) => <NarrowPayout payout={payout} />}
    />
  )
}

/** A plain click opens the panel; Enter, a middle click and a new tab lead to the page. */
function recipientLink(payout: Payout, onOpen: ((id: string) => void) | undefined) {
  const click = (event: MouseEvent) => {
    event.stopPropagation()
    const isPlain = event.detail > 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (onOpen === undefined || !isPlain) return
    event.preventDefault()
    onOpen(payout.id)
  }
  return (
    <Link
      to="/payouts/$id"
      params={{ id: payout.id }}
      onClick={click}
      data-row-link
      title={payout.recipient.name ?? undefined}
      className="flex max-w-72 min-w-32 gap-1 font-medium"
    >
      <Payee payout={payout} />
    </Link>
  )
}

/** The name gives way, here and in every list: what one row has too much of must not push the amounts of all out of sight. */
function Payee({ payout: { recipient } }: { payout: Payout }) {
  return (
    <>
      <bdi className="line-clamp-1 break-all">{recipient.name ?? 'Unknown recipient'}</bdi>{' '}
      <span className="num shrink-0 font-normal text-muted">··{recipient.account_last4}</span>
    </>
  )
}

function columnsOf(onOpen: ((id: string) => void) | undefined, isBeside: boolean): readonly Column<Payout>[] {
  return [
    { id: 'recipient', header: 'Recipient', cell: (payout) => recipientLink(payout, onOpen) },
    {
      id: 'reference',
      header: 'Reference',
      cell: ({ reference }) => (
        <span
          className="line-clamp-1 max-w-[24ch] font-mono text-sm break-all text-muted"
          title={reference ?? undefined}
        >
          {reference}
        </span>
      ),
    },
    { id: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, failure_reason: why }) => (
        <>
          <StatusPill status={status} />
          {why == null ? null : (
            <span title={why} className={`line-clamp-2 text-sm text-muted ${isBeside ? 'max-w-32' : 'max-w-64'}`}>
              {why}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'amount',
      header: 'Amount',
      isRight: true,
      cell: ({ amount_gbp }) => <span className="font-medium">{gbp(amount_gbp)}</span>,
    },
    {
      id: 'fee',
      header: 'Fee',
      isRight: true,
      cell: (payout) => <span className="text-muted">{isCharged(payout) ? gbp(payout.fee_gbp) : 'None'}</span>,
    },
  ]
}

function NarrowPayout({ payout }: { payout: Payout }) {
  return (
    <Link to="/payouts/$id" params={{ id: payout.id }} data-row-link className="block">
      <span className="flex justify-between gap-3">
        <span className="flex min-w-0 gap-1 font-medium">
          <Payee payout={payout} />
        </span>
        <span className="num font-medium">{gbp(payout.amount_gbp)}</span>
      </span>
      <span className="mt-1 flex items-center justify-between gap-3 text-sm text-muted">
        <span className="min-w-0 truncate">
          <Time at={payout.created_at} />
          {payout.reference == null ? '' : ` · ${payout.reference}`}
        </span>
        <StatusPill status={payout.status} />
      </span>
      {payout.failure_reason == null ? null : (
        <span className="mt-1 block text-sm wrap-anywhere text-muted">{payout.failure_reason}</span>
      )}
    </Link>
  )
}
