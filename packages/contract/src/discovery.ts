import { Type, type Static } from 'typebox'

import { Named } from './schema.ts'

export const Discovery = Named(
  'Discovery',
  Type.Object(
    {
      name: Type.String({ examples: ['Kestrel Payouts'] }),
      version: Type.String({ examples: ['1.3.0'] }),
      docs: Type.String({ format: 'uri' }),
    },
    { description: 'What this service is and where it is described.' },
  ),
)
export type Discovery = Static<typeof Discovery>
