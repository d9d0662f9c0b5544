import type { RehearsalInvoice } from '@kestrel/contract'

import { INVOICE } from './account-examples.ts'
import type { OperationExamples } from './examples.ts'
import { COMPLETED, RETURNED } from './payout-examples.ts'

const REHEARSAL: RehearsalInvoice = {
  object: 'rehearsal_invoice',
  rehearsal: true,
  number: null,
  period: INVOICE.period,
  status: 'draft',
  total_gbp: INVOICE.total_gbp,
  issued_at: null,
  due_at: null,
  paid_at: null,
  voided_at: null,
  how_to_pay: null,
  lines: INVOICE.lines,
}
const TOP_UP = { usdc: '500.00', source: 'bank' }

/** By operationId. */
export const SANDBOX_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  simulatePayout: {
    request: {
      settle: { summary: 'It arrives', value: { outcome: 'settle' } },
      return: { summary: 'It is sent back', value: { outcome: 'return' } },
      closed: { summary: 'The account is closed', value: { outcome: 'fail', reason: 'account_closed' } },
    },
    answers: {
      200: {
        settled: { summary: 'It has arrived', value: COMPLETED },
        returned: { summary: 'It was sent back', value: RETURNED },
      },
    },
  },
  advanceSandbox: {
    request: {
      minute: { summary: 'A minute', value: { seconds: 60 } },
      close: { summary: 'A minute, and the month closes', value: { seconds: 60, close_month: true } },
    },
    answers: {
      200: {
        moved: { summary: 'Three went on', value: { object: 'advance', seconds: 60, payouts: 3 } },
        closed: {
          summary: 'Three went on, and the month closed',
          value: { object: 'advance', seconds: 60, payouts: 3, invoice: REHEARSAL },
        },
      },
    },
  },
  rehearseInvoice: { answers: { 200: { rehearsal: { summary: 'A rehearsal', value: REHEARSAL } } } },
  rehearseInvoicePdf: { answers: { 200: { file: { summary: 'A file', value: '%PDF-1.7 …' } } } },
  resetSandbox: {
    answers: {
      200: {
        reset: {
          summary: 'Two were under way',
          value: { object: 'sandbox_reset', usdc: '10000.00', payouts_cancelled: 2, payouts_under_way: 0 },
        },
      },
    },
  },
  topUpSandbox: {
    request: { bank: { summary: 'By bank transfer', value: TOP_UP } },
    answers: { 202: { told: { summary: 'The bank has been told', value: { object: 'top_up', ...TOP_UP } } } },
  },
}
