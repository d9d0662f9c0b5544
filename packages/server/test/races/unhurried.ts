import type { Database, Tx } from '../../src/storage/sql.ts'

/** The same database, whose transactions wait for a lock as long as their session does: a test holds it until it has seen them wait. */
export function unhurried(db: Database): Database {
  const inTransaction: Database['inTransaction'] = (work) =>
    db.inTransaction((tx) => {
      const patient: Tx = {
        ...tx,
        defer: (sql, values) => {
          if (sql.name !== 'wait_shortly') tx.defer(sql, values)
        },
      }
      return work(patient)
    })
  return { ...db, inTransaction }
}
