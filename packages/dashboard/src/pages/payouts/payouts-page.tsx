import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { NewPayoutLink } from '../../payout/new-payout-link.tsx'
import { buttonClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { exportAddress, type PayoutFilter } from '../../server/payouts.ts'
import { keptWithin, payoutPagesQuery, summaryQuery } from '../../server/queries.ts'
import { filterOf, isFiltered, type PayoutSearch } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { NoPayoutsYet } from './no-payouts-yet.tsx'
import { PauseSwitch } from './pause-switch.tsx'
import { PayoutPanel } from './payout-panel.tsx'
import { PayoutTable } from '../../payout/payout-table.tsx'
import { UpdatesPill } from './updates-pill.tsx'

export function PayoutsPage() {
  const { open, environment: _, ...search } = useSearch({ from: '/inside/payouts' })
  const navigate = useNavigate({ from: '/payouts' })
  const filter = useMemo(() => filterOf(search), [JSON.stringify(search)])
  const change = useCallback(
    (more: PayoutSearch) =>
      void navigate({ search: (current) => ({ ...current, ...more, open: undefined }), replace: true }),
    [navigate],
  )
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({ search: (current) => ({ ...current, open: id }), replace: true, resetScroll: false }),
    [navigate],
  )
  const hide = useCallback(() => show(undefined), [show])
  return (
    <Page title="Payouts" sub={<Total filter={filter} />} actions={<Actions filter={filter} />}>
      <NotVerifiedNotice />
      <FilterBar search={search} onChange={change} />
      <UpdatesPill filter={filter} />
      <div className="flex items-start gap-4">
        <Card flush className="flex-1 overflow-hidden">
          <Pages filter={filter} isFiltered={isFiltered(search)} openId={open} onOpen={show} />
        </Card>
        {open === undefined ? null : <PayoutPanel id={open} onClose={hide} />}
      </div>
    </Page>
  )
}

function Total({ filter }: { filter: PayoutFilter }) {
  const scope = useScope()
  const summary = useQuery({ ...summaryQuery(scope, filter), placeholderData: keptWithin(scope) })
  if (summary.data === undefined) return <span className="invisible">0</span>
  return (
    <span className="num" aria-live="polite">
      {count(summary.data.count, 'payout')}, {gbp(summary.data.amount_gbp)}
      {summary.data.counted_from === null ? null : ' among the newest 100,000'}
    </span>
  )
}

function Actions({ filter }: { filter: PayoutFilter }) {
  const { environment } = useScope()
  return (
    <>
      <a href={exportAddress(environment, filter)} download className={buttonClass()}>
        <Icon name="download" />
        Export CSV
      </a>
      <PauseSwitch />
      <NewPayoutLink />
    </>
  )
}

interface PagesProps {
  readonly filter: PayoutFilter
  readonly isFiltered: boolean
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

function Pages({ filter, isFiltered: hasFilter, openId, onOpen }: PagesProps) {
  const pages = useInfiniteQuery(payoutPagesQuery(useScope(), filter))
  return (
    <Loaded query={pages}>
      {(data) => {
        const payouts = data.pages.flatMap((page) => page.data)
        if (payouts.length === 0 && !pages.hasNextPage) return hasFilter ? <NoMatch /> : <NoPayoutsYet />
        if (payouts.length === 0) {
          return (
            <>
              <EmptyState icon="search" title="No match among the newest payouts">
                <p>Ten thousand are looked through at a time. Dates narrow it down faster.</p>
                <ClearFilters />
              </EmptyState>
              <LoadMore pages={pages}>Look further back</LoadMore>
            </>
          )
        }
        return (
          <>
            <PayoutTable payouts={payouts} onOpen={onOpen} openId={openId} />
            <LoadMore pages={pages}>Load 50 more</LoadMore>
          </>
        )
      }}
    </Loaded>
  )
}

function NoMatch() {
  return (
    <EmptyState icon="search" title="No payouts match these filters">
      <ClearFilters />
    </EmptyState>
  )
}

function ClearFilters() {
  return (
    <Link to="/payouts" className={buttonClass()}>
      Clear filters
    </Link>
  )
}
