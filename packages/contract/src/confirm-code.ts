// The code that confirms what could move live money or take an account over: asked for here, sent with the request.
import { Type, type Static } from 'typebox'

import { GRACE_SECONDS, KEY_RULES_WANTED } from './api-key.ts'
import { MEMBER_ROLES } from './member.ts'
import { DateTime, EmailInput, PlainText } from './scalars.ts'
import { Named, Words } from './schema.ts'

export const DOOR_ACTIONS = [
  'key.create',
  'key.change',
  'key.rotate',
  'member.invite',
  'member.change',
  'member.remove',
  'settings.change',
  'payouts.resume',
] as const

const IdInput = (description: string) =>
  Type.String({ maxLength: 36, 'x-rule': 'an id', description, examples: ['01a19b8f-5d20-7b1a-9c77-2e4f8d6a1b03'] })

export const DoorCodeRequest = Named(
  'DoorCodeRequest',
  Type.Object(
    {
      action: Words(DOOR_ACTIONS, {
        'x-rule': DOOR_ACTIONS.join(', '),
        description: 'The action to confirm. The other fields are those of the request that it is for.',
      }),
      environment: Type.Optional(Words(['sandbox', 'live'], { 'x-rule': 'sandbox or live' })),
      label: Type.Optional(PlainText(60, 'orders')),
      ...KEY_RULES_WANTED,
      key_id: Type.Optional(IdInput('The key to change or to rotate.')),
      grace_seconds: Type.Optional(
        Type.Unsafe<(typeof GRACE_SECONDS)[number]>({
          type: 'integer',
          enum: [...GRACE_SECONDS],
          'x-rule': GRACE_SECONDS.join(', '),
        }),
      ),
      member_id: Type.Optional(IdInput('The member to change or to remove.')),
      email: Type.Optional({ ...EmailInput, description: 'Who is invited.' }),
      role: Type.Optional(Words(MEMBER_ROLES, { 'x-rule': 'admin or viewer' })),
      billing_email: Type.Optional({ ...EmailInput, description: 'The new address for invoices.' }),
      contact_email: Type.Optional({ ...EmailInput, description: 'The new address for questions.' }),
    },
    {
      additionalProperties: false,
      description:
        '`key.create`: `environment`, `label` and the limits. `key.change`: `key_id` and what changes. `key.rotate`: `key_id` and `grace_seconds`. `member.invite`: `email` and `role`. `member.change`: `member_id`, and `role` or the limits with their `environment`. `member.remove`: `member_id`. `settings.change`: the addresses that change. `payouts.resume`: `environment`.',
    },
  ),
)
export type DoorCodeRequest = Static<typeof DoorCodeRequest>

export const DoorCodeSent = Named(
  'DoorCodeSent',
  Type.Object(
    {
      object: Type.Literal('confirm_code'),
      sent_to: Type.String({ description: 'Where the code went, masked.', examples: ['d•••@thistle.test'] }),
      expires_at: DateTime,
      confirms: Type.String({
        description: 'What the code confirms, as the mail says it.',
        examples: ['Create a live API key'],
      }),
    },
    { description: 'A code for exactly this is on its way to the member who asked.' },
  ),
)
export type DoorCodeSent = Static<typeof DoorCodeSent>
