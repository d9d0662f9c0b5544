// Rows of the bank's lists that could not be dealt with. Each is stored, tried again, and told of once.
import type { Environment } from '@kestrel/contract'

import type { FeedName } from '../../../storage/bank-feeds.ts'
import { type WaitingRow, keepWaitingRows } from '../../../storage/bank-rows-waiting.ts'
import type { Deps } from '../../deps.ts'
import type { AlarmName } from '../../watch/alarms/alarm-catalogue.ts'
import { ringOnce } from '../../watch/ring-once.ts'

export interface Unsettled extends WaitingRow {
  /** What to tell the operator; null when there is nothing to tell, or it was told already. */
  readonly alarm: { readonly what: AlarmName; readonly about: Readonly<Record<string, unknown>> } | null
  /** Where to read from so that the row is found again, if that is not where this read began. */
  readonly since?: Date
}

export async function keepUnsettled(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  list: { environment: Environment; feed: FeedName; since: Date },
  rows: readonly Unsettled[],
): Promise<void> {
  if (rows.length === 0) return
  const { environment, feed, since } = list
  const dated = rows.map((row) => ({ ...row, since: row.since ?? since }))
  const kept = { rows: dated, now: deps.clock.now() }
  await deps.db.inTransaction(async (tx) => {
    const untold = await keepWaitingRows(tx, environment, feed, kept)
    for (const { ref, alarm } of rows) if (alarm !== null && untold.has(ref)) ringOnce(deps, tx, alarm)
  })
}
