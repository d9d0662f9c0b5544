// What a database must be set to before the service works on it: refused in words that say what to run.
import { ConfigError } from '../config/config.ts'
import { losingInWords } from '../readiness.ts'
import { openDatabase } from '../storage/database.ts'
import { losingSettings, readDurability } from '../storage/durability.ts'
import { MAY_COME_LATER, roleSettings, wrongSettings } from '../storage/session-settings.ts'
import { CONNECT_AT_START_WITHIN_MS } from '../storage/silence.ts'
import type { Database } from '../storage/sql.ts'
import type { OpenedDatabase } from './open-database.ts'

interface Addresses extends Pick<OpenedDatabase, 'url' | 'sessionUrl'> {
  readonly connectWithinMs?: number
}

const atStart = (addresses: Addresses): Addresses => ({ ...addresses, connectWithinMs: CONNECT_AT_START_WITHIN_MS })

/** Real money is not paid from a database that may forget it. */
export async function requireDurable(addresses: Addresses): Promise<void> {
  const losing = losingSettings(await throughPool(atStart(addresses), readDurability))
  if (losing.length === 0) return
  throw new ConfigError([
    `${losingInWords(losing)} Live payouts need them on: set them in the database and have it read them, or start without BANK_LIVE_URL (docs/failover.md).`,
  ])
}

/** Through a pooler the service cannot set its sessions: whoever has them next would have its settings, and it those of others. */
export async function requirePooled(addresses: Addresses): Promise<void> {
  const wrong = (await wrongThroughPooler(atStart(addresses))).filter((name) => !MAY_COME_LATER.includes(name))
  if (wrong.length === 0) return
  const { username, pathname } = new URL(addresses.url)
  const todo = roleSettings(decodeURIComponent(username), pathname.slice(1)).map((line) => `  ${line}`)
  throw new ConfigError([
    `DATABASE_URL is a pooler of transactions, and its sessions are not set as the service needs them: ${wrong.join(', ')}. Run this in the database, then let the pooler connect anew (RECONNECT in PgBouncer’s console):`,
    ...todo,
  ])
}

/** The settings that sessions behind the pooler do not have as they should; none where there is no pooler. */
export async function wrongThroughPooler(addresses: Addresses): Promise<string[]> {
  return addresses.sessionUrl === null ? [] : throughPool(addresses, wrongSettings)
}

async function throughPool<T>(addresses: Addresses, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({
    ...addresses,
    isPooled: addresses.sessionUrl !== null,
    applicationName: 'kestrel',
    largestPool: 1,
    onConnectionError: () => undefined,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
