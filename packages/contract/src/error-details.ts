// What `error.details` holds, by code. Codes that are not listed have none.
import { Type, type TSchema } from 'typebox'

import type { ErrorCode } from './errors.ts'
import { PAYOUT_STATUSES } from './payout-status.ts'
import { DateTime, ExactMoney, Money, Uuid } from './scalars.ts'
import { Named, Nullable, RefTo, Words } from './schema.ts'

/** Why a field is refused, as a word for programs. More may come. */
export const FIELD_ERROR_CODES = ['required', 'unknown_field', 'invalid'] as const

export const FieldError = Named(
  'FieldError',
  Type.Object(
    {
      field: Type.String({ description: 'Its path.', examples: ['recipient.bank.sort_code'] }),
      rule: Type.String({ description: 'What would be right.', examples: ['6 digits'] }),
      code: Words(FIELD_ERROR_CODES, {
        'x-open': true,
        description:
          '`required`: it is missing. `unknown_field`: nothing has this name. `invalid`: it breaks its rule.',
      }),
    },
    { description: 'One field that was refused.' },
  ),
)

const errors = Type.Array(RefTo(FieldError), { description: 'The same, field by field, for programs.' })
const PayoutStatus = Words(PAYOUT_STATUSES, { description: 'What the payout is.' })
const Offered = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  role: Type.String(),
  invited_by: Nullable(Type.String()),
})
const OfferedLater = Type.Object({ id: Uuid, ...Offered.properties, expires_at: DateTime })

/** Of refusals that are given once the key has been looked up. */
const afterKey = {
  earlier_attempt: Type.Optional(
    Type.Literal(true, {
      description:
        'The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing.',
    }),
  ),
}

const DETAILS = {
  insufficient_funds: {
    available_usdc: ExactMoney('What the wallet can spend.', '10.00'),
    wallet_sends_usdc: Money('What this payout needs.', '32.07'),
    ...afterKey,
  },
  payouts_paused: { paused_at: DateTime, paused_by: Type.String({ examples: ['an admin'] }), ...afterKey },
  scope_missing: { needed: Type.String({ description: 'The scope that the key lacks.', examples: ['pay'] }) },
  address_not_allowed: { address: Type.String({ description: 'Where the request came from, as we see it.' }) },
  spending_limit_reached: {
    limit: Words(['max_per_payout_gbp', 'daily_gbp', 'monthly_gbp'], { 'x-open': true }),
    limit_gbp: Money('What may be paid.', '40.00'),
    used_gbp: Money('What of it is used.', '25.00'),
    remaining_gbp: Money('What is left.', '15.00'),
    resets_at: Nullable({ ...DateTime, description: 'When it begins anew; null for the limit of one payout.' }),
    ...afterKey,
  },
  payout_not_cancellable: { status: PayoutStatus },
  simulation_unavailable: { status: PayoutStatus },
  invalid_amount: {
    min: Money('The smallest payout.', '1.00'),
    max: Money('The largest payout.', '20000.00'),
    ...afterKey,
  },
  invalid_recipient: {
    missing: Type.Array(Type.String(), { description: 'Each field that is wrong, with its rule.' }),
    errors,
    ...afterKey,
  },
  corridor_not_enabled: { enabled_countries: Type.Array(Type.String()), ...afterKey },
  recipient_account_rejected: { fields: Type.Optional(Type.Array(Type.String())), ...afterKey },
  idempotency_key_reused: {
    payout_id: Type.Optional({ ...Uuid, description: 'The payout of the key, if you can see it.' }),
    fields: Type.Array(Type.String(), { description: 'The fields that differ.' }),
  },
  rate_moved: {
    wallet_sends_usdc: Money('What the wallet would send.', '32.07'),
    max_wallet_debit_usdc: Money('What the request allows.', '30.00'),
    ...afterKey,
  },
  code_not_accepted: {
    tries_left: Type.Integer({ minimum: 0 }),
    reason: Words(['wrong', 'expired', 'used_up', 'changed'], { 'x-open': true }),
  },
  choice_needed: { partners: Type.Array(Offered), invitations: Type.Array(OfferedLater) },
  invalid_request: {
    fields: Type.Array(Type.String(), { description: 'Each field that is wrong, with its rule.' }),
    errors,
  },
  rate_limited: { limit: Words(['key', 'member', 'business', 'network'], { 'x-open': true }) },
} as const satisfies Partial<Record<ErrorCode, Record<string, TSchema>>>

/** The schema of the details of each code that has any, under the name that it is published under. */
export const ERROR_DETAILS: Readonly<Partial<Record<ErrorCode, TSchema & { $id: string }>>> = Object.fromEntries(
  Object.entries(DETAILS).map(([code, properties]) => [
    code,
    Named(`${pascal(code)}Details`, Type.Object(properties, { description: `The details of \`${code}\`.` })),
  ]),
)

function pascal(words: string): string {
  return words.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}
