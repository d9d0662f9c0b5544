import type { ActivityEntry } from '@kestrel/contract'
import { labelOf, valueOf } from '@kestrel/contract/activity-sentence'

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
      isBroad
      narrow={(entry) => <NarrowEntry entry={entry} />}
    />
  )
}

const COLUMNS: readonly Column<ActivityEntry>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'by',
    header: 'Who',
    cell: ({ by, by_name: name }) => (
      <span className="block min-w-36 wrap-anywhere">
        <span className="font-medium">{name ?? by}</span>
        {name === null ? null : <span className="block text-sm text-muted">{by}</span>}
      </span>
    ),
  },
  {
    id: 'what',
    header: 'What',
    cell: (entry) => (
      <span className="block min-w-36 wrap-anywhere">
        {entry.summary}
        <Changes entry={entry} />
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
        <span className="min-w-0 font-medium wrap-anywhere">{entry.summary}</span>
        <Answer entry={entry} />
      </div>
      <Changes entry={entry} />
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

/** Several changes at once are easier to compare in a table than in a sentence. */
function Changes({ entry: { changes } }: { entry: ActivityEntry }) {
  if (changes.length === 0) return null
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink touch:py-2">Before and after</summary>
      <table className="mt-1 w-full max-w-lg">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1 pr-4 font-normal">
              What
            </th>
            <th scope="col" className="py-1 pr-4 font-normal">
              Before
            </th>
            <th scope="col" className="py-1 font-normal">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-4 text-left font-normal">
                {labelOf(field)}
              </th>
              <td className="num py-1 pr-4 wrap-anywhere">{valueOf(field, before)}</td>
              <td className="num py-1 wrap-anywhere">{valueOf(field, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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
