import type { ActivityEntry } from '@kestrel/contract'

import { clockTime, londonDay, shortTime } from '../../format/dates.ts'

export interface Bucket {
  readonly from: number
  /** When the bucket begins: only the time when all buckets are of one day. */
  readonly since: string
  readonly words: string
  readonly ok: number
  readonly refused: number
  readonly broken: number
}

const COUNT = 48

/** The span between the oldest and the newest request, in equal parts. */
export function bucketsOf(entries: readonly Pick<ActivityEntry, 'at' | 'status'>[]): readonly Bucket[] {
  const moments = entries.map(({ at }) => Date.parse(at))
  if (moments.length === 0) return []
  const first = Math.min(...moments)
  const last = Math.max(...moments)
  const width = Math.max(1_000, (last - first + 1) / COUNT)
  const isOneDay = londonDay(new Date(first)) === londonDay(new Date(last))
  const timeOf = (moment: number) =>
    isOneDay ? clockTime(new Date(moment)) : shortTime(new Date(moment).toISOString(), new Date(last))
  const sums = Array.from({ length: COUNT }, () => ({ ok: 0, refused: 0, broken: 0 }))
  entries.forEach(({ status }, index) => {
    const sum = sums[Math.min(COUNT - 1, Math.floor(((moments[index] ?? first) - first) / width))]
    if (sum === undefined || status === null) return
    if (status < 400) sum.ok++
    else if (status < 500) sum.refused++
    else sum.broken++
  })
  return sums.map((sum, index) => {
    const from = first + index * width
    const since = timeOf(from)
    const words = `From ${since}: ${sum.ok} with 2xx or 3xx, ${sum.refused} with 4xx, ${sum.broken} with 5xx`
    return { from, since, words, ...sum }
  })
}
