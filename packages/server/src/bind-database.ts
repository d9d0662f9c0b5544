// A database and the keys that its rows need: one is bound to the other at the first start.
import type { Clock } from './core/clock.ts'
import type { DataKeys } from './domain/deps.ts'
import { bindKeys, secretsAsBound } from './domain/secrets/bind-keys.ts'
import { type DatabaseOptions, openDatabase } from './storage/database.ts'
import { CONNECT_AT_START_WITHIN_MS } from './storage/silence.ts'
import type { Database } from './storage/sql.ts'

export class OtherSecretsError extends Error {
  override readonly name = 'OtherSecretsError'
}

/** For commands: the keys as the service uses them. Nothing is written. */
export function keysAsBound(options: { databaseUrl: string; secrets: DataKeys }): Promise<DataKeys> {
  return withSmallDatabase({ url: options.databaseUrl }, (db) => secretsAsBound(db, options.secrets))
}

/** Binds a database to its keys and refuses keys that do not fit. Returns them with the newest first. */
export async function bindDatabase(options: {
  databaseUrl: string
  sessionDatabaseUrl?: string | null
  secrets: DataKeys
  clock: Clock
}): Promise<DataKeys> {
  const url = options.sessionDatabaseUrl ?? options.databaseUrl
  return withSmallDatabase({ url, connectWithinMs: CONNECT_AT_START_WITHIN_MS }, async (db) => {
    const binding = await db.inTransaction((tx) => bindKeys(tx, options.secrets, options.clock.now()))
    if (binding.kind === 'refused') throw new OtherSecretsError(binding.why)
    return binding.secrets
  })
}

async function withSmallDatabase<T>(
  way: Pick<DatabaseOptions, 'url' | 'connectWithinMs'>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ ...way, applicationName: 'kestrel', largestPool: 1, onConnectionError: () => undefined })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
