import type { Statement } from '@kestrel/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { daysInWords, londonDay } from '../../format/dates.ts'
import { grouped, isZero, lost, usdc } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { FigureOf, Figures } from '../../parts/figures.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { type Days, statementCsvAddress } from '../../server/billing.ts'
import { statementPagesQuery } from '../../server/queries.ts'
import { daysOf, type MonthName, monthOf, searchOf, type StatementSearch } from './days.ts'
import { MovementTable } from './movement-table.tsx'

export function StatementPage() {
  const { environment } = useScope()
  const { from, to } = useSearch({ from: '/inside/statement' })
  const navigate = useNavigate({ from: '/statement' })
  const today = londonDay(new Date())
  const days = daysOf({ from, to }, today)
  const show = ({ from: first, to: last }: StatementSearch) =>
    void navigate({ search: (current) => ({ ...current, from: first, to: last }), replace: true, resetScroll: false })
  return (
    <Page
      title="Statement"
      sub="Every movement of your wallet, in USDC."
      actions={
        days === null ? undefined : (
          <a href={statementCsvAddress(environment, days)} download className={buttonClass()}>
            <Icon name="download" />
            Export CSV
          </a>
        )
      }
    >
      <NotVerifiedNotice />
      <DayPicker shown={days ?? { from: from ?? '', to: to ?? '' }} month={monthOf(days, today)} onChange={show} />
      {days === null ? <NoSuchDays /> : <Period days={days} />}
    </Page>
  )
}

interface DayPickerProps {
  readonly shown: Days
  readonly month: MonthName | null
  readonly onChange: (search: StatementSearch) => void
}

const MONTHS = [
  { value: 'this', label: 'This month' },
  { value: 'last', label: 'Last month' },
]

function DayPicker({ shown, month, onChange }: DayPickerProps) {
  const today = londonDay(new Date())
  return (
    <div className="grid grid-cols-2 items-end gap-3 sm:flex">
      <div className="col-span-2">
        <Segments
          label="Month"
          value={month ?? ''}
          options={MONTHS}
          onChange={(value) => onChange(searchOf(value === 'last' ? 'last' : 'this', today))}
        />
      </div>
      <DateField
        label="From"
        className="min-w-0 sm:w-44"
        value={shown.from}
        onChange={(from) => onChange({ ...shown, from })}
      />
      <DateField
        label="To"
        className="min-w-0 sm:w-44"
        value={shown.to}
        onChange={(to) => onChange({ ...shown, to })}
      />
    </div>
  )
}

function NoSuchDays() {
  return (
    <Card>
      <EmptyState icon="search" title="These dates are not a period">
        The first day must not be after the last, and both must be real dates.
        <Link to="/statement" className={buttonClass()}>
          Show this month
        </Link>
      </EmptyState>
    </Card>
  )
}

function Period({ days }: { days: Days }) {
  const pages = useInfiniteQuery(statementPagesQuery(useScope(), days))
  return (
    <Loaded query={pages}>
      {(data) => {
        const [first] = data.pages
        const movements = data.pages.flatMap((page) => page.data)
        return first === undefined ? null : (
          <>
            <Sums statement={first} />
            <Card flush className="overflow-hidden">
              {movements.length === 0 ? (
                <NothingMoved statement={first} />
              ) : (
                <>
                  <MovementTable movements={movements} />
                  <LoadMore pages={pages}>Load 50 more</LoadMore>
                </>
              )}
            </Card>
          </>
        )
      }}
    </Loaded>
  )
}

function Sums({ statement: { from, to, opening_usdc, closing_usdc, totals } }: { statement: Statement }) {
  return (
    <Card title={daysInWords(from, to)}>
      <Figures>
        <FigureOf term="Opening balance">{grouped(opening_usdc)}</FigureOf>
        <FigureOf
          term="In"
          note={isZero(totals.topped_up_usdc) ? undefined : `${grouped(totals.topped_up_usdc)} of it top-ups`}
        >
          {grouped(totals.in_usdc)}
        </FigureOf>
        <FigureOf term="Out">{lost(totals.out_usdc)}</FigureOf>
        <FigureOf term="Closing balance">{grouped(closing_usdc)}</FigureOf>
      </Figures>
    </Card>
  )
}

function NothingMoved({ statement: { closing_usdc } }: { statement: Statement }) {
  return (
    <EmptyState icon="wallet" title="No movements on these days">
      {isZero(closing_usdc)
        ? 'Top-ups and payouts appear here as soon as there are any.'
        : `The wallet held ${usdc(closing_usdc)} throughout.`}
    </EmptyState>
  )
}
