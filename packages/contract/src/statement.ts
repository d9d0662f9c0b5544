import { Type, type Static } from 'typebox'

import { DateTime, Day, Environment, Uuid } from './scalars.ts'
import { Named, Nullable, Words } from './schema.ts'

export const MOVEMENT_KINDS = ['top_up', 'correction', 'payout', 'payout_released', 'payout_refunded'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** Unlike elsewhere nothing is rounded, so that a statement adds up whatever was paid in. */
function ExactUsdc(description: string, example: string) {
  return Type.String({ pattern: '^-?\\d+\\.\\d{2,6}$', description, examples: [example] })
}

export const Statement = Named(
  'Statement',
  Type.Object(
    {
      object: Type.Literal('statement'),
      environment: Environment,
      from: Day,
      to: Day,
      opening_usdc: ExactUsdc('What the wallet could spend when the first day began.', '1000.00'),
      closing_usdc: ExactUsdc('What it can spend at the end of the last day, or now.', '967.93'),
      totals: Type.Object(
        {
          in_usdc: ExactUsdc('All that came in.', '500.00'),
          out_usdc: ExactUsdc('All that went out.', '32.07'),
          topped_up_usdc: ExactUsdc('Of top-ups.', '500.00'),
          taken_out_usdc: ExactUsdc('What the operator took out.', '0.00'),
          paid_out_usdc: ExactUsdc('What payouts took, less those that were never sent.', '32.07'),
          came_back_usdc: ExactUsdc('Of payouts that failed, were cancelled or came back.', '0.00'),
        },
        {
          description:
            'The whole period, not the page alone. The opening and what came in, less what went out, is the closing.',
        },
      ),
      data: Type.Array(
        Type.Object({
          at: DateTime,
          kind: Words(MOVEMENT_KINDS, {
            description:
              '`top_up`: money came in. `correction`: the operator took some out, or the bank took more or less than was reserved. `payout`: taken for a payout. `payout_released`: given back, the payout was not sent. `payout_refunded`: given back, the payout failed, was cancelled or came back.',
          }),
          in_usdc: Nullable(ExactUsdc('What came in.', '500.00')),
          out_usdc: Nullable(ExactUsdc('What went out.', '32.07')),
          balance_usdc: ExactUsdc('What the wallet could spend after it.', '967.93'),
          payout_id: Nullable(Uuid),
          deposit_id: Nullable(Type.String({ description: 'The deposit, as `GET /v1/funding` names it.' })),
          recipient_name: Nullable(Type.String()),
          detail: Nullable(Type.String({ description: 'The payout’s reference, or what the money was for.' })),
        }),
      ),
      has_more: Type.Boolean({ description: 'Whether a next page exists.' }),
      next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get the next page.' })),
    },
    { description: 'The movements of a wallet between two days in London, both included, the oldest first.' },
  ),
)
export type Statement = Static<typeof Statement>
