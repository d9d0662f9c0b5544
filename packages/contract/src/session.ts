// The signed-in person, their business, and their other sessions.
import { Type, type Static } from 'typebox'

import { API_KEY_PATTERN } from './api-key.ts'
import { VERIFICATION_STATUSES } from './compliance.ts'
import { MemberRole } from './member.ts'
import { OwnInvitation } from './invitation.ts'
import { DateTime, Email, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'
import { Slug } from './sign-in.ts'

/** A business that somebody is a member of. */
const OwnBusiness = Type.Object({
  slug: Slug,
  name: Type.String(),
  role: MemberRole,
  invited_by: Nullable(
    Type.String({ description: 'The email of the member who invited them; null for the first member.' }),
  ),
})
export type OwnBusiness = Static<typeof OwnBusiness>

export const Session = Named(
  'Session',
  Type.Object(
    {
      object: Type.Literal('session'),
      id: Uuid,
      email: Email,
      name: Nullable(Type.String()),
      role: MemberRole,
      partner: Type.Object(
        {
          id: Uuid,
          slug: Slug,
          name: Type.String(),
          status: Type.String({ description: 'One of `active`, `suspended`, `closed`.' }),
          logo_url: Nullable(Type.String({ format: 'uri' })),
          brand_color: Nullable(Type.String()),
          verification_status: Words(VERIFICATION_STATUSES),
          created_at: DateTime,
        },
        { description: 'The business that the session looks at.' },
      ),
      partners: Type.Array(OwnBusiness, { description: 'Every business of this person.' }),
      invitations: Type.Array(OwnInvitation, {
        description: 'Businesses that have invited this person, who is no member of them before accepting.',
      }),
      expires_at: DateTime,
      sandbox_key: Type.Optional(
        Type.String({ pattern: API_KEY_PATTERN, description: 'A new business’s first key. It is shown this once.' }),
      ),
    },
    { description: 'A person who is signed in to the dashboard.' },
  ),
)
export type Session = Static<typeof Session>

export const SessionChange = Named(
  'SessionChange',
  Type.Object({ partner: Slug }, { additionalProperties: false, description: 'The business to open.' }),
)
export type SessionChange = Static<typeof SessionChange>

export const SignedOut = Named(
  'SignedOut',
  Type.Object({ object: Type.Literal('session'), signed_out: Type.Literal(true) }),
)
export type SignedOut = Static<typeof SignedOut>

export const OwnSession = Named(
  'OwnSession',
  Type.Object({
    id: Uuid,
    created_at: DateTime,
    last_seen_at: DateTime,
    user_agent: Nullable(Type.String()),
    ip: Type.String(),
    is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    can_end: Type.Boolean({
      description:
        'Whether the session of this request may end it: it may end itself, and those that signed in before it.',
    }),
  }),
)
export type OwnSession = Static<typeof OwnSession>

export const OwnSessionList = ListOf(OwnSession, {
  $id: 'OwnSessionList',
  description: 'The sessions of this person, the last used first.',
})

export const SessionRevoked = Named('SessionRevoked', Type.Object({ id: Uuid, revoked: Type.Literal(true) }))
export type SessionRevoked = Static<typeof SessionRevoked>
