import type { ActivityEntry } from '@kestrel/contract'
import { useMemo } from 'react'

import { EnvironmentBadge } from '../../activity/environment-badge.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/time.tsx'
import { RefusalCode, RequestLine, StatusCode } from './request-line.tsx'

interface RequestTableProps {
  readonly entries: readonly ActivityEntry[]
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

export function RequestTable({ entries, openId, onOpen }: RequestTableProps) {
  const isBeside = openId !== undefined
  // Beside an open request there is room for what tells the rows apart.
  const columns = useMemo(
    () => columnsOf(onOpen).filter(({ id }) => !isBeside || (id !== 'by' && id !== 'environment')),
    [onOpen, isBeside],
  )
  return (
    <DataTable
      caption="Requests"
      columns={columns}
      rows={entries}
      rowId={({ id }) => id}
      selectedId={openId}
      onRowClick={({ id }) => onOpen(id)}
      narrow={(entry) => <NarrowRequest entry={entry} onOpen={onOpen} />}
    />
  )
}

function NarrowRequest({ entry, onOpen }: { entry: ActivityEntry; onOpen: (id: string) => void }) {
  return (
    <button
      type="button"
      data-row-link
      className="flex w-full justify-between gap-3 text-left"
      onClick={() => onOpen(entry.id)}
    >
      <span className="min-w-0">
        <RequestLine entry={entry} />
        <RefusalCode entry={entry} />
        <span className="block text-sm text-muted">
          <Time at={entry.at} />
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1">
        <StatusCode status={entry.status} />
        <EnvironmentBadge environment={entry.environment} />
      </span>
    </button>
  )
}

function columnsOf(onOpen: (id: string) => void): readonly Column<ActivityEntry>[] {
  return [
    { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
    { id: 'status', header: 'Answer', cell: ({ status }) => <StatusCode status={status} /> },
    {
      id: 'request',
      header: 'Request',
      cell: (entry) => (
        <button
          type="button"
          data-row-link
          className="text-left"
          onClick={(event) => {
            event.stopPropagation()
            onOpen(entry.id)
          }}
        >
          <RequestLine entry={entry} />
          <RefusalCode entry={entry} />
        </button>
      ),
    },
    { id: 'by', header: 'By', cell: ({ by }) => <span className="line-clamp-1 break-all text-muted">{by}</span> },
    {
      id: 'environment',
      header: 'Environment',
      cell: ({ environment }) => <EnvironmentBadge environment={environment} />,
    },
    {
      id: 'ms',
      header: 'Took',
      isRight: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '' : `${duration_ms} ms`),
    },
  ]
}
