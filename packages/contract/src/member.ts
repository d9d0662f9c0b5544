import { Type, type Static } from 'typebox'

import { SPENDING_LIMITS, SPENDING_LIMITS_WANTED, SPENT } from './api-key.ts'
import { ConfirmCode, DateTime, Email, EmailInput, PlainText, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

export const MEMBER_ROLES = ['admin', 'viewer'] as const

export const MemberRole = Words(MEMBER_ROLES, {
  description: '`admin`: everything. `viewer`: reads, and asks for quotes.',
})
export type MemberRole = Static<typeof MemberRole>

export const Member = Named(
  'Member',
  Type.Object(
    {
      id: Uuid,
      email: Email,
      name: Type.Optional(Nullable(Type.String())),
      role: MemberRole,
      last_login_at: Type.Optional(Nullable(DateTime)),
      created_at: Type.Optional(DateTime),
      invited_by: Nullable(
        Type.String({ description: 'The email of the member who invited them; null for the first member.' }),
      ),
      ...SPENDING_LIMITS,
      ...SPENT,
    },
    {
      description:
        'A member of the team. The limits are for payouts that they make in the dashboard, in the environment that is asked about.',
    },
  ),
)
export type Member = Static<typeof Member>

export const MemberList = ListOf(Member, {
  $id: 'MemberList',
  description: 'The team, in the order in which its members joined.',
})

const RoleInput = Words(MEMBER_ROLES, { 'x-rule': 'admin or viewer' })

export const NewMember = Named(
  'NewMember',
  Type.Object(
    {
      email: EmailInput,
      name: Type.Optional(PlainText(80, 'Amara Okafor')),
      role: RoleInput,
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false },
  ),
)
export type NewMember = Static<typeof NewMember>

export const MemberChange = Named(
  'MemberChange',
  Type.Object(
    {
      name: Type.Optional(PlainText(80, 'Amara Okafor')),
      role: Type.Optional(RoleInput),
      ...SPENDING_LIMITS_WANTED,
      confirm_code: Type.Optional(ConfirmCode),
    },
    { additionalProperties: false, description: 'Fields that are left out stay as they are.' },
  ),
)
export type MemberChange = Static<typeof MemberChange>

export const MemberRemoved = Named('MemberRemoved', Type.Object({ id: Uuid, removed: Type.Literal(true) }))
export type MemberRemoved = Static<typeof MemberRemoved>
