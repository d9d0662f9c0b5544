// One payout of 25.00 pounds at 0.79, in every state that an example shows.
import type { Payout, PayoutDay, PayoutSummary, PayoutTimeline, Quote, ReceiptCheck } from '@kestrel/contract'

export const QUOTE: Quote = {
  object: 'quote',
  country: 'GB',
  seller_receives_gbp: '25.00',
  fee_gbp: '1.24',
  wallet_sends_usdc: '32.07',
  exchange_rate: { gbp_per_usd: 0.79 },
  fee_breakdown: { taken_in_transfer_gbp: '0.33', on_monthly_invoice_gbp: '0.91' },
}

export const PROCESSING: Payout = {
  id: '01a19b8a-d7c6-7269-bef2-a74de452e6b4',
  object: 'payout',
  environment: 'sandbox',
  status: 'processing',
  reference: 'Invoice 1042',
  statement_reference: 'Invoice 1042',
  country: 'GB',
  amount_gbp: '25.00',
  fee_gbp: '1.24',
  wallet_sent_usdc: '32.07',
  recipient: { name: 'Amara Okafor', account_last4: '5678' },
  failure_reason: null,
  failure_code: null,
  retry: null,
  cancelable: true,
  idempotency_key: 'order-1042',
  created_at: '2026-11-02T09:15:30.118Z',
  updated_at: '2026-11-02T09:15:30.131Z',
  completed_at: null,
  refunded_at: null,
  created_via: 'api',
  warnings: [],
}

export const COMPLETED: Payout = {
  ...PROCESSING,
  status: 'completed',
  cancelable: false,
  updated_at: '2026-11-02T09:15:32.204Z',
  completed_at: '2026-11-02T09:15:32.204Z',
}

export const RECEIPT: ReceiptCheck = {
  object: 'receipt',
  payout_id: COMPLETED.id,
  environment: 'sandbox',
  business_name: 'Thistle Market',
  recipient_name: 'Amara Okafor',
  account_last4: '5678',
  amount_gbp: '25.00',
  reference: 'Invoice 1042',
  status: 'completed',
  failure_reason: null,
  created_at: COMPLETED.created_at,
  completed_at: COMPLETED.updated_at,
  ended_at: null,
}

export const PENDING: Payout = {
  ...PROCESSING,
  status: 'pending',
  cancelable: false,
  reference: 'sandbox:late',
  statement_reference: 'sandbox:late',
}

export const FAILED: Payout = {
  ...PROCESSING,
  status: 'failed',
  cancelable: false,
  reference: 'Invoice 1043',
  statement_reference: 'Invoice 1043',
  recipient: { name: 'Amara Okafor', account_last4: '0000' },
  failure_reason:
    'The bank rejected the account details: the sort code or account number is not known. Nothing was charged and the money is back in the wallet.',
  failure_code: 'account_not_found',
  retry: 'after_fix',
  refunded_at: '2026-11-02T09:15:30.131Z',
}

export const CANCELLED: Payout = {
  ...PROCESSING,
  status: 'cancelled',
  cancelable: false,
  failure_reason:
    'The payment was cancelled before it was sent. Nothing was charged and the money is back in the wallet.',
  failure_code: 'cancelled',
  retry: 'yes',
  updated_at: '2026-11-02T09:15:30.402Z',
  refunded_at: '2026-11-02T09:15:30.402Z',
}

export const RETURNED: Payout = {
  ...PROCESSING,
  id: '01a19b89-80c6-7128-8b0c-5c7fd0a6a3a4',
  status: 'returned',
  cancelable: false,
  reference: 'sandbox:return',
  statement_reference: 'sandbox:return',
  failure_reason: 'The account is closed.',
  failure_code: 'account_closed',
  retry: 'after_fix',
  created_at: '2026-11-02T09:14:02.310Z',
  updated_at: '2026-11-02T09:14:06.422Z',
  completed_at: '2026-11-02T09:14:04.318Z',
  refunded_at: '2026-11-02T09:14:06.422Z',
}

/** Four that arrived and one on its way. */
export const SUMMARY: PayoutSummary = {
  object: 'payout_summary',
  count: 5,
  amount_gbp: '125.00',
  fee_gbp: '6.20',
  counted_from: null,
  by_status: {
    pending: { count: 0, amount_gbp: '0.00' },
    processing: { count: 1, amount_gbp: '25.00' },
    completed: { count: 4, amount_gbp: '100.00' },
    failed: { count: 0, amount_gbp: '0.00' },
    cancelled: { count: 0, amount_gbp: '0.00' },
    returned: { count: 0, amount_gbp: '0.00' },
  },
}

export const DAYS: { object: 'list'; data: PayoutDay[] } = {
  object: 'list',
  data: [
    {
      date: '2026-11-01',
      completed_gbp: '0.00',
      other_gbp: '0.00',
      fees_gbp: '0.00',
      count: 0,
      by_status: { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, returned: 0 },
    },
    {
      date: '2026-11-02',
      completed_gbp: '75.00',
      other_gbp: '25.00',
      fees_gbp: '3.72',
      count: 4,
      by_status: { pending: 0, processing: 0, completed: 3, failed: 0, cancelled: 0, returned: 1 },
    },
  ],
}

/** Of the payout that completed. */
export const TIMELINE: PayoutTimeline = {
  object: 'list',
  data: [
    {
      at: '2026-11-02T09:15:30.118Z',
      kind: 'created',
      by: 'kp_sandbox_5d0c1a',
      usdc: null,
      detail: 'Through the API.',
    },
    { at: '2026-11-02T09:15:30.118Z', kind: 'reserved', by: null, usdc: '32.07', detail: 'Set aside in the wallet.' },
    {
      at: '2026-11-02T09:15:30.131Z',
      kind: 'sent',
      by: null,
      usdc: '32.07',
      detail: 'Sent to the bank, for Faster Payments.',
    },
    {
      at: '2026-11-02T09:15:32.204Z',
      kind: 'completed',
      by: null,
      usdc: '32.07',
      detail: 'In the recipient’s account.',
    },
  ],
  quote: { gbp_per_usd: 0.79, fee_in_transfer_gbp: '0.33', fee_on_invoice_gbp: '0.91' },
  idempotency_key: 'order-1042',
  is_cancellable: false,
  next: null,
}

const EXPORT_HEADINGS = [
  'Payout',
  'Created (UTC)',
  'Status',
  'Recipient',
  'Account ends in',
  'Reference',
  'Amount (GBP)',
  'Fee (GBP)',
  'Sent from wallet (USDC)',
  'Pounds per dollar',
  'Completed (UTC)',
  'Reason',
  'Created through',
  'Created by',
  'Idempotency key',
  'Created on (London)',
  'Completed on (London)',
  'Came to nothing on (London)',
  'Failure code',
  'Retry',
  'Back in the wallet (UTC)',
  'Fee charged (GBP)',
]

const EXPORTED = [
  COMPLETED.id,
  COMPLETED.created_at,
  'completed',
  'Amara Okafor',
  '5678',
  'Invoice 1042',
  '25.00',
  '1.24',
  '32.07',
  '0.79',
  COMPLETED.updated_at,
  '',
  'API',
  'kp_sandbox_5d0c1a',
  'order-1042',
  '2026-11-02',
  '2026-11-02',
  '',
  '',
  '',
  '',
  '1.24',
]

export const EXPORT = [EXPORT_HEADINGS, EXPORTED]
  .map((row) => `${row.map((value) => `"${value}"`).join(',')}\r\n`)
  .join('')

export const STREAM = [
  'retry: 3000',
  `event: payout\ndata: ${JSON.stringify({ id: COMPLETED.id, status: 'completed', updated_at: COMPLETED.updated_at })}`,
  `event: balance\ndata: ${JSON.stringify({ usdc: '9967.93' })}`,
  ': still here',
]
  .map((event) => `${event}\n\n`)
  .join('')
