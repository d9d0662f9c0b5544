import type { ActivityEntry } from '@kestrel/contract'
import { useMemo } from 'react'

import { count } from '../../format/people.ts'
import { ChartCard, ChartTable } from '../../parts/chart-card.tsx'
import { useReadAlong } from '../../parts/use-read-along.ts'
import { type Bucket, bucketsOf } from './buckets.ts'

const SERIES = [
  { id: 'ok', label: '2xx and 3xx', fill: 'bg-ok' },
  { id: 'refused', label: '4xx', fill: 'bg-warn' },
  { id: 'broken', label: '5xx', fill: 'bg-bad' },
] as const

/** What the loaded requests look like over time: is something failing, and since when. */
export function Histogram({ entries }: { entries: readonly ActivityEntry[] }) {
  const buckets = useMemo(() => bucketsOf(entries), [entries])
  if (buckets.length === 0) return null
  return (
    <ChartCard title="Answers over time">
      {(as) =>
        as === 'table' ? <BucketTable buckets={buckets} /> : <BucketChart buckets={buckets} requests={entries.length} />
      }
    </ChartCard>
  )
}

function BucketChart({ buckets, requests }: { buckets: readonly Bucket[]; requests: number }) {
  const { active, setActive, reading } = useReadAlong(buckets.length)
  const most = Math.max(1, ...buckets.map(({ ok, refused, broken }) => ok + refused + broken))
  const totals = SERIES.map(({ id, label }) => `${label}: ${buckets.reduce((sum, bucket) => sum + bucket[id], 0)}`)
  const shown = active === null ? undefined : buckets[active]
  return (
    <>
      <div
        role="group"
        aria-roledescription="bar chart"
        aria-label={`${count(requests, 'request')}. ${totals.join(', ')}. Use the arrow keys to read them over time.`}
        {...reading}
        className="flex h-16 items-end gap-px rounded"
      >
        {buckets.map((bucket, index) => (
          <div
            key={bucket.from}
            aria-hidden="true"
            className={`flex h-full flex-1 flex-col-reverse rounded-sm ${index === active ? 'bg-selected' : ''}`}
            onMouseEnter={() => setActive(index)}
          >
            {SERIES.map(({ id, fill }) => (
              <div
                key={id}
                className={`${fill} first:rounded-b-sm`}
                style={{ height: `${(bucket[id] * 100) / most}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 text-sm text-muted">
        {SERIES.map(({ id, fill }, index) => (
          <li key={id} className="num flex items-center gap-1.5">
            <span className={`size-2.5 rounded-sm ${fill}`} />
            {totals[index]}
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="num min-h-5 text-sm text-muted">
        {shown?.words ?? ''}
      </p>
    </>
  )
}

/** Only the times at which something was asked: the empty ones say nothing. */
function BucketTable({ buckets }: { buckets: readonly Bucket[] }) {
  return (
    <ChartTable
      caption="Answers over time"
      heads={['From', ...SERIES.map(({ label }) => label)]}
      rows={buckets
        .filter(({ ok, refused, broken }) => ok + refused + broken > 0)
        .map((bucket) => ({
          id: String(bucket.from),
          name: bucket.since,
          cells: SERIES.map(({ id }) => String(bucket[id])),
        }))}
    />
  )
}
