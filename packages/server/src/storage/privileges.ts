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
  activity_waiting: ['select', 'insert', 'delete'],
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
  'activity_entry_hash',
  'changes_as_hashed',
  'entry_fits_its_kind',
  'expect_unchanged',
  'failure_code_of',
  'keep_activity',
  'look_at_new_tables',
  'newest_key',
  'payout_has_stage',
  'payout_is_sound',
  'payout_may_move',
]

/** Run as the owner: gives the service's role what it needs, and takes away the rest. What is as it should be is not written again. */
export async function grantPrivileges(client: pg.Client, role: string): Promise<void> {
  const changes = [
    ...(await onDatabase(client, role)),
    ...(await onSchema(client, role)),
    ...(await onTables(client, role)),
    ...(await onFunctions(client, role)),
  ]
  // All in one transaction: nobody at work sees the moment in between.
  if (changes.length > 0) await client.query(`begin; ${changes.join(' ')} commit;`)
}

/** What the role of the parameter $1, or everybody, was given by an access list, in the words of a grant. */
function heldBy(list: string, column = ''): string {
  return `select concat(case grantee when 0 then 'everybody ' end, lower(privilege_type), ${column === '' ? '' : `' (', ${column}, ')', `}
                        case when is_grantable then ' to give on' end)
            from aclexplode(${list}) where grantee in (0, (select oid from pg_roles where rolname = $1))`
}

function areSame(held: readonly string[], wanted: readonly string[]): boolean {
  return held.toSorted().join() === wanted.toSorted().join()
}

async function onTables(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; isPart: boolean; held: string[] }>(
    `select c.relname as name, c.relispartition as "isPart",
            array(${heldBy('c.relacl')}) || array(
              select held.words from pg_attribute a, lateral (${heldBy('a.attacl', 'a.attname')}) held (words)
               where a.attrelid = c.oid and a.attacl is not null and not a.attisdropped) as held
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
    [role],
  )
  const grantee = client.escapeIdentifier(role)
  return rows.flatMap(({ name, isPart, held }) => {
    // A partition is reached through its table and not by itself.
    const wanted = isPart ? [] : privilegesOn(name)
    if (areSame(held, wanted)) return []
    const table = client.escapeIdentifier(name)
    const grant = isPart ? '' : `grant ${wanted.join(', ')} on ${table} to ${grantee};`
    return [`revoke all on ${table} from ${grantee}, public; ${grant}`]
  })
}

/**
 * PostgreSQL lets everybody call every function, also as a trigger on a table of their own. The one that writes the
 * ledger's balances would then write them for anybody who makes a similar table.
 */
async function onFunctions(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string; isNeeded: boolean; held: string[] }>(
    `select oid::regprocedure::text as signature, proname = any ($2) as "isNeeded",
            array(${heldBy(`coalesce(proacl, acldefault('f', proowner))`)}) as held
       from pg_proc
      where pronamespace = current_schema()::regnamespace and pg_has_role(current_user, proowner, 'usage')
      order by signature`,
    [role, FUNCTIONS],
  )
  const grantee = client.escapeIdentifier(role)
  return rows.flatMap(({ signature, isNeeded, held }) => {
    if (areSame(held, isNeeded ? ['execute'] : [])) return []
    const grant = isNeeded ? `grant execute on function ${signature} to ${grantee};` : ''
    return [`revoke all on function ${signature} from ${grantee}, public; ${grant}`]
  })
}

/**
 * A temporary table hides one of ours by its name, and so does a table in a schema that is searched first. Only the
 * database's owner can forbid both; where that is somebody else, `kestrel doctor` says what is left to do.
 */
async function onDatabase(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; ownsIt: boolean; held: string[] }>(
    `select datname as name, pg_has_role(current_user, datdba, 'usage') as "ownsIt",
            array(${heldBy(`coalesce(datacl, acldefault('d', datdba))`)}) as held
       from pg_database where datname = current_database()`,
    [role],
  )
  const { name, ownsIt, held } = rows[0]!
  if (!ownsIt || held.every((words) => !/temporary|create/.test(words))) return []
  const grantee = client.escapeIdentifier(role)
  return [`revoke temporary, create on database ${client.escapeIdentifier(name)} from ${grantee}, public;`]
}

async function onSchema(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; ownsIt: boolean; held: string[] }>(
    `select nspname as name, pg_has_role(current_user, nspowner, 'usage') as "ownsIt",
            array(${heldBy(`coalesce(nspacl, acldefault('n', nspowner))`)}) as held
       from pg_namespace where nspname = current_schema()`,
    [role],
  )
  const { name, ownsIt, held } = rows[0]!
  const [schema, grantee] = [client.escapeIdentifier(name), client.escapeIdentifier(role)]
  const isOpen = held.some((words) => words.includes('create'))
  return [
    ...(ownsIt && isOpen ? [`revoke create on schema ${schema} from ${grantee}, public;`] : []),
    ...(held.includes('usage') ? [] : [`grant usage on schema ${schema} to ${grantee};`]),
  ]
}
