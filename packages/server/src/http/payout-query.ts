// The query of GET /v1/payouts: the specification's limit, and filters that only narrow.
import { DateTime, PayoutStatus } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { AppError } from '../core/errors.ts'
import type { PayoutQuery } from '../domain/payouts/list-payouts.ts'
import { EnvironmentQuery } from './operation.ts'

/** PostgreSQL cannot even compare with it. */
const NO_NUL = '^[^\\u0000]*$'

export const PayoutListQuerySchema = Type.Object(
  {
    ...EnvironmentQuery.properties,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        default: 50,
        description: 'How many to a page.',
        'x-rule': 'a whole number from 1 to 200',
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' })),
    status: Type.Optional({
      ...PayoutStatus,
      description: 'Payouts that have this status now.',
      'x-rule': 'one of the payout statuses',
    }),
    created_from: Type.Optional({
      ...DateTime,
      description: 'Created at or after this moment.',
      'x-rule': 'a date-time such as 2026-11-01T00:00:00Z',
    }),
    created_to: Type.Optional({
      ...DateTime,
      description: 'Created before this moment.',
      'x-rule': 'a date-time such as 2026-11-01T00:00:00Z',
    }),
    reference: Type.Optional(
      Type.String({
        pattern: NO_NUL,
        maxLength: 120,
        description: 'Exactly this reference.',
        'x-rule': 'at most 120 characters',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        pattern: NO_NUL,
        maxLength: 100,
        description: 'Made with exactly this key.',
        'x-rule': 'at most 100 characters',
      }),
    ),
  },
  { additionalProperties: false },
)
export type PayoutListQuery = Static<typeof PayoutListQuerySchema>

const DEFAULT_LIMIT = 50

export function payoutListQuery(query: PayoutListQuery): PayoutQuery {
  return {
    status: query.status ?? null,
    createdFrom: moment('created_from', query.created_from),
    createdTo: moment('created_to', query.created_to),
    reference: query.reference ?? null,
    idempotencyKey: query.idempotency_key ?? null,
    cursor: query.cursor ?? null,
    limit: query.limit ?? DEFAULT_LIMIT,
  }
}

/** A leap second has the right format and is still no moment. */
function moment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new AppError('invalid_request', `${field} is not a moment that exists.`, {
    details: { fields: [`${field} (a date-time such as 2026-11-01T00:00:00Z)`] },
  })
}
