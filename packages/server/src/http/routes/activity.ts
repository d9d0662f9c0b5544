// The activity log: who asked for what, and what they were answered.
import { ActivityList } from '@kestrel/contract'

import { activityPages } from '../../domain/activity/export-activity.ts'
import { listActivity } from '../../domain/activity/list-activity.ts'
import { activityCsv, activityCsvName } from '../csv/activity-csv.ts'
import {
  type ActivityFilterQuery,
  ActivityFilterQuerySchema,
  type ActivityQuery,
  ActivityQuerySchema,
  MOST_ACTIVITY,
  activityCriteria,
} from '../query/activity-query.ts'
import { callerOf } from '../access/authenticate.ts'
import { sendCsv } from '../csv/csv.ts'
import { operationSchema } from '../access/operation.ts'
import { presentActivity, presentList } from '../present/lists.ts'
import { EXPORT, SEARCH } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

export function addActivityRoutes(context: RouteContext): void {
  addList(context)
  addExport(context)
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
          'The latest 200 requests on the account, API calls and dashboard actions, in both environments. Give the `id` of the last one as `before` to get older ones. Filters other than `status_class` and times look through 100,000 entries at a time.',
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
