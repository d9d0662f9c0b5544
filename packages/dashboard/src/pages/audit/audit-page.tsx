import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { actionWords } from '../../app/words.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Field } from '../../parts/field.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { activityPagesQuery } from '../../server/queries.ts'
import type { Activity } from '../../server/shapes.ts'

export function AuditPage() {
  const { by, what } = useSearch({ from: '/inside/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const isAll = what === 'all'
  const filter = useMemo(
    () => ({ ...(by === undefined ? {} : { by }), ...(isAll ? {} : { only: 'changes' as const }) }),
    [by, isAll],
  )
  const pages = useInfiniteQuery(activityPagesQuery(useScope(), filter))
  const entries = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  return (
    <Page
      title="Audit log"
      sub="Who did what, through the API and the dashboard. Entries cannot be changed or deleted."
    >
      <div className="flex flex-wrap items-end gap-3">
        <Segments
          label="What to show"
          value={isAll ? 'all' : 'changes'}
          onChange={(value) =>
            void navigate({ search: (now) => ({ ...now, what: value === 'all' ? 'all' : undefined }), replace: true })
          }
          options={[
            { value: 'changes', label: 'Changes' },
            { value: 'all', label: 'Everything' },
          ]}
        />
        <Field
          label="By"
          key={by}
          defaultValue={by ?? ''}
          placeholder="Email or key"
          className="w-56"
          onBlur={(event) => void navigate({ search: (now) => ({ ...now, by: event.target.value }), replace: true })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
      </div>
      <Card flush className="overflow-hidden">
        <Loaded query={pages}>{() => <Entries entries={entries} by={by} />}</Loaded>
        <LoadMore pages={pages}>Load older entries</LoadMore>
      </Card>
    </Page>
  )
}

function Entries({ entries, by }: { entries: readonly Activity[]; by: string | undefined }) {
  if (entries.length === 0) {
    return by === undefined ? (
      <EmptyState icon="audit" title="Nothing has happened yet">
        Every change, here and through the API, is kept in this log.
      </EmptyState>
    ) : (
      <EmptyState icon="search" title={`Nothing by “${by}”`}>
        Try another name, or look at everything.
      </EmptyState>
    )
  }
  return (
    <DataTable
      caption="Audit log"
      columns={COLUMNS}
      rows={entries}
      rowId={({ id }) => id}
      narrow={(entry) => (
        <div>
          <div className="flex justify-between gap-3">
            <span className="font-medium">{actionWords(entry.action)}</span>
            <Answer entry={entry} />
          </div>
          <p className="text-sm text-muted">
            {entry.by}, <Time at={entry.at} />
          </p>
        </div>
      )}
    />
  )
}

function Answer({ entry: { status } }: { entry: Activity }) {
  if (status === null) return null
  return status < 400 ? <Badge tone="ok">Done</Badge> : <Badge tone="bad">{`Refused, ${status}`}</Badge>
}

const COLUMNS: readonly Column<Activity>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { id: 'by', header: 'Who', cell: ({ by }) => <span className="font-medium">{by}</span> },
  {
    id: 'what',
    header: 'What',
    cell: ({ action, detail }) => (
      <span>
        {actionWords(action)}
        {detail === null ? null : <span className="block font-mono text-xs text-muted">{detail}</span>}
      </span>
    ),
  },
  {
    id: 'environment',
    header: 'Environment',
    cell: ({ environment }) =>
      environment === null ? null : environment === 'live' ? (
        <Badge tone="info">Live</Badge>
      ) : (
        <Badge tone="sandbox">Sandbox</Badge>
      ),
  },
  { id: 'ip', header: 'From', cell: ({ ip }) => <span className="num text-muted">{ip}</span> },
  { id: 'answer', header: 'Outcome', cell: (entry) => <Answer entry={entry} /> },
]
