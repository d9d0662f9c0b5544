// What the account owes, so far and by month.
import { InvoiceList, Usage } from '@kestrel/contract'
import { Type } from 'typebox'

import { MONTH_PATTERN } from '../../core/london-month.ts'
import { listInvoices } from '../../domain/billing/list-invoices.ts'
import { readUsage } from '../../domain/billing/read-usage.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { presentInvoice, presentUsage } from '../present/billing.ts'
import { presentList } from '../present/lists.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

export function addBillingRoutes(context: RouteContext): void {
  const { deps } = context
  addRead(context, {
    tag: 'Billing',
    url: '/v1/usage',
    id: 'readUsage',
    action: 'usage.read',
    summary: 'Read usage',
    description:
      'The month so far, in London time, and the lines of the invoice as they stand; with `month`, one that is over and what it came to. Sandbox is never charged: it has no lines.',
    schema: Usage,
    query: {
      month: Type.Optional(
        Type.String({
          pattern: MONTH_PATTERN,
          description: 'A month of Europe/London, as YYYY-MM. The current one by default.',
          'x-rule': 'a month such as 2026-11',
          examples: ['2026-11'],
        }),
      ),
    },
    answer: async (request) => {
      const { verifiedAt } = callerOf(request)
      const { month } = request.query as { month?: string }
      return presentUsage(await readUsage(deps, scopeOf(request), { verifiedAt, month }))
    },
  })
  addRead(context, {
    tag: 'Billing',
    url: '/v1/invoices',
    id: 'listInvoices',
    action: 'invoices.list',
    summary: 'List invoices',
    description: 'Invoices are issued on the 1st for the month before, and due 14 days later.',
    schema: InvoiceList,
    answer: async (request) =>
      presentList(
        (await listInvoices(deps, callerOf(request).id)).map((invoice) =>
          presentInvoice(invoice, deps.operator.paymentDetails),
        ),
      ),
  })
}
