// What every session of the service is set to. It asks for it itself, except through a pooler of transactions (PgBouncer), where
// the role has to have it (docs/operations.md): there a session is the pooler's, and serves whoever comes next.
import type pg from 'pg'

import { type Db, statement } from './sql.ts'

/** What moments, days and transactions mean, whatever is the default of the server, the database or the role. */
export const MEANING = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  // What follows a lock must see what was committed while the lock was waited for.
  default_transaction_isolation: 'read committed',
} as const

/**
 * What is sent behind a BEGIN that was itself refused would be done, each for itself and without the locks of those before it. So a
 * session writes in transactions alone, which say that they write.
 */
const ONLY_READS = { default_transaction_read_only: 'on' } as const

/**
 * Sets that once the session is there, and says whether its server or its database was set so already: then that takes no writes, and
 * none is tried. What the role has is for sessions behind a pooler.
 */
export const BEGIN_SESSION = `select current_setting('default_transaction_read_only') = 'on' and not exists (
    select from pg_db_role_setting own join pg_roles role on role.oid = own.setrole
     where role.rolname = session_user and 'default_transaction_read_only=on' = any(own.setconfig)) as "onlyReads";
  set default_transaction_read_only = ${ONLY_READS.default_transaction_read_only}`

export const SESSION_SETTINGS = {
  lock_timeout: '3000',
  idle_in_transaction_session_timeout: '10000',
  ...MEANING,
  // Whatever is the default of the server, the database or the role: an answer to a partner is a promise.
  synchronous_commit: 'on',
  // A plan that is kept was made when the table was small, or was thought to be: reading all of it must never pay.
  enable_seqscan: 'off',
  // To PostgreSQL 17 and older, reading all of a table then costs ten thousand million: even one of two rows was compiled first,
  // for a second and a half, where the server can do that (Debian's can, the embedded one cannot).
  jit: 'off',
} as const

/** With a pooler every statement has the same limit, that of the slowest; each kind has its own here besides. */
export const POOLED_SETTINGS = { ...ONLY_READS, ...SESSION_SETTINGS, statement_timeout: '20000' } as const

/**
 * What a role behind a pooler may still lack when a process starts: processes of release 1.2 and before do not say that their transactions
 * write, and could not with it. Doctor asks for it.
 */
export const MAY_COME_LATER: readonly string[] = Object.keys(ONLY_READS)

/** As a new connection asks for them. */
export function asOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`)
    .join(' ')
}

/** A statement with a name stays in the session that parsed it, and the next may be another. */
export function asSent(query: pg.QueryConfig | string, isPooled: boolean): pg.QueryConfig | string {
  return isPooled && typeof query !== 'string' ? { ...query, name: undefined } : query
}

const SETTINGS = statement(
  'session_settings',
  `select lower(name) as name, setting as value from pg_settings where lower(name) = any($1)`,
)

/** The settings that a session of the service does not have as it should, by their names. */
export async function wrongSettings(db: Db): Promise<string[]> {
  const wanted = Object.entries(POOLED_SETTINGS)
  const rows = await db.query<{ name: string; value: string }>(SETTINGS, [wanted.map(([name]) => name.toLowerCase())])
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return wanted.filter(([name, value]) => found.get(name.toLowerCase()) !== value).map(([name]) => name)
}

/** What the role has to be given, for somebody to run. */
export function roleSettings(role: string, database: string): string[] {
  return Object.entries(POOLED_SETTINGS).map(
    ([name, value]) => `alter role ${role} in database ${database} set ${name} = '${value}';`,
  )
}
