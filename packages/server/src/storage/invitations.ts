// Invitations to a business that have not been answered yet.
import type { MemberRole } from '@kestrel/contract'

import { type Db, type Tx, statement } from './sql.ts'

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: MemberRole
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly mailedAt: Date | null
}

const COLUMNS = `i.id, i.email, i.name, i.role, i.invited_by as "invitedBy", i.created_at as "createdAt",
  i.expires_at as "expiresAt", i.mailed_at as "mailedAt"`

const INSERT = statement(
  'insert_invitation',
  `insert into invitations (partner_id, id, email, name, role, invited_by, created_at, expires_at, mailed_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export function insertInvitation(tx: Tx, partnerId: string, invitation: InvitationRow): void {
  const { id, email, name, role, invitedBy, createdAt, expiresAt, mailedAt } = invitation
  tx.defer(INSERT, [partnerId, id, email, name, role, invitedBy, createdAt, expiresAt, mailedAt])
}

const LIST = statement(
  'list_invitations',
  `select ${COLUMNS} from invitations i where i.partner_id = $1 and i.expires_at > $2 order by i.created_at, i.email`,
)

/** Invitations that can still be accepted. */
export function listInvitations(db: Db, partnerId: string, at: Date): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(LIST, [partnerId, at])
}

/** An invitation as the invited person sees it. */
export interface OwnInvitation extends InvitationRow {
  readonly partnerId: string
  readonly slug: string
  readonly businessName: string
}

const OF_PERSON = statement(
  'invitations_of_person',
  `select ${COLUMNS}, i.partner_id as "partnerId", p.slug, p.name as "businessName"
     from invitations i join partners p on p.id = i.partner_id
    where i.email = $1 and i.expires_at > $2 and p.status <> 'closed' order by i.created_at, i.id`,
)

export function listInvitationsOf(db: Db, email: string, at: Date): Promise<OwnInvitation[]> {
  return db.query<OwnInvitation>(OF_PERSON, [email, at])
}

const TAKE = statement('take_invitation', 'delete from invitations where partner_id = $1 and id = $2 returning id')

/** False when the invitation is gone: accepted, declined or withdrawn. */
export async function takeInvitation(tx: Tx, partnerId: string, id: string): Promise<boolean> {
  return (await tx.query(TAKE, [partnerId, id])).length === 1
}

const REMAILED = statement(
  'remail_invitation',
  'update invitations set mailed_at = $3, expires_at = $4 where partner_id = $1 and id = $2',
)

export function renewInvitation(
  tx: Tx,
  renewed: { partnerId: string; id: string; mailedAt: Date; expiresAt: Date },
): void {
  tx.defer(REMAILED, [renewed.partnerId, renewed.id, renewed.mailedAt, renewed.expiresAt])
}

const WITHDRAW_BY = statement(
  'withdraw_invitations_by',
  'delete from invitations where partner_id = $1 and invited_by = $2',
)

/** Withdraws the invitations of somebody who is no longer an admin. */
export function withdrawInvitationsBy(tx: Tx, partnerId: string, invitedBy: string): void {
  tx.defer(WITHDRAW_BY, [partnerId, invitedBy])
}

const CLEAR = statement(
  'clear_invitation',
  'delete from invitations where partner_id = $1 and email = $2 and expires_at <= $3',
)

/** Deletes an expired invitation, to make room for a new one. */
export function clearExpiredInvitation(tx: Tx, partnerId: string, email: string, at: Date): Promise<unknown> {
  return tx.query(CLEAR, [partnerId, email, at])
}

const TIDY = statement('tidy_invitations', 'delete from invitations where expires_at < $1')

export function tidyInvitations(tx: Tx, expiredBefore: Date): void {
  tx.defer(TIDY, [expiredBefore])
}
