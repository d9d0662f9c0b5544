import type pg from 'pg'

/** How many wait for a lock in a bank's books. Ask outside of a transaction: inside, the first answer is given again. */
export async function countWaiting(books: pg.Client): Promise<number> {
  const { rows } = await books.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.waiting
}
