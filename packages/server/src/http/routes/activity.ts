// The activity log: who asked for what, and what they were answered.
import { ActivityDetail, ActivityList } from '@kestrel/contract'
import { Type } from 'typebox'

import { activityPages } from '../../domain/activity/export-activity.ts'
import { listActivity } from '../../domain/activity/list-activity.ts'
import { readActivity } from '../../domain/activity/read-activity.ts'
import { activityCsv, activityCsvName } from '../csv/activity-csv.ts'
import {
  type ActivityFilterQuery,
  ActivityFilterQuerySchema,
  type ActivityQuery,
  ActivityQuerySchema,
  MOST_ACTIVITY,
  activityCriteria,
} from '../query/activity-query.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { sendCsv } from '../csv/csv.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { presentActivity, presentActivityDetail } from '../present/activity.ts'
import { presentList } from '../present/lists.ts'
import { EXPORT, SEARCH } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

export function addActivityRoutes(context: RouteContext): void {
  addList(context)
  addExport(context)
  addRead(context)
}

function addList({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: ActivityQuery }>('/v1/activity', {
    config: { auth: 'key', action: 'activity.list', ...SEARCH },
    schema: operationSchema(
      {
        id: 'listActivity',
        tag: 'Account',
        summary: 'List activity',
        description:
          'The latest 200 requests on the account, API calls and dashboard actions, in both environments. Give the `id` of the last one as `before` to get older ones. Filters other than `status_class` and times look through 100,000 entries at a time; `q` finds ids and idempotency keys of the last 14 days however many there are.',
        query: ActivityQuerySchema,
        ok: { 200: { schema: ActivityList, description: 'The entries, the newest first.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/activity?limit=20" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { before = null, limit = MOST_ACTIVITY } = request.query
      const filter = { ...activityCriteria(request.query), before, limit }
      const entries = await listActivity(deps, callerOf(request).id, filter)
      return presentList(entries.map(presentActivity))
    },
  })
}

function addExport({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: ActivityFilterQuery }>('/v1/activity/export.csv', {
    config: { auth: 'key', action: 'activity.export', ...EXPORT },
    schema: operationSchema(
      {
        id: 'exportActivity',
        tag: 'Account',
        summary: 'Export activity',
        description:
          'Every entry that fits the filters, the newest first, as a CSV file in UTF-8 with headings. Text that a spreadsheet would take for a formula has an apostrophe in front.',
        query: ActivityFilterQuerySchema,
        ok: { 200: { text: 'text/csv', description: 'The file, as it is read.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/activity/export.csv?only=changes" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const criteria = activityCriteria(request.query)
      const pages = activityPages(deps, callerOf(request).id, criteria)
      return sendCsv(reply, activityCsvName(criteria, deps.clock.now()), activityCsv(pages))
    },
  })
}

function addRead({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/activity/:id', {
    config: { auth: 'key', action: 'activity.read' },
    schema: operationSchema(
      {
        id: 'readActivity',
        tag: 'Account',
        summary: 'Read one request of the activity',
        description:
          'What was asked and answered, for 14 days, with bank details, people, free text and secrets masked, and the request as a curl command. A key reads what was asked in its own environment, and of what members did in the dashboard only that they did.',
        query: EnvironmentQuery,
        params: Type.Object({ id: Type.String({ description: 'The id of the entry, a UUID: the `X-Request-Id`.' }) }),
        ok: { 200: { schema: ActivityDetail, description: 'The entry, with the request and the answer.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/activity/$REQUEST_ID \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const asked = { id: request.params.id, isByKey: callerOf(request).keyId !== null }
      return presentActivityDetail(await readActivity(deps, scopeOf(request), asked), publicUrl)
    },
  })
}
