// How the rest of the bank speaks to PostgreSQL. A function that writes takes a Tx, so the compiler refuses it outside
// of a transaction.
export interface Db {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Tx extends Db {
  readonly isTransaction: true
  /** Sends a statement whose rows nobody needs, and does not wait for it. If it fails, so does the transaction. */
  defer(text: string, values?: readonly unknown[]): void
}

export interface Database extends Db {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}
