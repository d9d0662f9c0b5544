import { clockTime } from '../../format/dates.ts'
import type { Activity } from '../../server/shapes.ts'

export interface Bucket {
  readonly from: number
  readonly title: string
  readonly ok: number
  readonly refused: number
  readonly broken: number
}

const COUNT = 48

/** The span between the oldest and the newest request, in equal parts. */
export function bucketsOf(entries: readonly Pick<Activity, 'at' | 'status'>[]): readonly Bucket[] {
  const moments = entries.map(({ at }) => Date.parse(at))
  if (moments.length === 0) return []
  const first = Math.min(...moments)
  const width = Math.max(1_000, (Math.max(...moments) - first + 1) / COUNT)
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
    return { from, title: `From ${clockTime(new Date(from))}: ${sum.ok + sum.refused + sum.broken}`, ...sum }
  })
}
