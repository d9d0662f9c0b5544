import { newId } from '../../core/ids.ts'
import { keepAlarm } from '../../storage/alarms.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { idsOnly } from './alarm-book.ts'
import type { AlarmName } from './alarms/alarm-catalogue.ts'

/**
 * Raises an alarm that is raised once. The transaction that remembers it also stores it, so that neither exists without
 * the other. It rings before the commit, so that a process that ends in between rings it again.
 */
export function ringOnce(
  deps: Pick<Deps, 'onAlarm' | 'clock'>,
  tx: Tx,
  alarm: { readonly what: AlarmName; readonly about: Readonly<Record<string, unknown>> },
): void {
  const now = deps.clock.now()
  keepAlarm(tx, { id: newId(now), what: alarm.what, about: idsOnly(alarm.about) }, now)
  deps.onAlarm(alarm.what, alarm.about, 'written')
}
