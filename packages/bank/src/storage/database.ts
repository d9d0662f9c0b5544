// The only access to the bank's books.
import pg from 'pg'

import { assert } from '../core/assert.ts'
import { inOneWrite } from './in-one-write.ts'
import type { Database, Tx } from './sql.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly largestPool: number
  readonly onConnectionError: (error: Error) => void
  readonly answerWithinMs?: number
}

/** What moments and transactions mean, whatever is the default of the server, the database or the role. */
export const MEANING = ['TimeZone=UTC', 'DateStyle=ISO', String.raw`default_transaction_isolation=read\ committed`]

const SESSION_SETTINGS = [
  ...MEANING,
  'lock_timeout=8000',
  'statement_timeout=10000',
  // A key pair is made inside a transaction, which takes a second on a busy machine.
  'idle_in_transaction_session_timeout=60000',
  // Nothing here runs for so long that compiling it would pay.
  'jit=off',
  // What is asked often is about few rows, which an index finds. Tables that have grown since the bank was started are small to
  // PostgreSQL until it looks at them again: it would read all of them, and keep that plan.
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
]

/** As a new connection asks for them. */
export const asOptions = (settings: readonly string[]): string => settings.map((each) => `-c ${each}`).join(' ')

// A connection that is lost on the way is neither cut nor answered, and PostgreSQL enforces its limits on its own side
// only. A little longer than those limits, pg destroys the connection, and everything that waits on it fails.
const ANSWER_WITHIN_MS = 12_500
const KEEP_ALIVE_AFTER_MS = 10_000
/** A bank that starts has nothing better to do than to wait for a database that is busy. */
export const CONNECT_AT_START_WITHIN_MS = 30_000
// Several of the pauses after which the service reads the bank's lists: with pg's ten seconds, a bank at rest closed and
// opened a connection each time, which cost more than all that is asked over it.
const IDLE_MS = 60_000

// The number by which PostgreSQL names its 64-bit integers.
const INT8 = 20
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === INT8 && format !== 'binary' ? BigInt : pg.types.getTypeParser(oid, 'text'),
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'kestrel-bank',
    options: asOptions(SESSION_SETTINGS),
    connectionTimeoutMillis: 5_000,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    max: options.largestPool,
    idleTimeoutMillis: IDLE_MS,
    types: TYPES,
    // Statements that do not wait for each other share a round trip.
    pipeline: true,
  })
  // Both are needed: an error on a connection that is checked out is not the pool's, and an unheard one ends the process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => client.on('error', options.onConnectionError))
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(statement(text, values))).rows as Row[],
    inTransaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  }
}

const names = new Map<string, string>()

/** A statement with a name is parsed once per connection. There are as many names as there are texts in the program. */
function statement(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `bank_${names.size}`
  names.set(text, name)
  return { name, text, values: [...values] }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  let firstFailure: unknown
  const send = (query: pg.QueryConfig | string) => {
    inOneWrite(client)
    const reply = client.query(query)
    // Caught here as well: what nobody waits for is waited for at the end, and others may fail before.
    sent.push(reply.catch((error: unknown) => void (firstFailure ??= error)))
    return reply
  }
  const tx: Tx = {
    isTransaction: true,
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await send(statement(text, values))).rows as Row[],
    defer: (text, values = []) => void send(statement(text, values)),
  }
  let broken: Error | undefined
  try {
    // It travels with the first statement, and the end with the last ones.
    void send('begin')
    const result = await work(tx)
    const committed = send('commit')
    await Promise.all(sent)
    // PostgreSQL answers COMMIT with ROLLBACK when an earlier statement failed, unless it was undone by a savepoint.
    const isCommitted = (await committed).command === 'COMMIT'
    assert(isCommitted || firstFailure !== undefined, 'a transaction whose statements all succeeded commits')
    if (!isCommitted) throw firstFailure
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw isOnlyBehindAnother(error) ? (firstFailure ?? error) : error
  } finally {
    client.release(broken)
  }
}

/** "The transaction is aborted" says nothing of the failure that aborted it. */
function isOnlyBehindAnother(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

/** Whether PostgreSQL refused a statement because of this constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}

/** Nobody meets so many deadlocks in a row. */
const MOST_TIMES = 10

/** A transaction that is done again where it and another waited for each other, and PostgreSQL has ended this one. */
export async function inRepeatedTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await db.inTransaction(work)
    } catch (error) {
      if (!wasDeadlocked(error) || times === MOST_TIMES) throw error
    }
  }
}

const wasDeadlocked = (error: unknown) => error instanceof pg.DatabaseError && error.code === '40P01'
