import { createHmac } from 'node:crypto'

import type { Client } from 'pg'

import { type Access, urlFor, withClient } from './ask.ts'

/** The roles of the service and the bundled bank. Neither owns the service's tables, and neither is a superuser. */
export const SERVICE_ROLE = 'kestrel_service'
export const BANK_ROLE = 'kestrel_bank'

export interface RoleUrls {
  readonly serviceUrl: string
  /**
   * For the bank. It names the service's database; the process that starts the bank puts the bank's own in its place.
   */
  readonly bankUrl: string
}

export function roleUrls(access: Access): RoleUrls {
  const urlOf = (role: string) => urlFor({ ...access, password: passwordOf(role, access.password) }, role)
  return { serviceUrl: urlOf(SERVICE_ROLE), bankUrl: urlOf(BANK_ROLE) }
}

/** One secret in the file is enough: somebody who has it may do everything anyway. */
function passwordOf(role: string, ownersPassword: string): string {
  return createHmac('sha256', ownersPassword).update(`kestrel role ${role} v1`).digest('hex')
}

/** Makes the roles, also in a cluster from before there were any. Their privileges on tables come with the migrations. */
export async function ensureRoles(client: Client, access: Access): Promise<void> {
  const bankDatabase = `${access.database}_bank`
  const { rows } = await client.query<{ roles: string[]; owner: string | null }>(
    `select array(select rolname::text from pg_roles where rolname = any ($1)) as roles,
            (select pg_get_userbyid(datdba)::text from pg_database where datname = $2) as owner`,
    [[SERVICE_ROLE, BANK_ROLE], bankDatabase],
  )
  const { roles, owner } = rows[0]!
  const database = client.escapeIdentifier(access.database)
  const bank = client.escapeIdentifier(bankDatabase)
  // One message, and so one transaction: each start waits for it.
  await client.query(
    [
      ...[SERVICE_ROLE, BANK_ROLE].flatMap((role) => [
        ...(roles.includes(role) ? [] : [`create role ${role}`]),
        `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication
           password ${client.escapeLiteral(passwordOf(role, access.password))}`,
      ]),
      `revoke all on database ${database} from public`,
      `grant connect on database ${database} to ${SERVICE_ROLE}`,
      ...(owner === null ? [] : [`revoke all on database ${bank} from public`]),
    ].join('; '),
  )
  if (owner === BANK_ROLE) return
  if (owner === null) await client.query(`create database ${bank} owner ${BANK_ROLE}`)
  // The database changes hands last: whose it is tells the next start that all in it has.
  else {
    await withClient({ ...access, database: bankDatabase }, async (inside) => void (await inside.query(HAND_OVER)))
    await client.query(`alter database ${bank} owner to ${BANK_ROLE}`)
  }
  await client.query(`revoke all on database ${bank} from public`)
}

/** Makes the bank the owner of what it created as a superuser. Sequences follow their tables. */
const HAND_OVER = `
do $$
declare thing record;
begin
  for thing in
    select format('alter table %s owner to ${BANK_ROLE}', oid::regclass) as change from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and relowner <> '${BANK_ROLE}'::regrole
    union all
    select format('alter function %s owner to ${BANK_ROLE}', oid::regprocedure) from pg_proc
     where pronamespace = 'public'::regnamespace and proowner <> '${BANK_ROLE}'::regrole
    union all
    select format('alter type %s owner to ${BANK_ROLE}', oid::regtype) from pg_type
     where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') and typowner <> '${BANK_ROLE}'::regrole
  loop
    execute thing.change;
  end loop;
end $$`
