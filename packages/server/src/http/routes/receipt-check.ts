// Where anybody checks a receipt: as a page, which the link on paper opens, and as JSON. Needs no key.
import { ReceiptCheck } from '@kestrel/contract'
import { Type } from 'typebox'

import { AppError } from '../../core/errors.ts'
import { type CheckedReceipt, checkReceipt } from '../../domain/payouts/read/check-receipt.ts'
import { aboutIt, headlineOf, outcomeOf } from '../../domain/payouts/read/receipt-words.ts'
import { operationSchema } from '../access/operation.ts'
import { docsVersions } from '../docs/docs-files.ts'
import { DOCS_POLICY } from '../docs/docs-frame.ts'
import { rootFrom } from '../docs/html.ts'
import { type ShownReceipt, receiptPage } from '../docs/receipt-page.ts'
import { presentReceipt } from '../present/receipt.ts'
import type { RouteContext } from './route-context.ts'

export function addReceiptCheckRoutes({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { token: string } }>('/v1/receipts/:token', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        id: 'checkReceipt',
        tag: 'Service',
        summary: 'Check a receipt',
        description:
          'Whether a receipt is real, and what has become of the payout since. The token is the last part of the link on the receipt. Needs no key: whoever has the receipt may check it, and is told nothing that is not on it.',
        auth: 'none',
        params: Type.Object({ token: Type.String({ description: 'The last part of the link on the receipt.' }) }),
        ok: { 200: { schema: ReceiptCheck, description: 'The payout, as it is now.' } },
        errors: ['not_found'],
        curl: (base) => `curl ${base}/v1/receipts/$RECEIPT_TOKEN`,
      },
      publicUrl,
    ),
    handler: async (request) => presentReceipt(await checkReceipt(deps, request.params.token)),
  })

  // Whatever follows, and nothing: somebody whose link is too long or cut short gets a page too.
  for (const url of ['/receipts', '/receipts/*']) {
    app.get<{ Params: { '*'?: string } }>(url, {
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply) => {
        const checked = await orNone(checkReceipt(deps, (request.params['*'] ?? '').replace(/\/$/, '')))
        const shown = checked === null ? null : shownOf(checked)
        const page = receiptPage({ root: rootFrom(request.url), versions: await docsVersions(), shown })
        return reply
          .code(checked === null ? 404 : 200)
          .headers({
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': DOCS_POLICY,
            'X-Robots-Tag': 'noindex, nofollow',
          })
          .send(page)
      },
    })
  }
}

async function orNone(checking: Promise<CheckedReceipt>): Promise<CheckedReceipt | null> {
  try {
    return await checking
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

function shownOf({ payout, businessName }: CheckedReceipt): ShownReceipt {
  return {
    headline: headlineOf(payout),
    outcome: outcomeOf(payout),
    status: payout.status,
    isTest: payout.environment === 'sandbox',
    rows: aboutIt(payout, businessName),
  }
}
