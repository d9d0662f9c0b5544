// What the service may do with each table, when it is not the owner: the one place. Who migrates grants it after every
// migration, so a new table is covered by the rule for all, and a table of history is listed here.
import type pg from 'pg'

/** History: written once, read for ever. No UPDATE, no DELETE; TRUNCATE is nobody's. */
export const APPEND_ONLY: readonly string[] = [
  'ledger_entries',
  'activity',
  'charges',
  'invoice_lines',
  'deposits',
  'bank_exceptions',
]

/** What is told apart: the columns that may be updated where the table as a whole may not. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  // Balances follow the entries, by a trigger that acts for the owner. A row is locked by whoever could update something
  // of it: a column of its key, which the table's own guard refuses to change.
  ledger_accounts: ['select', 'insert', 'update (partner_id)'],
  migrations: ['select'],
  // Old proofs are thinned; none is rewritten.
  reconciliations: ['select', 'insert', 'delete'],
  invoices: ['select', 'insert', 'update'],
  invoice_numbers: ['select', 'insert', 'update'],
  partners: ['select', 'insert', 'update'],
  wallets: ['select', 'insert', 'update'],
  plans: ['select', 'insert', 'update'],
  installation: ['select', 'insert', 'update'],
  // A reference that was used stays used.
  operator_movements: ['select', 'insert', 'update'],
  secret_keys: ['select', 'insert', 'update'],
}

const EVERYTHING = ['select', 'insert', 'update', 'delete']

export function privilegesOn(table: string): readonly string[] {
  return SPECIAL[table] ?? (APPEND_ONLY.includes(table) ? ['select', 'insert'] : EVERYTHING)
}

/** What the owner's functions do for the service, which may call these and no others. */
const FUNCTIONS: readonly string[] = ['keep_activity']

/** As the owner: gives the service's role what it needs, and takes what it does not. */
export async function grantPrivileges(client: pg.Client, role: string): Promise<void> {
  const grantee = client.escapeIdentifier(role)
  const { rows } = await client.query<{ name: string; isPart: boolean }>(
    `select relname as name, relispartition as "isPart" from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  // A part is reached through the table that it belongs to, and not by itself.
  const grants = rows.map(({ name, isPart }) => {
    const table = client.escapeIdentifier(name)
    const grant = isPart ? '' : `grant ${privilegesOn(name).join(', ')} on ${table} to ${grantee};`
    return `revoke all on ${table} from ${grantee}; ${grant}`
  })
  const functions = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = any ($1)`,
    [FUNCTIONS],
  )
  grants.push(...functions.rows.map(({ signature }) => `grant execute on function ${signature} to ${grantee};`))
  const schema = (await client.query<{ name: string }>('select current_schema() as name')).rows[0]!.name
  // All at once: nobody who is at work sees the moment in between.
  await client.query(
    `begin; grant usage on schema ${client.escapeIdentifier(schema)} to ${grantee}; ${grants.join(' ')} commit;`,
  )
}
