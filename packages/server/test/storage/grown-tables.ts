// Tables with rows that PostgreSQL has never looked at, and indexes of one height or another. What it does not know it takes for one
// row, and then an index with a level less looks cheaper, be it for other questions: such ties are how a plan comes to read everything.
import type { Owner } from './owner.ts'

const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
/** About 20 pages of an index that is filled, 200 of one that is filled to a tenth: one level under the root, or two. */
const ROWS = 3_000

export interface GrownIndex {
  readonly table: string
  readonly index: string
}

/** Fills them, and returns their indexes. Rules about single rows are dropped: what the rows say is of no interest. */
export async function growTables(owner: Owner, names: RegExp): Promise<GrownIndex[]> {
  // Of what is kept by the month, the one that is now.
  const tables = await owner.query<{ table: string }>(
    `select relname as table from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and (not relispartition or relname like to_char(now(), '"%_"YYYY_MM'))`,
  )
  const grown = tables.filter(({ table }) => names.test(table))
  await owner.query('set session_replication_role = replica')
  for (const { table } of grown) {
    await owner.query(`alter table ${table} set (autovacuum_enabled = false)`)
    for (const { name } of await checksOf(owner, table))
      await owner.query(`alter table ${table} drop constraint "${name}"`)
    await fill(owner, table)
  }
  await owner.query('set session_replication_role = origin')
  return owner.query<GrownIndex & { [name: string]: unknown }>(
    `select tablename as table, indexname as index from pg_indexes where schemaname = 'public' and tablename = any($1)`,
    [grown.map(({ table }) => table)],
  )
}

const checksOf = (owner: Owner, table: string) =>
  owner.query<{ name: string }>(
    `select conname as name from pg_constraint
      where conrelid = $1::regclass and contype = 'c' and coninhcount = 0`,
    [table],
  )

interface Column {
  readonly name: string
  readonly type: string
  readonly kind: string
  readonly isEnum: boolean
  readonly mayBeNull: boolean
}

async function fill(owner: Owner, table: string): Promise<void> {
  const columns = await owner.query<Column & { [name: string]: unknown }>(
    `select a.attname as name, format_type(a.atttypid, null) as type, t.typcategory::text as kind, t.typtype = 'e' as "isEnum",
            not a.attnotnull as "mayBeNull"
       from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
      order by a.attnum`,
    [table],
  )
  const list = columns.map(({ name }) => `"${name}"`).join(', ')
  const values = columns.map(valueOf).join(', ')
  await owner.query(
    `insert into ${table} (${list}) select ${values} from generate_series(1, ${ROWS}) n on conflict do nothing`,
  )
}

function valueOf({ name, type, kind, isEnum, mayBeNull }: Column): string {
  if (name === 'partner_id') return `'${PARTNER}'`
  // What may still happen has not: a payout is not released, nor ended.
  if (kind === 'D' && mayBeNull) return 'null'
  if (isEnum) return `(enum_range(null::${type}))[1]`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (kind === 'D') return `(date_trunc('month', now()) + interval '10 days' + n * interval '1 ms')::${type}`
  if (kind === 'N') return `n::${type}`
  if (kind === 'A') return `'{}'`
  if (kind === 'B') return 'false'
  if (type === 'jsonb' || type === 'json') return `'{}'`
  if (type === 'bytea') return `decode(lpad(to_hex(n), 8, '0'), 'hex')`
  if (kind === 'I') return `'127.0.0.1'`
  return `n::text::${type}`
}

/** Makes an index a level higher, or as low as it can be. */
export async function makeTall(owner: Owner, { index }: GrownIndex, isTall: boolean): Promise<void> {
  await owner.query(`alter index ${index} set (fillfactor = ${isTall ? 10 : 100})`)
  await owner.query(`reindex index ${index}`)
}
