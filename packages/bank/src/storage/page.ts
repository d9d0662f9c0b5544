// One page of a list, newest first. The lists differ only in their tables and conditions.
import { invalidParameters } from '../core/bank-error.ts'
import type { Db } from './sql.ts'

export interface PageRequest {
  readonly limit: number
  readonly startingAfter: string | null
  readonly endingBefore: string | null
}

/** `sql` holds one question mark, which stands for the value. */
export interface Condition {
  readonly sql: string
  readonly value: unknown
}

export interface PageOptions {
  readonly select: string
  /** With its joins; the first table is the one listed. */
  readonly from: string
  /** The listed table's name or alias, and the table itself for looking a cursor up. */
  readonly alias: string
  readonly table: string
  readonly where: readonly Condition[]
  readonly page: PageRequest
}

export async function readPage<Row>(db: Db, options: PageOptions): Promise<Row[]> {
  const { alias, page } = options
  const where = [...options.where]
  if (page.startingAfter !== null) {
    where.push({ sql: `${alias}.seq < ?`, value: await cursor(db, options, 'starting_after', page.startingAfter) })
  }
  if (page.endingBefore !== null) {
    where.push({ sql: `${alias}.seq > ?`, value: await cursor(db, options, 'ending_before', page.endingBefore) })
  }
  const backwards = page.endingBefore !== null && page.startingAfter === null
  const conditions = where.map(({ sql }, index) => sql.replace('?', `$${index + 1}`))
  const rows = await db.query<Row>(
    `select ${options.select} from ${options.from}
      where ${['true', ...conditions].join(' and ')}
      order by ${alias}.seq ${backwards ? 'asc' : 'desc'} limit $${where.length + 1}`,
    [...where.map(({ value }) => value), page.limit],
  )
  return backwards ? rows.toReversed() : rows
}

async function cursor(db: Db, options: PageOptions, name: string, id: string): Promise<bigint> {
  const [row] = await db.query<{ seq: bigint }>(`select seq from ${options.table} where id = $1`, [id])
  if (row === undefined) throw invalidParameters('query', [name], `Nothing in this list has the id of ${name}.`)
  return row.seq
}
