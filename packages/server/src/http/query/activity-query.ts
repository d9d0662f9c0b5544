// The query of the activity log: the list and its export take the same filters.
import { Words } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import type { ActivityCriteria } from '../../domain/activity/list-activity.ts'
import { Moment, momentAsked } from './moment-query.ts'
import { EnvironmentQuery } from '../access/operation.ts'

/** The latest 200 requests on the account (spec, part 4), unless fewer are asked for. */
export const MOST_ACTIVITY = 200
const NO_NUL = '^[^\\u0000]*$'

const filters = {
  ...EnvironmentQuery.properties,
  action: Type.Optional(
    Type.String({
      maxLength: 60,
      pattern: NO_NUL,
      description: 'Exactly this action.',
      'x-rule': 'an action such as payout.create',
      examples: ['payout.create'],
    }),
  ),
  by: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: NO_NUL,
      description: 'Exactly this caller, as `by` names it.',
      'x-rule': 'the start of a key, or an email',
    }),
  ),
  status_class: Type.Optional(
    Words(['2xx', '4xx', '5xx'], { description: 'How they ended.', 'x-rule': '2xx, 4xx or 5xx' }),
  ),
  via: Type.Optional(
    Words(['api', 'dashboard'], { description: 'With a key, or signed in.', 'x-rule': 'api or dashboard' }),
  ),
  only: Type.Optional(Words(['changes'], { description: 'Leaves out requests that only read.', 'x-rule': 'changes' })),
  in_environment: Type.Optional(
    Words(['sandbox', 'live'], {
      description: 'Only what was asked in this environment. Without it, both.',
      'x-rule': 'sandbox or live',
    }),
  ),
  from: Moment('At or after this moment.'),
  to: Moment('Before this moment.'),
  q: Type.Optional(
    Type.String({
      maxLength: 120,
      pattern: NO_NUL,
      description:
        'Part of a path or of an error code, a status, the id of a request or of what it was about, or an idempotency key.',
      'x-rule': 'at most 120 characters',
      examples: ['insufficient_funds'],
    }),
  ),
  hide: Type.Optional(
    Words(['log_reads'], {
      description: 'Leaves out looks at this log by members, so that a page that follows it does not fill it.',
      'x-rule': 'log_reads',
    }),
  ),
}

export const ActivityFilterQuerySchema = Type.Object(filters, { additionalProperties: false })
export type ActivityFilterQuery = Static<typeof ActivityFilterQuerySchema>

export const ActivityQuerySchema = Type.Object(
  {
    ...filters,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_ACTIVITY,
        default: MOST_ACTIVITY,
        description: 'How many.',
        'x-rule': 'a whole number from 1 to 200',
      }),
    ),
    before: Type.Optional(
      Type.String({
        maxLength: 36,
        pattern: NO_NUL,
        description: 'The `id` of an entry: only those before it.',
        'x-rule': 'the id of an entry',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ActivityQuery = Static<typeof ActivityQuerySchema>

export function activityCriteria(query: ActivityFilterQuery): ActivityCriteria {
  return {
    action: query.action ?? null,
    by: query.by ?? null,
    via: query.via ?? null,
    statusClass: query.status_class ?? null,
    environment: query.in_environment ?? null,
    from: momentAsked('from', query.from),
    to: momentAsked('to', query.to),
    search: query.q === undefined || query.q.trim() === '' ? null : query.q.trim(),
    isChangesOnly: query.only === 'changes',
    isWithoutLogReads: query.hide === 'log_reads',
  }
}
