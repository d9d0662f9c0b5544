import { newId } from '../../core/ids.ts'
import { keepAlarm } from '../../storage/alarms.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { idsOnly } from './alarm-book.ts'

/**
 * Tells of what is told once: it is written down by the transaction that remembers that it was told, so that neither is
 * there without the other; and told before the commit, so that a process which ends in between tells it again.
 */
export function ringOnce(
  deps: Pick<Deps, 'onAlarm' | 'clock'>,
  tx: Tx,
  alarm: { readonly what: string; readonly about: Readonly<Record<string, unknown>> },
): void {
  const now = deps.clock.now()
  keepAlarm(tx, { id: newId(now), what: alarm.what, about: idsOnly(alarm.about) }, now)
  deps.onAlarm(alarm.what, alarm.about, 'written')
}
