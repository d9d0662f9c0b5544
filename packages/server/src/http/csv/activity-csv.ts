// The activity log as a CSV table.
import { after } from '../../core/clock.ts'
import { londonDay } from '../../core/london-day.ts'
import type { ActivityCriteria, listActivity } from '../../domain/activity/list-activity.ts'
import { presentActivity } from '../present/activity.ts'
import { type CsvColumns, csvOf } from './csv.ts'

type Entry = Awaited<ReturnType<typeof listActivity>>[number]

const COLUMNS: CsvColumns<Entry> = [
  ['When (UTC)', (entry) => entry.at.toISOString()],
  ['By', (entry) => entry.by],
  ['Action', (entry) => entry.action],
  ['About', (entry) => entry.detail ?? ''],
  ['Environment', (entry) => entry.environment ?? ''],
  ['Status', (entry) => (entry.status === null ? '' : String(entry.status))],
  ['Method', (entry) => entry.method ?? ''],
  ['Path', (entry) => entry.path ?? ''],
  ['From address', (entry) => entry.ip ?? ''],
  ['Took (ms)', (entry) => (entry.durationMs === null ? '' : String(entry.durationMs))],
  ['Entry', (entry) => entry.id],
  ['In words', (entry) => presentActivity(entry).summary],
]

export function activityCsv(pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  return csvOf(COLUMNS, pages)
}

/** Such as activity-2026-11-01_2026-11-15.csv: the filter's days in London, if it has a first day. */
export function activityCsvName({ from, to }: ActivityCriteria, now: Date): string {
  const last = londonDay(to === null ? now : after(to, -1))
  return `activity-${from === null ? 'to' : londonDay(from)}_${last}.csv`
}
