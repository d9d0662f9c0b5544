import { useMemo } from 'react'

import { Card } from '../../parts/card.tsx'
import { count } from '../../format/people.ts'
import type { Activity } from '../../server/shapes.ts'
import { type Bucket, bucketsOf } from './buckets.ts'

const SERIES = [
  { id: 'ok', label: '2xx and 3xx', fill: 'bg-ok' },
  { id: 'refused', label: '4xx', fill: 'bg-warn' },
  { id: 'broken', label: '5xx', fill: 'bg-bad' },
] as const

/** What the loaded requests look like over time: is something failing, and since when. */
export function Histogram({ entries }: { entries: readonly Activity[] }) {
  const buckets = useMemo(() => bucketsOf(entries), [entries])
  if (buckets.length === 0) return null
  const most = Math.max(1, ...buckets.map(({ ok, refused, broken }) => ok + refused + broken))
  const totals = SERIES.map(({ id, label }) => `${label}: ${buckets.reduce((sum, bucket) => sum + bucket[id], 0)}`)
  return (
    <Card>
      <div
        role="img"
        aria-label={`${count(entries.length, 'request')}. ${totals.join(', ')}`}
        className="flex h-16 items-end gap-px"
      >
        {buckets.map((bucket) => (
          <Column key={bucket.from} bucket={bucket} most={most} />
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
    </Card>
  )
}

function Column({ bucket, most }: { bucket: Bucket; most: number }) {
  return (
    <div className="flex h-full flex-1 flex-col-reverse" title={bucket.title}>
      {SERIES.map(({ id, fill }) => (
        <div key={id} className={`${fill} first:rounded-b-sm`} style={{ height: `${(bucket[id] * 100) / most}%` }} />
      ))}
    </div>
  )
}
