// Creates the database of the bank's books, beside the service's own.
import pg from 'pg'

import { CONNECT_AT_START_WITHIN_MS } from './database.ts'

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** Creates the database unless it is there, and says how to reach it. */
export async function createBankDatabase(options: { adminUrl: string; database: string }): Promise<string> {
  const client = new pg.Client({
    connectionString: options.adminUrl,
    connectionTimeoutMillis: CONNECT_AT_START_WITHIN_MS,
  })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [options.database])
    const name = pg.escapeIdentifier(options.database)
    // Whatever the server makes by itself: names of people are in it.
    if (rowCount === 0) await client.query(`create database ${name} encoding 'UTF8' template template0`)
  } catch (error) {
    // Another process may have created it meanwhile, which is as good.
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) throw error
  } finally {
    await client.end()
  }
  const url = new URL(options.adminUrl)
  url.pathname = `/${encodeURIComponent(options.database)}`
  return url.href
}
