// The database that is asked may have become another by a failover, with other settings: what it acknowledges is a promise.
import { losingSettings, readDurability } from '../../storage/durability.ts'
import type { Deps } from '../deps.ts'

/** One alarm for each setting, as long as real money is paid. */
export async function tellOfDurability(deps: Pick<Deps, 'db' | 'banks' | 'onAlarm'>): Promise<void> {
  if (deps.banks.live === null) return
  for (const why of losingSettings(await readDurability(deps.db))) {
    deps.onAlarm('the database may lose what it acknowledges', { why })
  }
}
