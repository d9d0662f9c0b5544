import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { shortDay } from '../../format/dates.ts'
import { Button } from '../../parts/button.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuChoice, MenuItem } from '../../parts/menu.tsx'
import { STATUSES, statusWord } from '../../parts/status-pill.tsx'
import { isFiltered, type PayoutSearch, periods, statusesOf } from './filter.ts'

interface FilterProps {
  readonly search: PayoutSearch
  readonly onChange: (change: PayoutSearch) => void
}

const SEARCH_DELAY_MS = 300

export function FilterBar({ search, onChange }: FilterProps) {
  const navigate = useNavigate()
  const [isMore, setMore] = useState(
    search.min !== undefined || search.max !== undefined || (search.from !== undefined && search.to !== undefined),
  )
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={search.q ?? ''} onChange={(q) => onChange({ q })} />
        <StatusFilter search={search} onChange={onChange} />
        <PeriodFilter search={search} onChange={onChange} />
        <SourceFilter search={search} onChange={onChange} />
        <Button icon="filter" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
          Dates and amounts
        </Button>
        {isFiltered(search) ? (
          <Button kind="quiet" onClick={() => void navigate({ to: '/payouts' })}>
            Clear filters
          </Button>
        ) : null}
      </div>
      {isMore ? <MoreFilters search={search} onChange={onChange} /> : null}
    </div>
  )
}

/** What is typed becomes the filter when the typing stops, or at once when the field is left: never after that. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Only what somebody else changed: our own change may come back after more was typed.
    if (value !== asked.current) setTyped(value)
    asked.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (text: string) => {
    clearTimeout(timer.current)
    if (text === asked.current) return
    asked.current = text
    onChange(text)
  }
  return {
    typed,
    type: (text: string) => {
      setTyped(text)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => ask(text), SEARCH_DELAY_MS)
    },
    leave: () => ask(typed),
  }
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { typed, type, leave } = useTyped(value, onChange)
  return (
    <div className="relative min-w-0 flex-1 basis-56 sm:max-w-72">
      <Icon name="search" size={14} className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label="Search payouts by name, reference, last 4 digits, amount or id"
        placeholder="Name, reference, last 4, amount"
        value={typed}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        className={`${inputClass} pl-8`}
      />
    </div>
  )
}

function Chip({ label, value, children }: { label: string; value: string | null; children: ReactNode }) {
  return (
    <Menu
      align="start"
      trigger={
        <Button className={value === null ? '' : 'border-accent bg-accent-soft'}>
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
      {STATUSES.map((status) => {
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

function PeriodFilter({ search, onChange }: FilterProps) {
  const known = periods(new Date())
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
      <Field
        label="From"
        type="date"
        value={search.from ?? ''}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Field
        label="To"
        type="date"
        value={search.to ?? ''}
        onChange={(event) => onChange({ to: event.target.value })}
      />
      <Field
        label="At least"
        prefix="£"
        inputMode="decimal"
        defaultValue={search.min ?? ''}
        onBlur={(event) => onChange({ min: event.target.value })}
      />
      <Field
        label="At most"
        prefix="£"
        inputMode="decimal"
        defaultValue={search.max ?? ''}
        onBlur={(event) => onChange({ max: event.target.value })}
      />
    </div>
  )
}
