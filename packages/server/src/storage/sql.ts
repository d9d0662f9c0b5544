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
  /** Sends a statement together with the COMMIT that follows; for writes whose answer nobody needs. */
  defer(statement: SqlStatement, values?: readonly unknown[]): void
  /** For what reads everything there is: its statements may take this long, at the database and here. */
  takeTime(statementMs: number): void
}

/** Connections of a pool just now. */
export interface PoolUse {
  readonly total: number
  readonly idle: number
  /** Who waits for one. */
  readonly waiting: number
}

export interface Database extends Db {
  /** For single-row look-ups by an index: many callers share a connection without waiting for each other. */
  readonly lookup: Db
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** How busy its pool is. */
  use(): PoolUse
  close(): Promise<void>
}

/** The same database by connections of their own, for what reads much: payouts never wait behind it. */
export type Reports = Pick<Database, 'query' | 'inTransaction' | 'use'>
