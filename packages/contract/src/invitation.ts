// An invitation to a team, as its senders and the invited person see it.
import { Type, type Static } from 'typebox'

import { MemberRole } from './member.ts'
import { DateTime, Email, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable } from './schema.ts'
import { Slug } from './sign-in.ts'

export const Invitation = Named(
  'Invitation',
  Type.Object(
    {
      id: Uuid,
      email: Email,
      name: Nullable(Type.String()),
      role: MemberRole,
      last_login_at: Type.Null({ description: 'Nobody signs in before accepting.' }),
      created_at: DateTime,
      invited_by: Type.String({ description: 'The email of the member who invited them.' }),
      expires_at: DateTime,
      mailed_at: Nullable(
        Type.String({
          format: 'date-time',
          description: 'The latest mail about it; null when none was sent, because the address has had several lately.',
        }),
      ),
    },
    { description: 'A person who was invited to the team and has not answered yet.' },
  ),
)
export type Invitation = Static<typeof Invitation>

export const InvitationList = ListOf(Invitation, {
  $id: 'InvitationList',
  description: 'Invitations that have not been answered yet.',
})

export const InvitationWithdrawn = Named(
  'InvitationWithdrawn',
  Type.Object({ id: Uuid, withdrawn: Type.Literal(true) }),
)
export type InvitationWithdrawn = Static<typeof InvitationWithdrawn>

/** As the invited person sees it: the sender, the business, the role. */
export const OwnInvitation = Type.Object({
  id: Uuid,
  slug: Slug,
  name: Type.String({ description: 'The name of the business.' }),
  role: MemberRole,
  invited_by: Type.String({ description: 'The email of the member who invites.' }),
  expires_at: DateTime,
})
export type OwnInvitation = Static<typeof OwnInvitation>

export const InvitationDeclined = Named('InvitationDeclined', Type.Object({ id: Uuid, declined: Type.Literal(true) }))
export type InvitationDeclined = Static<typeof InvitationDeclined>
