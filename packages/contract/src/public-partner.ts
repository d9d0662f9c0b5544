import { Type, type Static } from 'typebox'

import { Named, Nullable } from './schema.ts'

export const SLUG_PATTERN = '^[a-z0-9-]{2,40}$'

export const PublicPartner = Named(
  'PublicPartner',
  Type.Object(
    {
      slug: Type.String({ pattern: SLUG_PATTERN, examples: ['thistle-market'] }),
      name: Type.String({ examples: ['Thistle Market'] }),
      logo_url: Type.Optional(Nullable(Type.String({ format: 'uri' }))),
      brand_color: Type.Optional(Nullable(Type.String({ examples: ['#2b4bd8'] }))),
    },
    { description: 'What anybody may know about a partner: enough for a sign-in page.' },
  ),
)
export type PublicPartner = Static<typeof PublicPartner>
