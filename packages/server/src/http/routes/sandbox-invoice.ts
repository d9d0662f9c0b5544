// The invoice that a month of the sandbox would give in live, as a rehearsal.
import { RehearsalInvoice } from '@kestrel/contract'
import { Type } from 'typebox'

import { MONTH_PATTERN } from '../../core/london-month.ts'
import { readRehearsalDocument } from '../../domain/billing/rehearsal-document.ts'
import { rehearseInvoice } from '../../domain/billing/rehearse-invoice.ts'
import { callerOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { AGGREGATE, DOCUMENT } from '../access/route-cost.ts'
import { presentRehearsal } from '../present/billing.ts'
import type { RouteContext } from './route-context.ts'

const ACCESS = { auth: 'key', sandboxOnly: true } as const
const Query = Type.Object(
  {
    ...EnvironmentQuery.properties,
    month: Type.Optional(
      Type.String({
        pattern: MONTH_PATTERN,
        description:
          'A month of Europe/London, as YYYY-MM, from that of the business’s creation on. The current one by default, as it would close now.',
        'x-rule': 'a month such as 2026-11',
        examples: ['2026-11'],
      }),
    ),
  },
  { additionalProperties: false },
)
type Query = { readonly month?: string }

const SHARED = { tag: 'Sandbox', query: Query, errors: ['not_found', 'invalid_request'] } as const

export function addSandboxInvoiceRoutes({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Query }>('/v1/sandbox/invoice', {
    config: { ...ACCESS, action: 'sandbox_invoice.read', ...AGGREGATE },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'rehearseInvoice',
        summary: 'Rehearse an invoice',
        description:
          'The invoice that a month of this sandbox would give in live, at your prices. It is marked as a rehearsal, is in no list, and nothing is charged. Network costs are those of the price list; the verification of the business is on it until the month in which that is done.',
        ok: { 200: { schema: RehearsalInvoice, description: 'The rehearsal. Nothing of it is stored.' } },
        curl: (base) => `curl ${base}/v1/sandbox/invoice \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) =>
      presentRehearsal(await rehearseInvoice(deps, callerOf(request).id, request.query.month)),
  })
  app.get<{ Querystring: Query }>('/v1/sandbox/invoice.pdf', {
    config: { ...ACCESS, action: 'sandbox_invoice.pdf', line: 'costly', ...DOCUMENT },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'rehearseInvoicePdf',
        summary: 'Rehearse an invoice as a PDF',
        description:
          'The same on one page, headed “Rehearsal, not a bill”, with what the sandbox wallet did in the month.',
        ok: { 200: { text: 'application/pdf', description: 'The document.' } },
        curl: (base) =>
          `curl ${base}/v1/sandbox/invoice.pdf --output rehearsal.pdf \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { fileName, pdf } = await readRehearsalDocument(deps, callerOf(request).id, request.query.month)
      reply.headers({ 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${fileName}"` })
      return reply.send(pdf)
    },
  })
}
