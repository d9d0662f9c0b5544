// What a statement costs, whatever the machine has to do besides.
import type { Database, Db } from '../../src/storage/sql.ts'

/** Counts the pages that are read by what goes through it, and lets it happen. */
export function counting(db: Database, pages: { read: number }): Db {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      await db
        .inTransaction(async (tx) => {
          const [row] = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: Record<string, number> }[] }>(
            `explain (analyze, buffers, format json) ${text}`,
            values,
          )
          const plan = row!['QUERY PLAN'][0]!.Plan
          pages.read += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
          throw new Undone()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error
        })
      return db.query<Row>(text, values)
    },
  }
}

class Undone extends Error {}
