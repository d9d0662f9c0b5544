import type { ActivityEntry } from '@kestrel/contract'
import { requestTitle } from '@kestrel/contract/action-words'

import { ActivityDetail } from '../../activity/activity-detail.tsx'
import { EnvironmentBadge } from '../../activity/environment-badge.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'

export function AuditLogTable({ entries }: { entries: readonly ActivityEntry[] }) {
  return (
    <DataTable
      caption="Audit log"
      columns={COLUMNS}
      rows={entries}
      rowId={({ id }) => id}
      narrow={(entry) => <NarrowEntry entry={entry} />}
    />
  )
}

const COLUMNS: readonly Column<ActivityEntry>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { id: 'by', header: 'Who', cell: ({ by }) => <span className="font-medium break-all">{by}</span> },
  {
    id: 'what',
    header: 'What',
    cell: (entry) => (
      <span>
        {requestTitle(entry.action, entry.status)}
        <Detail entry={entry} />
      </span>
    ),
  },
  {
    id: 'environment',
    header: 'Environment',
    cell: ({ environment }) => <EnvironmentBadge environment={environment} />,
  },
  { id: 'ip', header: 'From', cell: ({ ip }) => <span className="num text-muted">{ip}</span> },
  { id: 'answer', header: 'Outcome', cell: (entry) => <Answer entry={entry} /> },
]

/** Has everything that the wide table has. */
function NarrowEntry({ entry }: { entry: ActivityEntry }) {
  return (
    <div>
      <div className="flex justify-between gap-3">
        <span className="font-medium">{requestTitle(entry.action, entry.status)}</span>
        <Answer entry={entry} />
      </div>
      <Detail entry={entry} />
      <p className="text-sm break-all text-muted">
        {entry.by}, <Time at={entry.at} />
      </p>
      <p className="mt-0.5 flex items-center gap-2 text-sm text-muted">
        <EnvironmentBadge environment={entry.environment} />
        {entry.ip === null ? null : <span className="num">from {entry.ip}</span>}
      </p>
    </div>
  )
}

function Detail({ entry }: { entry: ActivityEntry }) {
  if (entry.detail === null) return null
  return (
    <span className="block font-mono text-xs break-all text-muted">
      <ActivityDetail entry={entry} />
    </span>
  )
}

function Answer({ entry: { status } }: { entry: ActivityEntry }) {
  if (status === null) return null
  return status < 400 ? <Badge tone="ok">Done</Badge> : <Badge tone="bad">{`Refused, ${status}`}</Badge>
}
