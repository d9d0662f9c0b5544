import { Type, type Static } from 'typebox'

import { DateTime, Email } from './scalars.ts'
import { Named, Nullable, Words } from './schema.ts'

export const MEMBER_ROLES = ['admin', 'viewer'] as const

export const MemberRole = Words(MEMBER_ROLES, {
  description: '`admin`: everything. `viewer`: reads, and asks for quotes.',
})
export type MemberRole = Static<typeof MemberRole>

export const Member = Named(
  'Member',
  Type.Object({
    email: Email,
    name: Type.Optional(Nullable(Type.String())),
    role: MemberRole,
    last_login_at: Type.Optional(Nullable(DateTime)),
    created_at: Type.Optional(DateTime),
  }),
)
export type Member = Static<typeof Member>
