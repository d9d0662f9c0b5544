// Who asked for what, and what they were answered.
import { ActivityList, Words } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { listActivity } from '../../domain/activity/list-activity.ts'
import { callerOf } from '../authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../operation.ts'
import { presentActivity, presentList } from '../present/lists.ts'
import type { RouteContext } from './route-context.ts'

/** The latest 200 requests on the account (spec, part 4), unless fewer are asked for. */
const MOST = 200
const NO_NUL = '^[^\\u0000]*$'

const ActivityQuerySchema = Type.Object(
  {
    ...EnvironmentQuery.properties,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST,
        default: MOST,
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
    only: Type.Optional(Words(['changes'], { description: 'Leaves out what only read.', 'x-rule': 'changes' })),
  },
  { additionalProperties: false },
)

export function addActivityRoute({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof ActivityQuerySchema> }>('/v1/activity', {
    config: { auth: 'key', action: 'activity.list' },
    schema: operationSchema(
      {
        id: 'listActivity',
        tag: 'Account',
        summary: 'List activity',
        description:
          'The latest 200 requests on the account, API calls and dashboard actions, in both environments. Give the `id` of the last one as `before` to get older ones. Filters other than `status_class` look through 100,000 entries at a time.',
        query: ActivityQuerySchema,
        ok: { 200: { schema: ActivityList, description: 'The entries, the newest first.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/activity?limit=20" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { before = null, action = null, by = null, via = null, only, limit = MOST } = request.query
      const { status_class: statusClass = null } = request.query
      const filter = { before, action, by, via, statusClass, isChangesOnly: only === 'changes', limit }
      const entries = await listActivity(deps, callerOf(request).id, filter)
      return presentList(entries.map(presentActivity))
    },
  })
}
