import { Type } from 'typebox'

import { readPayoutReceipt } from '../../domain/payouts/read/payout-receipt.ts'
import { scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { DOCUMENT } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

export function addPayoutReceiptRoute({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/payouts/:id/receipt.pdf', {
    config: { auth: 'key', action: 'payout.receipt', ...DOCUMENT },
    schema: operationSchema(
      {
        id: 'readPayoutReceipt',
        tag: 'Payouts',
        summary: 'Read a payout as a PDF',
        description:
          'Its outcome, its recipient and its cost, on one page, with a link and a code by which whoever is given it can check that it is real.',
        query: EnvironmentQuery,
        params: Type.Object({ id: Type.String({ description: 'The id of the payout, a UUID.' }) }),
        ok: { 200: { text: 'application/pdf', description: 'The document, as the payout is now.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) =>
          `curl ${base}/v1/payouts/$PAYOUT_ID/receipt.pdf --output payout.pdf \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { payoutId, fileName, pdf } = await readPayoutReceipt(deps, scopeOf(request), {
        id: request.params.id,
        checkedAt: `${publicUrl}/receipts/`,
      })
      request.activityDetail = payoutId
      reply.headers({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${fileName}"`,
      })
      return reply.send(pdf)
    },
  })
}
