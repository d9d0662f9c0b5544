// The only access to PostgreSQL: plain reads, a pipelined connection for the small look-ups that every request makes,
// and transactions.
import pg from 'pg'

import { assert } from '../core/assert.ts'
import { isOutage } from '../core/outage.ts'
import { ConnectionPool, type PooledClient } from './connection-pool.ts'
import { PipelinedConnection } from './pipelined-connection.ts'
import { SESSION_SETTINGS, asOptions } from './session-settings.ts'
import { CONNECT_WITHIN_MS, GRACE_MS, LOOKUP_PATIENCE_MS } from './silence.ts'
import type { Database, SqlStatement, Tx } from './sql.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly applicationName: string
  readonly largestPool: number
  readonly onConnectionError: (error: Error) => void
  /** Whether a pooler of transactions is in between: nothing that outlasts a transaction can be asked for. */
  readonly isPooled?: boolean
  readonly limits?: Partial<StatementLimits>
  /** How long making a connection may take. */
  readonly connectWithinMs?: number
  /** Whether each statement has a plan of its own for its values, as large reads by some filter need. */
  readonly plansByValues?: boolean
}

/**
 * How long PostgreSQL may take for one statement. Our own limit is a little longer, for when it does not answer at all.
 */
export interface StatementLimits {
  readonly statementMs: number
  readonly lookupMs: number
  /** So long an answer to a look-up may take before others are sent over another connection. */
  readonly patienceMs: number
  readonly graceMs: number
}

// A request that waits longer than this is better refused than kept. A look-up reads one row by its index, and
// those who share its connection wait with it.
const LIMITS: StatementLimits = {
  statementMs: 10_000,
  lookupMs: 4_000,
  patienceMs: LOOKUP_PATIENCE_MS,
  graceMs: GRACE_MS,
}

// The system's own two hours suit connections that nobody waits on.
const KEEP_ALIVE_AFTER_MS = 10_000

const BEGIN = 'begin'
/** Sessions only read, unless a transaction says that it writes: session-settings.ts. */
const WRITING = ' read write'
// A plan that suits every batch is made once per connection and kept. Left to itself PostgreSQL makes one anew for each
// batch of few, because it looks cheaper by more than planning is thought to cost.
const KEPT_PLANS = { plan_cache_mode: 'force_generic_plan' } as const
const WITH_KEPT_PLANS = `; set local plan_cache_mode = ${KEPT_PLANS.plan_cache_mode}`

function sessionOptions(statementMs: number, own: Readonly<Record<string, string>>): string {
  return asOptions({ ...SESSION_SETTINGS, statement_timeout: String(statementMs), ...own })
}

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
  const { statementMs, lookupMs, patienceMs, graceMs } = { ...LIMITS, ...options.limits }
  const { isPooled = false } = options
  const asked = (ms: number, own = {}) => (isPooled ? {} : { options: sessionOptions(ms, own) })
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: TYPES,
    pipeline: true,
  }
  const withPlans = options.plansByValues === true ? '' : WITH_KEPT_PLANS
  const beginOf = ({ onlyReads }: PooledClient) => `${BEGIN}${onlyReads ? '' : WRITING}${withPlans}`
  // What one connection learns about the way to the database is true of all that were made before it.
  const distrustAll = () => pool.distrust()
  const pool = new ConnectionPool(
    { ...connection, ...asked(statementMs), max: options.largestPool, idleTimeoutMillis: 60_000 },
    { isPooled, limitMs: statementMs + graceMs, onError: options.onConnectionError, onDistrust: distrustAll },
  )
  const lookup = new PipelinedConnection(
    { ...connection, ...asked(lookupMs, KEPT_PLANS) },
    {
      isPooled,
      limitMs: lookupMs + graceMs,
      patienceMs,
      onError: options.onConnectionError,
      onDistrust: distrustAll,
    },
  )

  return {
    lookup,
    query: async <Row>(sql: SqlStatement, values: readonly unknown[] = []) =>
      (await pool.withClient((client) => client.send({ ...sql, values: [...values] }))).rows as Row[],
    inTransaction: (work) => pool.withClient((client) => inTransaction(client, beginOf(client), work)),
    inOneTrip: <Row>(statements: Parameters<Database['inOneTrip']>[0]) =>
      pool.withClient((client) => inOneTrip<Row>(client, beginOf(client), statements)),
    use: () => pool.use(),
    close: async () => {
      await Promise.all([pool.close(), lookup.close()])
    },
  }
}

async function inTransaction<T>(client: PooledClient, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const sent: Promise<unknown>[] = []
  let firstFailure: unknown
  const send = (sql: SqlStatement | string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    const reply = client.send(typeof sql === 'string' ? sql : { ...sql, values: [...values] })
    // Caught here as well, so that one pipelined failure behind another is never an unhandled rejection.
    reply.catch((error: unknown) => void (firstFailure ??= error))
    return reply
  }
  const tx: Tx = {
    query: async <Row>(sql: SqlStatement, values?: readonly unknown[]) => (await send(sql, values)).rows as Row[],
    defer: (sql, values) => void sent.push(send(sql, values)),
    takeTime: (statementMs) => {
      client.allow(statementMs + GRACE_MS)
      sent.push(send(`set local statement_timeout = ${statementMs}`))
    },
  }
  try {
    sent.push(send(begin))
    const result = await work(tx)
    const committed = send('commit')
    await Promise.all(sent)
    // PostgreSQL answers COMMIT with ROLLBACK when an earlier statement failed.
    assert((await committed).command === 'COMMIT', 'a transaction whose statements all succeeded commits')
    return result
  } catch (error) {
    const cause = isOnlyBehindAnother(error) ? firstFailure : error
    await rollBack(client)
    throw cause
  }
}

/** A connection that cannot even do that is left to nobody else. */
async function rollBack(client: PooledClient): Promise<void> {
  await client.send('rollback').catch((error: Error) => client.abandon(error))
}

async function inOneTrip<Row>(
  client: PooledClient,
  begin: string,
  statements: readonly (readonly [SqlStatement, readonly unknown[]])[],
): Promise<Row[]> {
  const sent = [
    client.send(begin),
    ...statements.map(([sql, values]) => client.send({ ...sql, values: [...values] })),
    client.send('commit'),
  ]
  const answers = await Promise.allSettled(sent)
  // The others failed behind the first, and COMMIT has ended the transaction with nothing done, unless it was refused itself.
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (answers.at(-1)!.status === 'rejected') await rollBack(client)
  if (failed !== undefined) throw failed.reason
  const [committed, last] = answers
    .toReversed()
    .map((answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value)
  assert(committed!.command === 'COMMIT', 'a transaction whose statements all succeeded commits')
  return last!.rows as Row[]
}

/**
 * "The transaction is aborted" says nothing of the failure that aborted it, which is the one worth reporting. Nor does "read-only" where
 * the transaction never began.
 */
function isOnlyBehindAnother(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '25P02' || error.code === '25006')
}

/** The server refused a statement, so the transaction certainly did nothing. */
export function isServerRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isOutage(error)
}

/** Classes of errors that say what is wrong with a value: with its form, for a rule of the table, too large, or for a guard of ours. */
const OF_VALUES = /^(22|23|54|P0)/

/** Whether it failed for what was to be written, and does so again however often it is tried. */
export function isForItsValues(error: unknown): boolean {
  if (isOutage(error)) return false
  return !(error instanceof pg.DatabaseError) || OF_VALUES.test(error.code ?? '')
}

/** Whether a unique index refused a row: somebody else has what it says. */
export function isTaken(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}

/** Whether a row was not as the transaction expected it, which has then done nothing. */
export function hasChanged(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40001'
}

/** Whether somebody else had a lock for longer than this transaction may wait, which has then done nothing. */
export function wasKeptWaiting(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** Whether this transaction and another waited for each other, so that PostgreSQL has ended this one. */
export function wasDeadlocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}
