import { Type, type Static } from 'typebox'

import { DateTime, Day, ExactMoney, Money, Uuid } from './scalars.ts'
import { Payout } from './payout.ts'
import { ListOf, Named, Nullable, RefTo } from './schema.ts'

export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'overdue', 'void'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const INVOICE_LINE_KINDS = [
  'payout_fees',
  'monthly_account',
  'business_verification',
  'network_fees',
  'bank_exceptions',
] as const
export type InvoiceLineKind = (typeof INVOICE_LINE_KINDS)[number]

export const Invoice = Named(
  'Invoice',
  Type.Object(
    {
      id: Uuid,
      number: Nullable(
        Type.String({ description: 'Without gaps in a year; null for a draft.', examples: ['KP-2026-000123'] }),
      ),
      period: Type.String({ description: 'The month, as YYYY-MM.', examples: ['2026-10'] }),
      status: Type.String({ description: 'One of `draft`, `issued`, `paid`, `overdue`, `void`.' }),
      total_gbp: Money('The sum of the lines.', '63.40'),
      issued_at: Nullable(DateTime),
      due_at: Nullable(DateTime),
      paid_at: Nullable(DateTime),
      voided_at: Nullable(DateTime),
      how_to_pay: Nullable(
        Type.String({
          description: 'How to pay, in words; null when nothing is to be paid or the operator has not said.',
          examples: ['Sort code 04-00-75, account 12345678, Kestrel Payouts Ltd.'],
        }),
      ),
      lines: Type.Array(
        Type.Object({
          line: Type.Integer({ minimum: 1, description: 'Its place on the invoice, by which its payouts are listed.' }),
          kind: Type.String({
            description:
              'One of `payout_fees`, `monthly_account`, `business_verification`, `network_fees`, `bank_exceptions`.',
          }),
          description: Type.String(),
          quantity: Type.Integer({ minimum: 0 }),
          unit_price_gbp: Nullable(Money('The price of one, where every one costs the same whole pence.', '15.00')),
          unit_price_exact_gbp: Nullable(ExactMoney('The price of one, where every one costs the same.', '0.022')),
          amount_gbp: Money('What the line comes to.', '48.40'),
          period_start: Day,
          period_end: Day,
        }),
      ),
    },
    { description: 'One month of charges. Sandbox is never charged.' },
  ),
)
export type Invoice = Static<typeof Invoice>

export const InvoiceList = ListOf(Invoice, {
  $id: 'InvoiceList',
  description: 'The last 24 invoices, the newest first.',
})

export const InvoicedPayout = Named(
  'InvoicedPayout',
  Type.Object(
    {
      object: Type.Literal('invoiced_payout'),
      charged_gbp: Money('What this payout adds to the line, rounded to pence.', '1.21'),
      charged_exact_gbp: ExactMoney('The same exactly. A line is the sum of these, rounded once.', '0.022'),
      charged_at: DateTime,
      payout: RefTo(Payout),
    },
    { description: 'A payout behind a line of an invoice.' },
  ),
)
export type InvoicedPayout = Static<typeof InvoicedPayout>

export const InvoicedPayoutList = Named(
  'InvoicedPayoutList',
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(RefTo(InvoicedPayout)),
      has_more: Type.Boolean({ description: 'Whether a next page exists.' }),
      next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get the next page.' })),
    },
    { description: 'The payouts behind a line, the oldest first. Lines that are not about payouts have none.' },
  ),
)
export type InvoicedPayoutList = Static<typeof InvoicedPayoutList>
