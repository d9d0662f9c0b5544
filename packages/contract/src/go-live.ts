// What is left to do before real money is paid, from what really happened.
import { Type, type Static } from 'typebox'

import { Named, RefTo, Words } from './schema.ts'

export const GO_LIVE_STEPS = [
  'first_payout',
  'failure_handled',
  'replay_seen',
  'webhook_verified',
  'two_admins',
  'verification',
  'funding',
  'low_balance_warning',
  'live_key',
  'limited_key',
  'first_live_payout',
] as const
export type GoLiveStepId = (typeof GO_LIVE_STEPS)[number]

export const GoLiveStep = Named(
  'GoLiveStep',
  Type.Object(
    {
      id: Words(GO_LIVE_STEPS, { description: 'What is to be done. More steps may be added.' }),
      title: Type.String({ description: 'The same in words.', examples: ['Send a test payout'] }),
      done: Type.Boolean({ description: 'Whether it has really happened; nobody ticks it.' }),
      url: Type.String({ format: 'uri', description: 'Where it is done.' }),
    },
    { description: 'One step.' },
  ),
)
export type GoLiveStep = Static<typeof GoLiveStep>

export const GoLive = Named(
  'GoLive',
  Type.Object(
    {
      object: Type.Literal('go_live'),
      done: Type.Integer({ description: 'How many steps are done.' }),
      total: Type.Integer({ description: 'How many there are.' }),
      steps: Type.Array(RefTo(GoLiveStep), { description: 'In the order in which they are usually done.' }),
    },
    { description: 'How far the business is on its way to live: computed from its traffic and its account.' },
  ),
)
export type GoLive = Static<typeof GoLive>
