import { PayoutTimeline } from '@kestrel/contract'
import { Type } from 'typebox'

import { readTimeline } from '../../domain/payouts/read/read-timeline.ts'
import { scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { presentTimeline } from '../present/timeline.ts'
import type { RouteContext } from './route-context.ts'

export function addPayoutTimelineRoute({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/payouts/:id/timeline', {
    config: { auth: 'key', action: 'payout.timeline' },
    schema: operationSchema(
      {
        id: 'readPayoutTimeline',
        tag: 'Payouts',
        summary: 'Read what happened to a payout',
        description: 'Every step with its time, in plain words, and what happens next.',
        query: EnvironmentQuery,
        params: Type.Object({ id: Type.String({ description: 'The id of the payout, a UUID.' }) }),
        ok: { 200: { schema: PayoutTimeline, description: 'The steps, the oldest first.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/payouts/$PAYOUT_ID/timeline \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const timeline = await readTimeline(deps, scopeOf(request), request.params.id)
      request.activityDetail = timeline.payout.id
      return presentTimeline(timeline)
    },
  })
}
