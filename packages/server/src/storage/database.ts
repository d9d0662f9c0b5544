// The one door to PostgreSQL: plain reads, a pipelined connection for the small look-ups that every request
// makes, and transactions.
import pg from 'pg'

import { assert } from '../core/assert.ts'
import { isOutage } from '../core/outage.ts'
import { PipelinedConnection } from './pipelined-connection.ts'
import type { Database, Statement, Tx } from './sql.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly applicationName: string
  readonly largestPool: number
  readonly onConnectionError: (error: Error) => void
}

const SESSION_SETTINGS = [
  // A request that waits longer than this for a lock or an answer is better refused than kept.
  'lock_timeout=3000',
  'statement_timeout=10000',
  'idle_in_transaction_session_timeout=10000',
  'TimeZone=UTC',
].map((setting) => `-c ${setting}`)

const TYPES = { getTypeParser: typeParser }
// The numbers by which PostgreSQL names its types.
const INT8 = 20
const DATE = 1082

function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary') {
    if (oid === INT8) return BigInt
    // A date is a day on a calendar, not a moment: it stays text.
    if (oid === DATE) return String
  }
  return pg.types.getTypeParser(oid, 'text')
}

export function openDatabase(options: DatabaseOptions): Database {
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    options: SESSION_SETTINGS.join(' '),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: TYPES,
    pipeline: true,
  }
  const pool = new pg.Pool({ ...connection, max: options.largestPool, idleTimeoutMillis: 60_000 })
  // Both are needed: an error on a connection that is checked out is not the pool's, and an unheard one ends the process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => client.on('error', options.onConnectionError))
  const lookup = new PipelinedConnection(connection, options.onConnectionError)

  return {
    lookup,
    query: async <Row>(sql: Statement, values: readonly unknown[] = []) =>
      (await pool.query({ ...sql, values: [...values] })).rows as Row[],
    inTransaction: (work) => inTransaction(pool, work),
    close: async () => {
      await Promise.all([pool.end(), lookup.close()])
    },
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  const send = (sql: Statement | string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    const reply = typeof sql === 'string' ? client.query(sql) : client.query({ ...sql, values: [...values] })
    // Heard here as well, so that a pipelined failure behind another one is never an unhandled rejection.
    reply.catch(() => undefined)
    return reply
  }
  const tx: Tx = {
    query: async <Row>(sql: Statement, values?: readonly unknown[]) => (await send(sql, values)).rows as Row[],
    defer: (sql, values) => void sent.push(send(sql, values)),
  }
  let broken: Error | undefined
  try {
    sent.push(send('begin'))
    const result = await work(tx)
    const committed = send('commit')
    await Promise.all(sent)
    // PostgreSQL answers COMMIT with ROLLBACK when an earlier statement failed.
    assert((await committed).command === 'COMMIT', 'a transaction whose statements all succeeded commits')
    return result
  } catch (error) {
    await send('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}

/** The server refused a statement: the transaction certainly did nothing. */
export function isServerRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isOutage(error)
}
