import { Type, type Static } from 'typebox'

import { DateTime, Money } from './scalars.ts'
import { Named, Nullable, RefTo, Words } from './schema.ts'

export const PAYOUT_EVENT_KINDS = [
  'created',
  'reserved',
  'waiting',
  'sent',
  'completed',
  'failed',
  'cancelled',
  'returned',
  'refunded',
] as const
export type PayoutEventKind = (typeof PAYOUT_EVENT_KINDS)[number]

export const PayoutEvent = Named(
  'PayoutEvent',
  Type.Object(
    {
      at: DateTime,
      kind: Words(PAYOUT_EVENT_KINDS, {
        description:
          '`reserved`: the money is set aside in the wallet. `waiting`: the bank has not confirmed it yet. `sent`: the bank has it. `refunded`: the money is back in the wallet. The others are statuses.',
      }),
      by: Nullable(
        Type.String({
          description: 'Who asked for it: the start of a key, or an email.',
          examples: ['kp_live_9f2c41'],
        }),
      ),
      usdc: Nullable(Money('What moved in the wallet, in USDC.', '32.07')),
      detail: Nullable(Type.String({ description: 'What happened, in plain words.' })),
    },
    { description: 'One thing that happened to a payout.' },
  ),
)
export type PayoutEvent = Static<typeof PayoutEvent>

export const PayoutTimeline = Named(
  'PayoutTimeline',
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(RefTo(PayoutEvent), { description: 'The oldest first.' }),
      quote: Type.Object({
        gbp_per_usd: Type.Number({ description: 'Pounds for one US dollar, as it was.', examples: [0.79] }),
        fee_in_transfer_gbp: Money('The bank’s share of the fee, sent together with the amount.', '0.33'),
        fee_on_invoice_gbp: Money('The rest of the fee, which goes on the invoice if the payout completes.', '0.91'),
      }),
      idempotency_key: Type.String({ description: 'The key that made it.', examples: ['order-1042'] }),
      is_cancellable: Type.Boolean({
        description: 'Whether the bank could probably still stop it: by its last word, it has not taken the money yet.',
      }),
      next: Nullable(Type.String({ description: 'What happens next, in plain words; null when nothing does.' })),
    },
    { description: 'What happened to a payout, step by step, and what happens next.' },
  ),
)
export type PayoutTimeline = Static<typeof PayoutTimeline>
