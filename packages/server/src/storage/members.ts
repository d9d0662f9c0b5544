import type { MemberRole } from '@kestrel/contract'

import { type Tx, statement } from './sql.ts'

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
