import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { activityPagesQuery } from '../../server/queries.ts'
import type { Activity } from '../../server/shapes.ts'
import { Histogram } from './histogram.tsx'
import { RequestPanel } from './request-panel.tsx'
import { RequestLine, StatusCode } from './request-line.tsx'

const CLASSES = ['', '2xx', '4xx', '5xx'] as const
const LIVE_MS = 3_000

export function LogsPage() {
  const { class: statusClass, from, open } = useSearch({ from: '/inside/logs' })
  const navigate = useNavigate({ from: '/logs' })
  const [isLive, setLive] = useState(false)
  // Keys unless said: what this page itself asks for would bury what an integration does.
  const filter = useMemo(
    () => ({
      ...(statusClass === undefined ? {} : { status_class: statusClass }),
      ...(from === 'everywhere' ? {} : { via: 'api' }),
    }),
    [statusClass, from],
  )
  const pages = useInfiniteQuery({
    ...activityPagesQuery(useScope(), filter),
    refetchInterval: isLive ? LIVE_MS : false,
  })
  const entries = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  const shown = entries.find(({ id }) => id === open)
  const show = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, open: id }), replace: true, resetScroll: false })
  return (
    <Page
      title="Request logs"
      sub="Every request with your API keys, the newest first."
      actions={<LiveButton isLive={isLive} onChange={setLive} />}
    >
      <Filters statusClass={statusClass} from={from} />
      <Histogram entries={entries} />
      <div className="flex items-start gap-4">
        <Card flush className="flex-1 overflow-hidden">
          <Loaded query={pages}>
            {() =>
              entries.length === 0 ? (
                statusClass === undefined ? (
                  <NoRequests />
                ) : (
                  <EmptyState icon="search" title="No requests match">
                    Load older ones, or choose another answer.
                  </EmptyState>
                )
              ) : (
                <Requests entries={entries} openId={open} onOpen={show} />
              )
            }
          </Loaded>
          <LoadMore pages={pages}>Load older requests</LoadMore>
        </Card>
        {shown === undefined ? null : <RequestPanel entry={shown} onClose={() => show(undefined)} />}
      </div>
    </Page>
  )
}

function Filters({ statusClass, from }: { statusClass: string | undefined; from: string | undefined }) {
  const navigate = useNavigate({ from: '/logs' })
  return (
    <div className="flex flex-wrap gap-3">
      <Segments
        label="Answer"
        value={CLASSES.find((value) => value === statusClass) ?? ''}
        onChange={(value) =>
          void navigate({ search: (now) => ({ ...now, class: value, open: undefined }), replace: true })
        }
        options={CLASSES.map((value) => ({ value, label: value === '' ? 'All' : value }))}
      />
      <Segments
        label="From"
        value={from === 'everywhere' ? 'everywhere' : ''}
        onChange={(value) =>
          void navigate({ search: (now) => ({ ...now, from: value, open: undefined }), replace: true })
        }
        options={[
          { value: '', label: 'API keys' },
          { value: 'everywhere', label: 'Dashboard too' },
        ]}
      />
    </div>
  )
}

function LiveButton({ isLive, onChange }: { isLive: boolean; onChange: (isLive: boolean) => void }) {
  return (
    <Button
      icon="refresh"
      aria-pressed={isLive}
      className={isLive ? 'border-accent bg-accent-soft' : ''}
      onClick={() => onChange(!isLive)}
    >
      {isLive ? 'Live, press to stop' : 'Live'}
    </Button>
  )
}

function NoRequests() {
  return (
    <EmptyState icon="logs" title="No requests yet">
      <p>Make one with your key:</p>
      <CodeBlock what="curl command" code={`curl ${location.origin}/v1/balance -H "Authorization: Bearer $KEY"`} />
    </EmptyState>
  )
}

interface RequestsProps {
  readonly entries: readonly Activity[]
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

function Requests({ entries, openId, onOpen }: RequestsProps) {
  const columns = useMemo(() => columnsOf(onOpen), [onOpen])
  return (
    <DataTable
      caption="Requests"
      columns={columns}
      rows={entries}
      rowId={({ id }) => id}
      selectedId={openId}
      onRowClick={({ id }) => onOpen(id)}
      narrow={(entry) => (
        <button type="button" className="flex w-full justify-between gap-3 text-left" onClick={() => onOpen(entry.id)}>
          <span className="min-w-0">
            <RequestLine entry={entry} />
            <span className="block text-sm text-muted">
              <Time at={entry.at} />
            </span>
          </span>
          <StatusCode status={entry.status} />
        </button>
      )}
    />
  )
}

function columnsOf(onOpen: (id: string) => void): readonly Column<Activity>[] {
  return [
    { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
    { id: 'status', header: 'Answer', cell: ({ status }) => <StatusCode status={status} /> },
    {
      id: 'request',
      header: 'Request',
      cell: (entry) => (
        <button
          type="button"
          className="text-left"
          onClick={(event) => {
            event.stopPropagation()
            onOpen(entry.id)
          }}
        >
          <RequestLine entry={entry} />
        </button>
      ),
    },
    { id: 'by', header: 'By', cell: ({ by }) => <span className="line-clamp-1 break-all text-muted">{by}</span> },
    {
      id: 'ms',
      header: 'Took',
      isRight: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '' : `${duration_ms} ms`),
    },
  ]
}
