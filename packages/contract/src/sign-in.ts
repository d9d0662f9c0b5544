// Signing in: what a browser sends, and what it may see before it is signed in.
import { Type, type Static } from 'typebox'

import { SLUG_PATTERN } from './public-partner.ts'
import { EmailInput, PlainText, SixDigits } from './scalars.ts'
import { Named, Nullable } from './schema.ts'

export const Slug = Type.String({
  pattern: SLUG_PATTERN,
  'x-rule': '2 to 40 lower-case letters, digits or hyphens',
  examples: ['thistle-market'],
})

export const CodeRequest = Named(
  'CodeRequest',
  Type.Object({ email: EmailInput, partner: Type.Optional(Slug) }, { additionalProperties: false }),
)
export type CodeRequest = Static<typeof CodeRequest>

export const SignUpRequest = Named(
  'SignUpRequest',
  Type.Object(
    {
      email: EmailInput,
      name: Type.Optional(PlainText(80, 'Amara Okafor')),
      business_name: PlainText(120, 'Thistle Market'),
    },
    { additionalProperties: false },
  ),
)
export type SignUpRequest = Static<typeof SignUpRequest>

export const CodeSent = Named(
  'CodeSent',
  Type.Object(
    {
      object: Type.Literal('code_sent'),
      expires_in: Type.Integer({ description: 'Seconds until the code expires.', examples: [600] }),
      resend_after: Type.Integer({ description: 'Seconds until another code can be asked for.', examples: [30] }),
    },
    { description: 'The answer is the same for every address, so that it does not tell who is a member.' },
  ),
)
export type CodeSent = Static<typeof CodeSent>

const InvitationId = (description: string) =>
  Type.String({ maxLength: 36, 'x-rule': 'the id of an invitation', description })

export const SessionRequest = Named(
  'SessionRequest',
  Type.Object(
    {
      email: EmailInput,
      code: SixDigits,
      partner: Type.Optional(Slug),
      accept: Type.Optional(InvitationId('Accept this invitation, and sign in to its business.')),
      decline: Type.Optional(
        InvitationId(
          'Decline this invitation, and sign in to another business if there is one. Not together with `accept`.',
        ),
      ),
    },
    { additionalProperties: false },
  ),
)
export type SessionRequest = Static<typeof SessionRequest>

export const AuthOptions = Named(
  'AuthOptions',
  Type.Object(
    {
      object: Type.Literal('auth_options'),
      sign_up: Type.Boolean({ description: 'Whether anybody may open an account.' }),
      mailbox_url: Nullable(
        Type.String({ description: 'Where mail can be read when there is no mail server; this machine only.' }),
      ),
      contact_email: Nullable(
        Type.String({ description: 'The operator’s address for questions; null when there is none.' }),
      ),
    },
    { description: 'What a sign-in page needs to know.' },
  ),
)
export type AuthOptions = Static<typeof AuthOptions>
