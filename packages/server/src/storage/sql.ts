// How the rest of storage speaks to PostgreSQL. A function that writes takes a Tx, so the compiler refuses it
// outside of a transaction.

/** A statement with a name is parsed once per connection. */
export interface SqlStatement {
  readonly name: string
  readonly text: string
}

export function statement(name: string, text: string): SqlStatement {
  return { name, text }
}

export interface Db {
  query<Row>(statement: SqlStatement, values?: readonly unknown[]): Promise<Row[]>
}

export interface Tx extends Db {
  /** Sends a statement together with the COMMIT that follows, for writes whose answer nobody needs. */
  defer(statement: SqlStatement, values?: readonly unknown[]): void
  /** For transactions that read everything: their statements may take this long, in the database and here. */
  takeTime(statementMs: number): void
}

/** The connections of a pool at this moment. */
export interface PoolUse {
  readonly total: number
  readonly idle: number
  /** How many callers wait for one. */
  readonly waiting: number
  /** How many it may have. */
  readonly most: number
}

export interface Database extends Db {
  /** For single-row look-ups by an index: many callers share a connection without waiting for each other. */
  readonly lookup: Db
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A transaction whose statements are all known: they go out together, with their COMMIT. Returns the rows of the last. */
  inOneTrip<Row>(statements: readonly (readonly [SqlStatement, readonly unknown[]])[]): Promise<Row[]>
  /** How busy its pool is. */
  use(): PoolUse
  close(): Promise<void>
}

/** The same database through its own connections, for large reads: payouts never wait behind them. */
export type Reports = Pick<Database, 'query' | 'inTransaction' | 'use'>
