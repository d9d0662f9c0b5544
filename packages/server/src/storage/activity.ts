import type { Change, Environment } from '@kestrel/contract'

import { isUuid } from '../core/ids.ts'
import { itemColumns } from './item-columns.ts'
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
  /** The member's name, if it is known. */
  readonly byName?: string | null
  /** What it was about by its name, and what is different. */
  readonly audited?: { readonly subject: string | null; readonly changes: readonly Change[] } | null
  /** Null for an action that did not come as a request. */
  readonly request: {
    readonly method: string
    readonly path: string
    readonly durationMs: number
    readonly ip: string
  } | null
}

/** An entry, and in whose log it is. */
export interface ActivityOf extends NewActivity {
  readonly partnerId: string
}

export interface ActivityRow extends Entry {
  readonly method: string | null
  readonly path: string | null
  readonly durationMs: number | null
  readonly ip: string | null
  readonly byName: string | null
  readonly subject: string | null
  /** Null for an entry that tells of none. */
  readonly changes: readonly Change[] | null
}

const ITEMS = itemColumns<keyof ActivityRow | 'partnerId'>(1, {
  partnerId: ['partner_id', 'uuid'],
  at: ['at', 'timestamptz'],
  environment: ['environment', 'environment'],
  action: ['action', 'text'],
  status: ['status', 'int'],
  by: ['by', 'text'],
  detail: ['detail', 'text'],
  id: ['id', 'uuid'],
  keyId: ['key_id', 'uuid'],
  method: ['method', 'text'],
  path: ['path', 'text'],
  durationMs: ['duration_ms', 'int'],
  ip: ['ip', 'text'],
  byName: ['by_name', 'text'],
  subject: ['subject', 'text'],
  changes: ['changes', 'jsonb'],
})

const INSERT_TEXT = `insert into activity (${ITEMS.names}) select ${ITEMS.selected} from ${ITEMS.from}`
const INSERT = statement('insert_activity', INSERT_TEXT)
const INSERT_AGAIN = statement('insert_activity_again', `${INSERT_TEXT} on conflict do nothing`)

export function insertActivity(tx: Tx, entries: readonly ActivityOf[]): void {
  tx.defer(INSERT, ITEMS.values(entries.map(rowOf)))
}

/** Entries that may be there already, because an answer was lost. To look for each of them first costs a third more. */
export function insertActivityAgain(tx: Tx, entries: readonly ActivityOf[]): void {
  tx.defer(INSERT_AGAIN, ITEMS.values(entries.map(rowOf)))
}

/** Field by field: every request comes through here, and what is left of a spread object is slow to make. */
function rowOf(entry: ActivityOf) {
  const { request, audited = null } = entry
  return {
    partnerId: entry.partnerId,
    at: entry.at,
    environment: entry.environment,
    action: entry.action,
    status: entry.status,
    by: entry.by,
    detail: entry.detail,
    id: entry.id,
    keyId: entry.keyId,
    method: request?.method ?? null,
    path: request?.path ?? null,
    durationMs: request?.durationMs ?? null,
    ip: request?.ip ?? null,
    byName: entry.byName ?? null,
    subject: audited?.subject ?? null,
    // As text: an array among the values of a column would be taken for one of SQL's.
    changes: audited === null || audited.changes.length === 0 ? null : JSON.stringify(audited.changes),
  }
}

export type StatusClass = '2xx' | '4xx' | '5xx'

export interface ActivityCriteria {
  readonly action: string | null
  readonly by: string | null
  readonly statusClass: StatusClass | null
  readonly via: 'api' | 'dashboard' | null
  /** Leaves out requests that only read. */
  readonly isChangesOnly: boolean
  /** Leaves out signed-in members' looks at this log. */
  readonly isWithoutLogReads: boolean
  readonly environment: Environment | null
  readonly from: Date | null
  readonly to: Date | null
  /** Part of a path, an id, an idempotency key or an error code. */
  readonly search: string | null
}

const NO_CRITERIA: ActivityCriteria = {
  action: null,
  by: null,
  statusClass: null,
  via: null,
  isChangesOnly: false,
  isWithoutLogReads: false,
  environment: null,
  from: null,
  to: null,
  search: null,
}

/** An entry's place in the list; a page holds only entries before it. */
export interface ActivityPlace {
  readonly at: Date
  readonly id: string
}

export interface ActivityFilter extends ActivityCriteria {
  readonly before: ActivityPlace | null
  readonly limit: number
}

const COLUMNS = `at, environment, action, status, by, detail, id, key_id as "keyId", method, path,
  duration_ms as "durationMs", ip, by_name as "byName", subject, changes`

/** Filters by text look through this many entries at most: there may be none that fit. */
const LOOKED_THROUGH = 100_000
/** The most requests about one thing that a search finds beyond those. */
const MOST_KNOWN = 500

export function listActivity(db: Db, partnerId: string, filter: ActivityFilter): Promise<ActivityRow[]> {
  const { newest, wanted, known, values } = conditions(partnerId, filter, filter.before)
  const order = `order by at desc, id desc limit $${values.push(filter.limit)}`
  const fitting = `select * from (${newest} ${LOOKED_THROUGH}) looked_through where ${wanted} ${order}`
  const text =
    wanted === null
      ? `${newest} $${values.length}`
      : known === null
        ? fitting
        : `select * from ((${fitting}) union (select * from (${known}) known where ${wanted})) found ${order}`
  return db.query<ActivityRow>(statement('', text), values)
}

/** The newest that fit among so many entries, all of which a filter may pass over. */
export function lookThroughActivity(
  db: Db,
  partnerId: string,
  { among, ...filter }: ActivityFilter & { among: number },
): Promise<ActivityRow[]> {
  const { newest, wanted, values } = conditions(partnerId, filter, filter.before)
  const text = `select * from (${newest} $${values.push(among)}) looked_through where ${wanted ?? 'true'}
                 order by at desc, id desc limit $${values.push(filter.limit)}`
  return db.query<ActivityRow>(statement('', text), values)
}

/** The place of the entry after so many others that `lookThroughActivity` goes through; null when there are not so many. */
export async function findActivityPlaceAfter(
  db: Db,
  partnerId: string,
  { from, to, statusClass }: ActivityCriteria,
  { before, others }: { before: ActivityPlace | null; others: number },
): Promise<ActivityPlace | null> {
  const { among, values } = conditions(partnerId, { ...NO_CRITERIA, from, to, statusClass }, before)
  const text = `select at, id from activity where ${among} order by at desc, id desc offset $${values.push(others)} limit 1`
  return (await db.query<ActivityPlace>(statement('', text), values))[0] ?? null
}

/** Conditions that an index answers are in `among` and `newest`, which lacks its limit; the rest are in `wanted`. */
function conditions(partnerId: string, criteria: ActivityCriteria, before: ActivityPlace | null) {
  const values: unknown[] = [partnerId]
  const among = ['partner_id = $1']
  const wanted: string[] = []
  const value = (given: unknown) => `$${values.push(given)}`
  if (before !== null) among.push(`(at, id) < (${value(before.at)}, ${value(before.id)})`)
  if (criteria.from !== null) among.push(`at >= ${value(criteria.from)}`)
  if (criteria.to !== null) among.push(`at < ${value(criteria.to)}`)
  if (criteria.statusClass !== null) among.push(STATUS_RANGE[criteria.statusClass])
  if (criteria.action !== null) wanted.push(`action = ${value(criteria.action)}`)
  if (criteria.by !== null) wanted.push(`by = ${value(criteria.by)}`)
  if (criteria.via !== null) wanted.push(criteria.via === 'api' ? '"keyId" is not null' : SIGNED_IN)
  if (criteria.environment !== null) wanted.push(`environment = ${value(criteria.environment)}`)
  if (criteria.isChangesOnly) wanted.push(CHANGES)
  if (criteria.isWithoutLogReads)
    wanted.push(`("keyId" is not null or action not in ('activity.list', 'activity.read'))`)
  const search = criteria.search === null ? null : searched(criteria.search, value)
  if (search !== null) wanted.push(search.fits)
  return {
    among: among.join(' and '),
    newest: `select ${COLUMNS} from activity where ${among.join(' and ')} order by at desc, id desc limit`,
    wanted: wanted.length === 0 ? null : `(${wanted.join(' and ')})`,
    /** What an index finds for a search, however far back. */
    known: search === null ? null : `select ${COLUMNS} from (${search.indexed}) activity${alsoAmong(among)}`,
    values,
  }
}

/** What the partner's own rows have to fit besides. */
function alsoAmong([, ...others]: readonly string[]): string {
  return others.length === 0 ? '' : ` where ${others.join(' and ')}`
}

/** Paths, codes and statuses are looked for; ids and idempotency keys are known for as long as requests are kept. */
function searched(search: string, value: (given: unknown) => string) {
  const word = value(search.toLowerCase())
  const id = isUuid(search.toLowerCase()) ? word : 'null'
  const kept = (condition: string) =>
    `(select at, id from request_bodies where partner_id = $1 and ${condition} order by at desc limit ${MOST_KNOWN})`
  const key = `${value(search)}::text`
  // As the index has a key; another may have the same hash.
  const hash = (text: string, partner: string) => `hashtextextended(${text}, uuid_hash_extended(${partner}, 0))`
  const ofKey = `${hash('idempotency_key', 'partner_id')} = ${hash(key, '$1')} and idempotency_key = ${key}`
  const start = (subject: string) => `substr(uuid_send(${subject}), 1, 7)`
  const ofSubject = `${start('subject_id')} = ${start(`${id}::uuid`)} and subject_id = ${id}::uuid`
  const asked = `${kept(ofSubject)} union ${kept(ofKey)}
    union (select at, id from activity where partner_id = $1 and id = ${id}::uuid)`
  return {
    fits: `(position(${word} in path) > 0 or position(${word} in detail) > 0 or status::text = ${word}
      or id in (select id from (${asked}) asked))`,
    indexed: `select known.* from (${asked}) asked cross join lateral (select * from activity entry
      where entry.partner_id = $1 and entry.at = asked.at and entry.id = asked.id limit 1) known`,
  }
}

/** A member's session: neither an API key nor the operator, who sends no requests. */
const SIGNED_IN = '("keyId" is null and method is not null)'

/** A quote is asked for with POST, but moves nothing. */
const CHANGES = `((method is null or method not in ('GET', 'HEAD')) and action !~ '[.](list|read)$' and action not like 'quote.%')`

/** Written out, so that the index of refusals can be used. */
const STATUS_RANGE: Readonly<Record<StatusClass, string>> = {
  '2xx': 'status between 200 and 299',
  '4xx': 'status between 400 and 499',
  '5xx': 'status between 500 and 599',
}

const FIND = statement('find_activity', `select ${COLUMNS} from activity where partner_id = $1 and id = $2`)

export async function readActivityEntry(db: Db, partnerId: string, id: string): Promise<ActivityRow | null> {
  return (await db.query<ActivityRow>(FIND, [partnerId, id]))[0] ?? null
}

const PLACE = statement('place_of_activity', 'select at, id from activity where partner_id = $1 and id = $2')

/** An entry's place in the list; null when the partner has no such entry. */
export async function findActivity(db: Db, partnerId: string, id: string): Promise<ActivityPlace | null> {
  return (await db.query<ActivityPlace>(PLACE, [partnerId, id]))[0] ?? null
}
