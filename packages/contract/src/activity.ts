import { Type, type Static } from 'typebox'

import { DateTime } from './scalars.ts'
import { ListOf, Named, Nullable } from './schema.ts'

export const ActivityEntry = Named(
  'ActivityEntry',
  Type.Object(
    {
      at: DateTime,
      environment: Nullable(Type.String()),
      action: Type.String({ description: 'What was asked for, as `resource.verb`.', examples: ['payout.create'] }),
      status: Nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
      by: Type.String({ description: 'Who made the request.', examples: ['kp_sandbox_5d0c1a'] }),
      detail: Nullable(Type.String()),
    },
    { description: 'One request on the account.' },
  ),
)
export type ActivityEntry = Static<typeof ActivityEntry>

export const ActivityList = ListOf(ActivityEntry, {
  $id: 'ActivityList',
  description: 'The latest 200 requests on the account, the newest first.',
})
