// One invoice: its content, and the payouts behind its lines.
import { Invoice, InvoicedPayoutList } from '@kestrel/contract'
import { type Static, type TSchema, Type } from 'typebox'

import { readInvoiceDocument } from '../../domain/billing/invoice-document.ts'
import { invoicedPayoutPages, listInvoicedPayouts } from '../../domain/billing/list-invoiced-payouts.ts'
import { readInvoice } from '../../domain/billing/list-invoices.ts'
import { callerOf } from '../access/authenticate.ts'
import { sendCsv } from '../csv/csv.ts'
import { invoiceCsv, invoicedPayoutsCsv } from '../csv/invoice-csv.ts'
import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import { PAGE_FIELDS, pageAsked } from '../query/page-query.ts'
import { presentInvoice, presentInvoicedPayouts } from '../present/billing.ts'
import { DOCUMENT, EXPORT, costOfPage } from '../access/route-cost.ts'
import type { RouteContext } from './route-context.ts'

const Id = Type.String({ description: 'The id of the invoice, a UUID.' })
const InvoiceParams = Type.Object({ id: Id })
const LineParams = Type.Object({ id: Id, n: Type.String({ description: 'Which line: 1 is the first.' }) })

const PageQuery = Type.Object(
  {
    ...EnvironmentQuery.properties,
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
)

/** The dashboard shows the document in a frame of its own page; every other answer stays out of frames. */
const PDF_POLICY = "default-src 'none'; frame-ancestors 'self'"

export function addInvoiceRoutes(context: RouteContext): void {
  addInvoice(context)
  addInvoicePdf(context)
  addInvoiceCsv(context)
  addLinePayouts(context)
  addLinePayoutsCsv(context)
}

/** What the operations on one invoice have in common. */
function describe(
  own: Pick<Operation, 'id' | 'summary' | 'description' | 'ok'> & {
    path: string
    params: TSchema
    query?: TSchema
    /** What it shows is live, so its sample needs a live key. */
    showsLive?: true
  },
): Operation {
  const { path, query = EnvironmentQuery, showsLive, ...rest } = own
  return {
    ...rest,
    query,
    tag: 'Billing',
    errors: ['not_found', 'invalid_request', ...(showsLive === true ? (['api_key_required'] as const) : [])],
    curl: (base) =>
      `curl ${base}/v1/invoices/${path} \\\n  -H "Authorization: Bearer ${showsLive === true ? '$LIVE_KEY' : '$KEY'}"`,
  }
}

function addInvoice({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/invoices/:id', {
    config: { auth: 'key', action: 'invoice.read' },
    schema: operationSchema(
      describe({
        id: 'readInvoice',
        summary: 'Read an invoice',
        description: 'With its lines. The same for a sandbox key and a live one: invoices are the business’s.',
        path: '$INVOICE_ID',
        params: InvoiceParams,
        ok: { 200: { schema: Invoice, description: 'The invoice as it is now.' } },
      }),
      publicUrl,
    ),
    handler: async (request) =>
      presentInvoice(await readInvoice(deps, callerOf(request).id, request.params.id), deps.operator.paymentDetails),
  })
}

function addInvoicePdf({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/invoices/:id.pdf', {
    config: { auth: 'key', action: 'invoice.pdf', ...DOCUMENT },
    schema: operationSchema(
      describe({
        id: 'readInvoicePdf',
        summary: 'Read an invoice as a PDF',
        description: 'With what the live wallet did in the month. The same that is mailed to the billing address.',
        path: '$INVOICE_ID.pdf --output invoice.pdf',
        params: InvoiceParams,
        ok: { 200: { text: 'application/pdf', description: 'The document.' } },
      }),
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { fileName, pdf } = await readInvoiceDocument(deps, callerOf(request).id, request.params.id)
      reply.headers({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `inline; filename="${fileName}"`,
        'Content-Security-Policy': PDF_POLICY,
      })
      return reply.send(pdf)
    },
  })
}

function addInvoiceCsv({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/invoices/:id/lines.csv', {
    config: { auth: 'key', action: 'invoice.export' },
    schema: operationSchema(
      describe({
        id: 'exportInvoice',
        summary: 'Export the lines of an invoice',
        description: 'As a CSV file in UTF-8 with headings.',
        path: '$INVOICE_ID/lines.csv',
        params: InvoiceParams,
        ok: { 200: { text: 'text/csv', description: 'The file.' } },
      }),
      publicUrl,
    ),
    handler: async (request, reply) => {
      const invoice = await readInvoice(deps, callerOf(request).id, request.params.id)
      return sendCsv(reply, `${invoice.number ?? invoice.id}.csv`, invoiceCsv(invoice))
    },
  })
}

function addLinePayouts({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: Static<typeof LineParams>; Querystring: Static<typeof PageQuery> }>(
    '/v1/invoices/:id/lines/:n/payouts',
    {
      config: { auth: 'key', showsLive: true, action: 'invoiced_payouts.list', line: 'costly' },
      schema: operationSchema(
        describe({
          id: 'listInvoicedPayouts',
          summary: 'List the payouts behind a line',
          description:
            'The oldest first, each with what it adds to the line. A sandbox key does not see them: they are live payouts. Give `next_cursor` of one page as `cursor` to get the next.',
          path: '$INVOICE_ID/lines/1/payouts',
          params: LineParams,
          query: PageQuery,
          showsLive: true,
          ok: { 200: { schema: InvoicedPayoutList, description: 'One page of payouts.' } },
        }),
        publicUrl,
      ),
      handler: async (request, reply) => {
        const asked = { ...lineAsked(request), ...pageAsked(request.query) }
        app.chargeMore(request, reply, costOfPage(asked.limit))
        return presentInvoicedPayouts(deps, await listInvoicedPayouts(deps, asked))
      },
    },
  )
}

function addLinePayoutsCsv({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: Static<typeof LineParams> }>('/v1/invoices/:id/lines/:n/payouts.csv', {
    config: { auth: 'key', showsLive: true, action: 'invoiced_payouts.export', ...EXPORT },
    schema: operationSchema(
      describe({
        id: 'exportInvoicedPayouts',
        summary: 'Export the payouts behind a line',
        description:
          'All of them, the oldest first, as a CSV file in UTF-8 with headings. A sandbox key does not see them.',
        path: '$INVOICE_ID/lines/1/payouts.csv',
        params: LineParams,
        showsLive: true,
        ok: { 200: { text: 'text/csv', description: 'The file, as it is read.' } },
      }),
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { number, pages } = await invoicedPayoutPages(deps, lineAsked(request))
      return sendCsv(reply, `${number}-line-${request.params.n}.csv`, invoicedPayoutsCsv(pages))
    },
  })
}

function lineAsked(request: Parameters<typeof callerOf>[0]): { partnerId: string; invoiceId: string; line: string } {
  const { id, n } = request.params as Static<typeof LineParams>
  return { partnerId: callerOf(request).id, invoiceId: id, line: n }
}
