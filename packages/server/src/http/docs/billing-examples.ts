// One invoice in every form: as it reads, the payouts behind its first line, and both as files.
import type { InvoicedPayoutList, Statement } from '@kestrel/contract'

import { INVOICE } from './account-examples.ts'
import type { NamedExamples, OperationExamples } from './examples.ts'
import { COMPLETED } from './payout-examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

const csv = (...rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((value) => `"${value}"`).join(',')}\r\n`).join('')

const PAYOUTS: InvoicedPayoutList = {
  object: 'list',
  data: [
    {
      object: 'invoiced_payout',
      charged_gbp: '0.91',
      charged_exact_gbp: '0.91',
      charged_at: COMPLETED.updated_at,
      payout: { ...COMPLETED, environment: 'live' },
    },
  ],
  has_more: false,
  next_cursor: null,
}

const LINES_CSV = csv(
  ['Invoice', 'Month', 'Line', 'Kind', 'Description', 'Quantity', 'Unit price (GBP)', 'Amount (GBP)', 'From', 'To'],
  ...INVOICE.lines.map((line) => [
    INVOICE.number ?? '',
    INVOICE.period,
    String(line.line),
    line.kind,
    line.description,
    String(line.quantity),
    line.unit_price_exact_gbp ?? '',
    line.amount_gbp,
    line.period_start,
    line.period_end,
  ]),
)

const PAYOUTS_CSV = csv(
  [
    'Payout',
    'Charged (UTC)',
    'Charged (GBP)',
    'Status',
    'Recipient',
    'Account ends in',
    'Reference',
    'Amount (GBP)',
    'Fee (GBP)',
    'Fee taken in the transfer (GBP)',
  ],
  [
    COMPLETED.id,
    COMPLETED.updated_at,
    '0.91',
    'completed',
    'Amara Okafor',
    '5678',
    'Invoice 1042',
    '25.00',
    '1.24',
    '0.33',
  ],
)

const STATEMENT: Statement = {
  object: 'statement',
  environment: 'sandbox',
  from: '2026-11-01',
  to: '2026-11-02',
  opening_usdc: '500.00',
  closing_usdc: '967.93',
  totals: {
    in_usdc: '500.00',
    out_usdc: '32.07',
    topped_up_usdc: '500.00',
    taken_out_usdc: '0.00',
    paid_out_usdc: '32.07',
    came_back_usdc: '0.00',
  },
  data: [
    {
      at: '2026-11-02T08:30:00.000Z',
      kind: 'top_up',
      in_usdc: '500.00',
      out_usdc: null,
      balance_usdc: '1000.00',
      payout_id: null,
      deposit_id: 'dep_4f1c',
      recipient_name: null,
      detail: 'Top-up by bank transfer: 500.00 USDC',
    },
    {
      at: COMPLETED.created_at,
      kind: 'payout',
      in_usdc: null,
      out_usdc: '32.07',
      balance_usdc: '967.93',
      payout_id: COMPLETED.id,
      deposit_id: null,
      recipient_name: 'Amara Okafor',
      detail: 'Invoice 1042',
    },
  ],
  has_more: false,
  next_cursor: null,
}

const STATEMENT_CSV = csv(
  ['Time (UTC)', 'Kind', 'In (USDC)', 'Out (USDC)', 'Balance (USDC)', 'Payout', 'Deposit', 'Recipient', 'Detail'],
  [COMPLETED.created_at, 'payout', '', '32.07', '967.93', COMPLETED.id, '', 'Amara Okafor', 'Invoice 1042'],
)

export const BILLING_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  readInvoice: { answers: { 200: only('An invoice', INVOICE) } },
  readInvoicePdf: { answers: { 200: only('A file', '%PDF-1.7 …') } },
  exportInvoice: { answers: { 200: only('Three lines', LINES_CSV) } },
  listInvoicedPayouts: { answers: { 200: only('One payout', PAYOUTS) } },
  readStatement: { answers: { 200: only('A top-up and a payout', STATEMENT) } },
  exportStatement: { answers: { 200: only('One payout', STATEMENT_CSV) } },
  exportInvoicedPayouts: { answers: { 200: only('One payout', PAYOUTS_CSV) } },
}
