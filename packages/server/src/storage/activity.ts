import type { Environment } from '@kestrel/contract'

import { type Db, type Tx, statement } from './sql.ts'

export interface ActivityRow {
  readonly at: Date
  readonly environment: Environment | null
  readonly action: string
  readonly status: number | null
  readonly by: string
  readonly detail: string | null
}

export interface NewActivity extends ActivityRow {
  readonly id: string
}

const INSERT = statement(
  'insert_activity',
  `insert into activity (partner_id, at, environment, action, status, by, detail, id)
   select $1::uuid, item.*
     from unnest($2::timestamptz[], $3::environment[], $4::text[], $5::int[], $6::text[], $7::text[], $8::uuid[]) as item
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
  ])
}

const LATEST = statement(
  'latest_activity',
  `select at, environment, action, status, by, detail from activity
    where partner_id = $1 order by at desc, id desc limit $2`,
)

export function listActivity(db: Db, partnerId: string, most: number): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(LATEST, [partnerId, most])
}
