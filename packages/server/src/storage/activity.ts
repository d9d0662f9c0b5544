import type { Environment } from '@kestrel/contract'

import { type Db, type Tx, statement } from './sql.ts'

interface Entry {
  readonly id: string
  readonly at: Date
  readonly environment: Environment | null
  readonly action: string
  readonly status: number | null
  readonly by: string
  readonly detail: string | null
  readonly keyId: string | null
}

export interface NewActivity extends Entry {
  /** Null for what did not come as a request. */
  readonly request: {
    readonly method: string
    readonly path: string
    readonly durationMs: number
    readonly ip: string
  } | null
}

export interface ActivityRow extends Entry {
  readonly method: string | null
  readonly path: string | null
  readonly durationMs: number | null
  readonly ip: string | null
}

const INSERT = statement(
  'insert_activity',
  `insert into activity (partner_id, at, environment, action, status, by, detail, id, key_id, method, path,
                         duration_ms, ip)
   select $1::uuid, item.*
     from unnest($2::timestamptz[], $3::environment[], $4::text[], $5::int[], $6::text[], $7::text[], $8::uuid[],
                 $9::uuid[], $10::text[], $11::text[], $12::int[], $13::text[]) as item
   on conflict do nothing`,
)

export function insertActivity(tx: Tx, partnerId: string, entries: readonly NewActivity[]): void {
  const column = <K extends keyof NewActivity>(name: K) => entries.map((entry) => entry[name])
  tx.defer(INSERT, [
    partnerId,
    column('at'),
    column('environment'),
    column('action'),
    column('status'),
    column('by'),
    column('detail'),
    column('id'),
    column('keyId'),
    entries.map(({ request }) => request?.method ?? null),
    entries.map(({ request }) => request?.path ?? null),
    entries.map(({ request }) => request?.durationMs ?? null),
    entries.map(({ request }) => request?.ip ?? null),
  ])
}

export type StatusClass = '2xx' | '4xx' | '5xx'

export interface ActivityFilter {
  /** Only entries before this one. */
  readonly before: { readonly at: Date; readonly id: string } | null
  readonly action: string | null
  readonly by: string | null
  readonly statusClass: StatusClass | null
  readonly via: 'api' | 'dashboard' | null
  /** Leaves out what only read. */
  readonly isChangesOnly: boolean
  readonly limit: number
}

const COLUMNS = `at, environment, action, status, by, detail, id, key_id as "keyId", method, path,
  duration_ms as "durationMs", ip`

/** Filters by words look through so many entries and no more: what they ask for may be nowhere. */
const LOOKED_THROUGH = 100_000

export function listActivity(db: Db, partnerId: string, filter: ActivityFilter): Promise<ActivityRow[]> {
  const values: unknown[] = [partnerId]
  const among = ['partner_id = $1']
  const wanted: string[] = []
  const value = (given: unknown) => `$${values.push(given)}`
  if (filter.before !== null) among.push(`(at, id) < (${value(filter.before.at)}, ${value(filter.before.id)})`)
  if (filter.statusClass !== null) among.push(STATUS_RANGE[filter.statusClass])
  if (filter.action !== null) wanted.push(`action = ${value(filter.action)}`)
  if (filter.by !== null) wanted.push(`by = ${value(filter.by)}`)
  if (filter.via !== null) wanted.push(filter.via === 'api' ? '"keyId" is not null' : SIGNED_IN)
  if (filter.isChangesOnly) wanted.push(CHANGES)
  const newest = `select ${COLUMNS} from activity where ${among.join(' and ')} order by at desc, id desc limit`
  const text =
    wanted.length === 0
      ? `${newest} ${value(filter.limit)}`
      : `select * from (${newest} ${LOOKED_THROUGH}) looked_through
          where ${wanted.join(' and ')} order by at desc, id desc limit ${value(filter.limit)}`
  return db.query<ActivityRow>(statement('', text), values)
}

/** Neither with a key nor by the operator, who sends no requests. */
const SIGNED_IN = '("keyId" is null and method is not null)'

/** A quote is asked for with POST and moves nothing. */
const CHANGES = `(method is distinct from 'GET' and action !~ '[.](list|read)$' and action not like 'quote.%')`

/** Written out, so that the index of refusals can be used. */
const STATUS_RANGE: Readonly<Record<StatusClass, string>> = {
  '2xx': 'status between 200 and 299',
  '4xx': 'status between 400 and 499',
  '5xx': 'status between 500 and 599',
}

const PLACE = statement('place_of_activity', 'select at, id from activity where partner_id = $1 and id = $2')

/** Where an entry stands in the list; null when the partner has none such. */
export async function findActivity(db: Db, partnerId: string, id: string): Promise<{ at: Date; id: string } | null> {
  return (await db.query<{ at: Date; id: string }>(PLACE, [partnerId, id]))[0] ?? null
}
