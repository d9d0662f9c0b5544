import type { Client } from 'pg'
import { SUPERUSER } from './cluster.ts'
import { errorCode } from './errors.ts'

export interface Access {
  readonly port: number
  readonly password: string
  readonly database: string
}

export interface Answer {
  /** Such as 18.4. */
  readonly version: string
  readonly cluster: string
}

const TIMEOUT_MS = 5_000

type Also = (client: Client) => Promise<void>

/** Logs in and asks the server who it is, which proves that it is up and takes our password. `also` uses the same connection. */
export async function ask(access: Access, also: Also = () => Promise.resolve()): Promise<Answer> {
  const sql = `SELECT current_setting('server_version') AS version,
                      current_setting('data_directory') AS cluster`
  return await withClient(access, async (client) => {
    const { rows } = await client.query<Answer>(sql)
    if (rows[0] === undefined) throw new Error('the server gave no answer')
    await also(client)
    return rows[0]
  })
}

/** Like `ask`, but makes the database first when it is missing. */
export async function askMakingDatabase(access: Access, also: Also): Promise<Answer> {
  try {
    return await ask(access, also)
  } catch (error) {
    const isMissing = errorCode(error) === '3D000'
    if (!isMissing) throw error
  }
  await withClient({ ...access, database: 'postgres' }, async (client) => {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(access.database)}`)
  })
  return await ask(access, also)
}

export function urlFor({ port, password, database }: Access, role: string = SUPERUSER): string {
  const login = `${role}:${encodeURIComponent(password)}`
  return `postgres://${login}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`
}

/** As the owner of everything. */
export async function withClient<T>(access: Access, work: (client: Client) => Promise<T>): Promise<T> {
  // Loaded while PostgreSQL starts: it is asked nothing before.
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    host: '127.0.0.1',
    user: SUPERUSER,
    ssl: false,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    ...access,
  })
  // A server that goes away in mid-connection must not bring the process down.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
