// What the service may do with each table when it is not the owner: the one place. The migrating process grants it
// after every migration, so a new table is covered by the general rule, and a table of history is listed here.
import type pg from 'pg'

/** History: written once, read for ever. Nobody has UPDATE, DELETE or TRUNCATE. */
export const APPEND_ONLY: readonly string[] = [
  'ledger_entries',
  'activity',
  'charges',
  'invoice_lines',
  'deposits',
  'bank_exceptions',
  'undone_endings',
  'excess_movements',
  'audit_heads',
  'signing_keys',
]

/** Tables with rules of their own, such as the columns that may be updated where the whole table may not. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  // A trigger that acts for the owner keeps balances in step with the entries. To lock a row, a role must be able to
  // update some column of it: here a column of its key, which the table's own guard refuses to change.
  ledger_accounts: ['select', 'insert', 'update (partner_id)'],
  migrations: ['select'],
  // Triggers that act for the owner keep these sums in step with what they count.
  payout_days: ['select'],
  wallet_days: ['select'],
  charge_months: ['select'],
  // Of these the old ones are deleted in time, and none is rewritten.
  events: ['select', 'insert', 'delete'],
  request_bodies: ['select', 'insert', 'delete'],
  activity_links: ['select', 'insert', 'delete'],
  reconciliations: ['select', 'insert', 'delete'],
  invoices: ['select', 'insert', 'update'],
  invoice_numbers: ['select', 'insert', 'update'],
  partners: ['select', 'insert', 'update'],
  wallets: ['select', 'insert', 'update'],
  plans: ['select', 'insert', 'update'],
  installation: ['select', 'insert', 'update'],
  // A rail belongs to one environment for ever.
  rails: ['select', 'insert'],
  // A reference that was used stays used.
  operator_movements: ['select', 'insert', 'update'],
  secret_keys: ['select', 'insert', 'update'],
}

const EVERYTHING = ['select', 'insert', 'update', 'delete']

export function privilegesOn(table: string): readonly string[] {
  return SPECIAL[table] ?? (APPEND_ONLY.includes(table) ? ['select', 'insert'] : EVERYTHING)
}

/** The functions that the service may call: one that acts for the owner, and those that its statements, triggers and CHECKs ask. */
const FUNCTIONS: readonly string[] = [
  'entry_fits_its_kind',
  'expect_unchanged',
  'failure_code_of',
  'keep_activity',
  'look_at_new_tables',
  'newest_key',
  'payout_has_stage',
  'payout_may_move',
]

/** Run as the owner: gives the service's role what it needs, and takes away the rest. */
export async function grantPrivileges(client: pg.Client, role: string): Promise<void> {
  const grantee = client.escapeIdentifier(role)
  const schema = (await client.query<{ name: string }>('select current_schema() as name')).rows[0]!.name
  const changes = [
    ...(await onDatabase(client, grantee)),
    `grant usage on schema ${client.escapeIdentifier(schema)} to ${grantee};`,
    ...(await onTables(client, grantee)),
    ...(await onFunctions(client, grantee)),
  ]
  // All in one transaction: nobody at work sees the moment in between.
  await client.query(`begin; ${changes.join(' ')} commit;`)
}

async function onTables(client: pg.Client, grantee: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; isPart: boolean }>(
    `select relname as name, relispartition as "isPart" from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  // A partition is reached through its table and not by itself.
  return rows.map(({ name, isPart }) => {
    const table = client.escapeIdentifier(name)
    const grant = isPart ? '' : `grant ${privilegesOn(name).join(', ')} on ${table} to ${grantee};`
    return `revoke all on ${table} from ${grantee}, public; ${grant}`
  })
}

/**
 * PostgreSQL lets everybody call every function, also as a trigger on a table of their own. The one that writes the
 * ledger's balances would then write them for anybody who makes a similar table.
 */
async function onFunctions(client: pg.Client, grantee: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string; isNeeded: boolean }>(
    `select oid::regprocedure::text as signature, proname = any ($1) as "isNeeded" from pg_proc
      where pronamespace = current_schema()::regnamespace and pg_has_role(current_user, proowner, 'usage')
      order by signature`,
    [FUNCTIONS],
  )
  return rows.map(({ signature, isNeeded }) => {
    const grant = isNeeded ? `grant execute on function ${signature} to ${grantee};` : ''
    return `revoke all on function ${signature} from ${grantee}, public; ${grant}`
  })
}

/**
 * A temporary table hides one of ours by its name, and so does a table in a schema that is searched first. Only the
 * database's owner can forbid both; where that is somebody else, `kestrel doctor` says what is left to do.
 */
async function onDatabase(client: pg.Client, grantee: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; schema: string; ownsIt: boolean; ownsSchema: boolean }>(
    `select d.datname as name, n.nspname as schema, pg_has_role(current_user, d.datdba, 'usage') as "ownsIt",
            pg_has_role(current_user, n.nspowner, 'usage') as "ownsSchema"
       from pg_database d, pg_namespace n where d.datname = current_database() and n.nspname = current_schema()`,
  )
  const { name, schema, ownsIt, ownsSchema } = rows[0]!
  const [database, inside] = [client.escapeIdentifier(name), client.escapeIdentifier(schema)]
  return [
    ...(ownsIt ? [`revoke temporary, create on database ${database} from ${grantee}, public;`] : []),
    ...(ownsSchema ? [`revoke create on schema ${inside} from ${grantee}, public;`] : []),
  ]
}
