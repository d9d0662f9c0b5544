import { FAILURE_CODES } from '@kestrel/contract/failure-codes'
import { PAYOUT_STATUSES } from '@kestrel/contract/payout-status'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { shortDay } from '../../format/dates.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuChoice, MenuItem } from '../../parts/menu.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { statusWord } from '../../parts/status-pill.tsx'
import { FAILURE_WORDS } from './failure-words.ts'
import { AmountFilter } from './amount-filter.tsx'
import { TimeChips } from './time-chips.tsx'
import { failureOf, isFiltered, type PayoutSearch, namedDays, statusesOf } from './filter.ts'

interface FilterProps {
  readonly search: PayoutSearch
  readonly onChange: (change: PayoutSearch) => void
}

export function FilterBar({ search, onChange }: FilterProps) {
  const navigate = useNavigate()
  const [isMore, setMore] = useState(
    search.min !== undefined || search.max !== undefined || (search.from !== undefined && search.to !== undefined),
  )
  // Clearing also empties fields whose text was no valid filter.
  const [round, setRound] = useState(0)
  const clear = () => {
    setRound(round + 1)
    void navigate({ to: '/payouts' })
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search payouts by name, reference, last 4 digits, amount or id"
          placeholder="Name, reference, last 4, amount"
          value={search.q ?? ''}
          onChange={(q) => onChange({ q })}
        />
        <StatusFilter search={search} onChange={onChange} />
        <ReasonFilter search={search} onChange={onChange} />
        <PeriodFilter search={search} onChange={onChange} />
        <SourceFilter search={search} onChange={onChange} />
        <TimeChips search={search} onChange={onChange} />
        <Button icon="filter" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
          Dates and amounts
        </Button>
        {isFiltered(search) ? (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </div>
      {isMore ? <MoreFilters key={round} search={search} onChange={onChange} /> : null}
    </div>
  )
}

function Chip({ label, value, children }: { label: string; value: string | null; children: ReactNode }) {
  return (
    <Menu
      align="start"
      trigger={
        <Button kind={value === null ? 'secondary' : 'chosen'}>
          {label}
          {value === null ? null : <span className="font-semibold">{value}</span>}
          <Icon name="chevronDown" size={14} />
        </Button>
      }
    >
      {children}
    </Menu>
  )
}

function StatusFilter({ search, onChange }: FilterProps) {
  const chosen = statusesOf(search)
  const value =
    chosen.length === 0 ? null : chosen.length === 1 && chosen[0] ? statusWord(chosen[0]) : `${chosen.length}`
  return (
    <Chip label="Status" value={value}>
      {PAYOUT_STATUSES.map((status) => {
        const isChosen = chosen.includes(status)
        const next = isChosen ? chosen.filter((other) => other !== status) : [...chosen, status]
        return (
          <MenuChoice key={status} isChosen={isChosen} onSelect={() => onChange({ status: next.join(',') })}>
            {statusWord(status)}
          </MenuChoice>
        )
      })}
    </Chip>
  )
}

function ReasonFilter({ search, onChange }: FilterProps) {
  const chosen = failureOf(search)
  return (
    <Chip label="Reason" value={chosen === null ? null : FAILURE_WORDS[chosen]}>
      <MenuItem onSelect={() => onChange({ why: '' })}>Any or none</MenuItem>
      {FAILURE_CODES.map((code) => (
        <MenuChoice key={code} isChosen={code === chosen} onSelect={() => onChange({ why: code })}>
          {FAILURE_WORDS[code]}
        </MenuChoice>
      ))}
    </Chip>
  )
}

function PeriodFilter({ search, onChange }: FilterProps) {
  const known = namedDays(new Date())
  const match = known.find(({ from, to }) => from === search.from && to === search.to)
  return (
    <Chip label="Date" value={match?.label ?? ownPeriod(search)}>
      <MenuItem onSelect={() => onChange({ from: '', to: '' })}>Any time</MenuItem>
      {known.map(({ label, from, to }) => (
        <MenuChoice key={label} isChosen={match?.label === label} onSelect={() => onChange({ from, to: to ?? '' })}>
          {label}
        </MenuChoice>
      ))}
    </Chip>
  )
}

function ownPeriod({ from, to }: PayoutSearch): string | null {
  const show = (day: string) => shortDay(`${day}T12:00:00Z`, new Date())
  if (from !== undefined && to !== undefined) return from === to ? show(from) : `${show(from)} to ${show(to)}`
  if (from !== undefined) return `from ${show(from)}`
  return to === undefined ? null : `to ${show(to)}`
}

const SOURCES = [
  { value: '', label: 'Anywhere' },
  { value: 'api', label: 'API' },
  { value: 'dashboard', label: 'Dashboard' },
]

function SourceFilter({ search, onChange }: FilterProps) {
  const chosen = SOURCES.find(({ value }) => value !== '' && value === search.via)
  return (
    <Chip label="Source" value={chosen?.label ?? null}>
      {SOURCES.map(({ value, label }) => (
        <MenuChoice key={label} isChosen={value === (search.via ?? '')} onSelect={() => onChange({ via: value })}>
          {label}
        </MenuChoice>
      ))}
    </Chip>
  )
}

function MoreFilters({ search, onChange }: FilterProps) {
  return (
    <div className="grid grid-cols-2 gap-3 rounded-card border border-line bg-surface p-4 sm:grid-cols-4">
      <DateField label="From" value={search.from ?? ''} onChange={(from) => onChange({ from })} />
      <DateField label="To" value={search.to ?? ''} onChange={(to) => onChange({ to })} />
      <AmountFilter label="At least" value={search.min ?? ''} onChange={(min) => onChange({ min })} />
      <AmountFilter label="At most" value={search.max ?? ''} onChange={(max) => onChange({ max })} />
    </div>
  )
}
