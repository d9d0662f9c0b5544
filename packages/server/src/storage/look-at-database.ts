// One look at a database whose schema may be of any version, or missing: over a connection of its own that can change nothing.
import pg from 'pg'

import { MEANING, asOptions } from './session-settings.ts'
import { CONNECT_WITHIN_MS } from './silence.ts'

export async function lookAtDatabase<T>(url: string, look: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: 5_000,
    options: asOptions({ ...MEANING, default_transaction_read_only: 'on' }),
  })
  await client.connect()
  try {
    return await look(client)
  } finally {
    await client.end()
  }
}
