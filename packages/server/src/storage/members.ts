import type { MemberRole } from '@kestrel/contract'

import { type Db, type Tx, statement } from './sql.ts'

const INSERT = statement(
  'insert_member',
  `insert into members (partner_id, id, email, name, role, invited_by, created_at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (partner_id, email) do nothing returning id`,
)

export interface NewMember {
  readonly partnerId: string
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: MemberRole
  readonly invitedBy: string | null
  readonly createdAt: Date
}

/** False when the partner has a member with this email. */
export async function insertMember(tx: Tx, member: NewMember): Promise<boolean> {
  const { partnerId, id, email, name, role, invitedBy, createdAt } = member
  return (await tx.query(INSERT, [partnerId, id, email, name, role, invitedBy, createdAt])).length === 1
}

/** A business and a person's membership of it. */
export interface Membership {
  readonly partnerId: string
  readonly slug: string
  readonly name: string
  readonly role: MemberRole
  readonly invitedBy: string | null
  readonly lastLoginAt: Date | null
}

const OF_PERSON = statement(
  'memberships_of_person',
  `select m.partner_id as "partnerId", p.slug, p.name, m.role, m.invited_by as "invitedBy",
          m.last_login_at as "lastLoginAt"
     from members m join partners p on p.id = m.partner_id
    where m.email = $1 and p.status <> 'closed'
    order by m.last_login_at desc nulls last, m.created_at desc, m.partner_id`,
)

/** The business used last comes first. */
export function listMemberships(db: Db, email: string): Promise<Membership[]> {
  return db.query<Membership>(OF_PERSON, [email])
}

const TOUCH = statement('touch_member', 'update members set last_login_at = $3 where partner_id = $1 and email = $2')

export function touchMember(tx: Tx, member: { partnerId: string; email: string; at: Date }): void {
  tx.defer(TOUCH, [member.partnerId, member.email, member.at])
}

export interface MemberRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: MemberRole
  readonly lastLoginAt: Date | null
  readonly createdAt: Date
  readonly invitedBy: string | null
}

const COLUMNS = `id, email, name, role, last_login_at as "lastLoginAt", created_at as "createdAt",
  invited_by as "invitedBy"`

const LIST = statement(
  'list_members',
  `select ${COLUMNS} from members where partner_id = $1 order by created_at, email`,
)

export function listMembers(db: Db, partnerId: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(LIST, [partnerId])
}

const ADMINS = statement(
  'list_admins',
  `select email from members where partner_id = $1 and role = 'admin' order by email`,
)

export async function listAdmins(db: Db, partnerId: string): Promise<string[]> {
  return (await db.query<{ email: string }>(ADMINS, [partnerId])).map(({ email }) => email)
}

const CHANGE = statement(
  'change_member',
  `update members set name = coalesce($3, name), role = coalesce($4, role) where partner_id = $1 and id = $2
   returning ${COLUMNS}`,
)

/** A field that is null stays as it is. Returns null when there is no such member. */
export async function changeMember(
  tx: Tx,
  change: { partnerId: string; id: string; name: string | null; role: MemberRole | null },
): Promise<MemberRow | null> {
  return (await tx.query<MemberRow>(CHANGE, [change.partnerId, change.id, change.name, change.role]))[0] ?? null
}

const REMOVE = statement('remove_member', 'delete from members where partner_id = $1 and id = $2')

/** Removes a member, with their sessions and codes for this business. */
export function removeMember(tx: Tx, partnerId: string, id: string): void {
  tx.defer(REMOVE, [partnerId, id])
}

const PROVEN = statement(
  'proven_admin_email',
  `select 1 from members
    where partner_id = $1 and lower(email) = lower($2) and role = 'admin' and last_login_at is not null`,
)

/** Whether an admin of the partner has signed in with a code that was mailed to this address. */
export async function isProvenEmail(db: Db, partnerId: string, email: string): Promise<boolean> {
  return (await db.query(PROVEN, [partnerId, email])).length > 0
}
