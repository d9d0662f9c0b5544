// The query of GET /v1/payouts and its relatives: the specification's limit, and filters that only narrow.
import { FAILURE_CODES, Money, PAYOUT_STATUSES, type PayoutStatus, Words } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { type Pence, parsePence } from '../../core/money.ts'
import type { PayoutCriteria, PayoutQuery } from '../../domain/payouts/read/list-payouts.ts'
import { payoutSearch } from '../../domain/payouts/read/search-words.ts'
import { Moment, momentAsked, refuseField } from './moment-query.ts'
import { EnvironmentQuery } from '../access/operation.ts'
import { PAGE_FIELDS, pageAsked } from './page-query.ts'

/** PostgreSQL's text cannot hold a NUL. */
const NO_NUL = '^[^\\u0000]*$'

const A_STATUS = `(${PAYOUT_STATUSES.join('|')})`
const AN_AMOUNT = { maxLength: 15, 'x-rule': 'pounds with two decimals such as 120.50' }

const filters = {
  ...EnvironmentQuery.properties,
  status: Type.Optional(
    Type.String({
      pattern: `^${A_STATUS}(,${A_STATUS})*$`,
      'x-words': PAYOUT_STATUSES,
      description:
        'Payouts that have this status now, or one of several: with commas between them, or the parameter several times.',
      'x-rule': 'payout statuses with commas between them',
      examples: ['failed,returned'],
    }),
  ),
  created_from: Moment('Created at or after this moment.'),
  created_to: Moment('Created before this moment.'),
  completed_from: Moment(
    'First completed at or after this moment, whatever became of it since: as usage and invoices count.',
  ),
  completed_to: Moment('First completed before this moment.'),
  ended_from: Moment('Failed, cancelled or returned at or after this moment.'),
  ended_to: Moment('Failed, cancelled or returned before this moment.'),
  failure_code: Type.Optional(
    Words(FAILURE_CODES, {
      description: 'Failed, cancelled or returned for this reason.',
      'x-rule': `one of ${FAILURE_CODES.join(', ')}`,
    }),
  ),
  created_via: Type.Optional(
    Words(['api', 'dashboard'], { description: 'Through the API, or in the dashboard.', 'x-rule': 'api or dashboard' }),
  ),
  amount_from: Type.Optional({ ...Money('At least this many pounds.', '10.00'), ...AN_AMOUNT }),
  amount_to: Type.Optional({ ...Money('At most this many pounds.', '120.50'), ...AN_AMOUNT }),
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
  q: Type.Optional(
    Type.String({
      pattern: NO_NUL,
      maxLength: 100,
      description:
        'What a person would type to find a payout: words that begin words of the name or of the reference, the last four digits of the account, an amount such as `25.00`, or an id from its beginning. Of the words the first twelve count.',
      'x-rule': 'at most 100 characters',
      examples: ['okafor'],
    }),
  ),
}

export const PayoutFilterQuerySchema = Type.Object(filters, { additionalProperties: false })
export type PayoutFilterQuery = Static<typeof PayoutFilterQuerySchema>

export const PayoutListQuerySchema = Type.Object(
  {
    ...filters,
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
)
export type PayoutListQuery = Static<typeof PayoutListQuerySchema>

export function payoutListQuery(query: PayoutListQuery): PayoutQuery {
  return { ...payoutCriteria(query), ...pageAsked(query) }
}

export function payoutCriteria(query: PayoutFilterQuery): PayoutCriteria {
  return {
    statuses: statuses(query.status),
    createdFrom: momentAsked('created_from', query.created_from),
    createdTo: momentAsked('created_to', query.created_to),
    completedFrom: momentAsked('completed_from', query.completed_from),
    completedTo: momentAsked('completed_to', query.completed_to),
    endedFrom: momentAsked('ended_from', query.ended_from),
    endedTo: momentAsked('ended_to', query.ended_to),
    failureCode: query.failure_code ?? null,
    createdVia: query.created_via ?? null,
    amountFrom: amount('amount_from', query.amount_from),
    amountTo: amount('amount_to', query.amount_to),
    reference: query.reference ?? null,
    idempotencyKey: query.idempotency_key ?? null,
    search: query.q === undefined ? null : payoutSearch(query.q),
  }
}

/** Each status once and in a fixed order, so that one question is one SQL statement. */
function statuses(text: string | undefined): PayoutStatus[] | null {
  if (text === undefined) return null
  const asked = new Set(text.split(','))
  return PAYOUT_STATUSES.filter((status) => asked.has(status))
}

function amount(field: string, text: string | undefined): Pence | null {
  if (text === undefined) return null
  return parsePence(text) ?? refuseField(field, 'is not an amount', AN_AMOUNT['x-rule'])
}
