import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { Page } from '../../app/page.tsx'
import { useEnvironment } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { Histogram } from './histogram.tsx'
import { RequestPanel } from './request-panel.tsx'
import { RequestTable } from './request-table.tsx'
import { useLog } from './use-log.ts'

const LONGEST_SEARCH = 120
const CLASSES = ['', '2xx', '4xx', '5xx'] as const

export function LogsPage() {
  const { class: statusClass, from, open, q } = useSearch({ from: '/inside/logs' })
  const navigate = useNavigate({ from: '/logs' })
  const [isLive, setLive] = useState(false)
  const environment = useEnvironment()
  // By default only requests with API keys: those of the dashboard would bury them. Reads of this log are never shown.
  const filter = useMemo(
    () => ({
      ...(statusClass === undefined ? {} : { status_class: statusClass }),
      ...(q === undefined || q.trim() === '' ? {} : { q: q.trim().slice(0, LONGEST_SEARCH) }),
      ...(from === 'everywhere' ? { hide: 'log_reads' as const } : { via: 'api' }),
      in_environment: environment,
    }),
    [statusClass, q, from, environment],
  )
  const { pages, entries } = useLog(filter, isLive)
  const shown = entries.find(({ id }) => id === open)
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({ search: (now) => ({ ...now, open: id }), replace: true, resetScroll: false }),
    [navigate],
  )
  const hide = useCallback(() => show(undefined), [show])
  return (
    <Page
      title="Request logs"
      sub={`${from === 'everywhere' ? 'Every request' : 'Every request with your API keys'} in ${environment}, the newest first.`}
      actions={<LiveButton isLive={isLive} onChange={setLive} />}
    >
      <Filters statusClass={statusClass} from={from} q={q} />
      <Histogram entries={entries} />
      <div className="flex items-start gap-4">
        <Card flush className="flex-1 overflow-hidden">
          <Loaded query={pages}>
            {() =>
              entries.length === 0 ? (
                statusClass === undefined && filter.q === undefined ? (
                  <NoRequests />
                ) : (
                  <EmptyState icon="search" title="No requests match">
                    {filter.q === undefined
                      ? 'Load older ones, or choose another answer.'
                      : 'Part of a path or of an error code, a status, or a whole id or idempotency key finds requests.'}
                  </EmptyState>
                )
              ) : (
                <RequestTable entries={entries} openId={shown?.id} onOpen={show} />
              )
            }
          </Loaded>
          <LoadMore pages={pages}>Load older requests</LoadMore>
        </Card>
        {shown === undefined ? null : <RequestPanel entry={shown} onClose={hide} />}
      </div>
    </Page>
  )
}

function Filters({ statusClass, from, q }: Record<'statusClass' | 'from' | 'q', string | undefined>) {
  const navigate = useNavigate({ from: '/logs' })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label="Search requests"
        placeholder="Path, id, key or code"
        value={q ?? ''}
        onChange={(value) => void navigate({ search: (now) => ({ ...now, q: value, open: undefined }), replace: true })}
      />
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
      kind={isLive ? 'chosen' : 'secondary'}
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
