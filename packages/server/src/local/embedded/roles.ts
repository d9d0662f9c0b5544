import { createHmac } from 'node:crypto'
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
export async function ensureRoles(access: Access): Promise<void> {
  const bankDatabase = `${access.database}_bank`
  await withClient(access, async (client) => {
    for (const role of [SERVICE_ROLE, BANK_ROLE]) {
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
      if (rowCount === 0) await client.query(`create role ${role}`)
      const password = client.escapeLiteral(passwordOf(role, access.password))
      await client.query(
        `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication password ${password}`,
      )
    }
    const database = client.escapeIdentifier(access.database)
    await client.query(`revoke all on database ${database} from public`)
    await client.query(`grant connect on database ${database} to ${SERVICE_ROLE}`)
    const bank = client.escapeIdentifier(bankDatabase)
    const { rows } = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [bankDatabase],
    )
    if (rows[0] === undefined) await client.query(`create database ${bank} owner ${BANK_ROLE}`)
    else if (rows[0].owner !== BANK_ROLE) await client.query(`alter database ${bank} owner to ${BANK_ROLE}`)
    await client.query(`revoke all on database ${bank} from public`)
  })
  await withClient({ ...access, database: bankDatabase }, async (client) => void (await client.query(HAND_OVER)))
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
