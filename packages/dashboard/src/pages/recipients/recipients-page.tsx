import type { RecipientSummary } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { gbp, hundredths } from '../../format/money.ts'
import { count, inThousands } from '../../format/people.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { EmptyState, WhoCan } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { recipientsQuery } from '../../server/queries.ts'

/** As many as the API lists. */
const MOST = 200

const isPart = (list: { data: readonly RecipientSummary[] } | undefined) =>
  list !== undefined && list.data.length >= MOST

export function RecipientsPage() {
  const recipients = useQuery(recipientsQuery(useScope()))
  const { q } = useSearch({ from: '/inside/recipients' })
  const navigate = useNavigate({ from: '/recipients' })
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  return (
    <Page
      title="Recipients"
      sub={
        isPart(recipients.data)
          ? `The ${MOST} paid last, in the last 90 days.`
          : 'Built from your payouts of the last 90 days.'
      }
      actions={isAdmin ? undefined : <WhoCan>Only admins send payouts. Ask an admin of {partner.name}.</WhoCan>}
    >
      <NotVerifiedNotice />
      <SearchField
        label="Search recipients"
        placeholder="Name or last 4 digits"
        value={q ?? ''}
        onChange={(typed) => void navigate({ search: { q: typed }, replace: true })}
      />
      <Card flush className="overflow-hidden">
        <Loaded query={recipients}>{(list) => <Found all={list.data} isPart={isPart(list)} q={q ?? ''} />}</Loaded>
      </Card>
    </Page>
  )
}

interface FoundProps {
  readonly all: readonly RecipientSummary[]
  /** There may be more who were paid. */
  readonly isPart: boolean
  readonly q: string
}

function Found({ all, isPart: mayBeMore, q }: FoundProps) {
  const isAdmin = useIsAdmin()
  const columns = useMemo(() => columnsOf(isAdmin), [isAdmin])
  const found = useMemo(() => all.filter((recipient) => matches(recipient, q)), [all, q])
  if (all.length === 0) {
    return (
      <EmptyState icon="recipients" title="Nobody has been paid yet">
        Whoever you pay appears here, ready to be paid again.
      </EmptyState>
    )
  }
  if (found.length === 0) {
    return (
      <EmptyState
        icon="search"
        title={mayBeMore ? `Nobody among the ${MOST} paid last matches “${q}”` : `Nobody matches “${q}”`}
      >
        {mayBeMore ? (
          <Link to="/payouts" search={{ q }} className={buttonClass('primary')}>
            Search all payouts
          </Link>
        ) : null}
        <Link to="/recipients" className={buttonClass()}>
          Clear the search
        </Link>
      </EmptyState>
    )
  }
  return (
    <DataTable
      caption="Recipients"
      columns={columns}
      rows={found}
      rowId={({ name, account_last4 }) => `${name}${account_last4}`}
      narrow={(recipient) => <NarrowRecipient recipient={recipient} canPay={isAdmin} />}
    />
  )
}

function matches({ name, account_last4 }: RecipientSummary, q: string): boolean {
  const words = `${name ?? ''} ${account_last4 ?? ''}`.toLowerCase()
  return words.includes(q.trim().toLowerCase())
}

function PayAgain({ recipient: { name, account_last4 } }: { recipient: RecipientSummary }) {
  return (
    <Link to="/payouts/new" search={{ name: name ?? '', last4: account_last4 ?? '' }} className={buttonClass('quiet')}>
      Pay again<span className="sr-only">, {name}</span>
    </Link>
  )
}

function Who({ recipient: { name, account_last4 } }: { recipient: RecipientSummary }) {
  return (
    <Link
      to="/payouts"
      search={{ q: name ?? account_last4 ?? '' }}
      data-row-link
      className="font-medium wrap-anywhere hover:underline"
    >
      <bdi>{name ?? 'Unknown'}</bdi>{' '}
      <span className="num font-normal whitespace-nowrap text-muted">··{account_last4}</span>
    </Link>
  )
}

function columnsOf(canPay: boolean): readonly Column<RecipientSummary>[] {
  const columns: Column<RecipientSummary>[] = [
    { id: 'name', header: 'Name', cell: (row) => <Who recipient={row} />, sortBy: ({ name }) => name ?? '' },
    {
      id: 'last',
      header: 'Last paid',
      cell: (row) => <Time at={row.last_paid_at} />,
      sortBy: (row) => row.last_paid_at,
    },
    {
      id: 'payouts',
      header: 'Payouts',
      isRight: true,
      cell: (row) => inThousands(row.payouts),
      sortBy: (row) => row.payouts,
    },
    {
      id: 'paid',
      header: 'Total paid',
      isRight: true,
      cell: (row) => <span className="font-medium">{gbp(row.paid_gbp)}</span>,
      sortBy: (row) => hundredths(row.paid_gbp) ?? 0n,
    },
  ]
  if (canPay) {
    columns.push({ id: 'again', header: 'Actions', isRight: true, cell: (row) => <PayAgain recipient={row} /> })
  }
  return columns
}

function NarrowRecipient({ recipient, canPay }: { recipient: RecipientSummary; canPay: boolean }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <div className="min-w-0">
        <Who recipient={recipient} />
        <p className="num text-sm text-muted">
          {gbp(recipient.paid_gbp)} in {count(recipient.payouts, 'payout')}
        </p>
      </div>
      {canPay ? <PayAgain recipient={recipient} /> : null}
    </div>
  )
}
