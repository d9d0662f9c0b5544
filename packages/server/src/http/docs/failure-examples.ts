// An example of each failure: the message and the details that the service really gives. A test provokes those that can
// be provoked and compares.
import type { ErrorBody, ErrorCode } from '@kestrel/contract'

import { assert } from '../../core/assert.ts'
import { errorBody } from '../errors/error-body.ts'

interface FailureExample {
  readonly message: string
  readonly details?: unknown
}

const REQUEST_ID = '01a19b8a-d7b5-790c-81d3-ac94af0f21dd'
const PAYOUT_ID = '01a19b8a-d7c6-7269-bef2-a74de452e6b4'

/** Only codes that an operation can answer with; the others come before there is an operation. */
export const FAILURE_EXAMPLES: Partial<Record<ErrorCode, FailureExample>> = {
  invalid_json: { message: 'The body is not valid JSON.' },
  idempotency_key_required: {
    message:
      'The header Idempotency-Key is missing. Send one key per payout, for example your own order id: 8 to 100 letters, digits, or _ - : .',
  },
  invalid_header: { message: 'The header Max-Wallet-Debit-USDC must be USDC with two decimals, such as 33.30.' },
  unauthorized: {
    message: 'Send your API key in the header Authorization: Bearer kp_sandbox_… or kp_live_….',
  },
  insufficient_funds: {
    message:
      'The wallet has 10.00 USDC to spend and this payout needs 32.07. Nothing was sent. Top up and retry with the same Idempotency-Key.',
    details: { available_usdc: '10.00', wallet_sends_usdc: '32.07' },
  },
  partner_not_active: {
    message: 'This partner account is suspended. Nothing was done. Write to support to have it looked at.',
  },
  api_key_required: {
    message: 'Only admins can create a payout. Ask an admin of Thistle Market. Nothing was done.',
  },
  payouts_paused: {
    message:
      'All sandbox payouts have been paused since 2026-11-02T09:30:00.000Z, by an admin. Nothing was sent. Once an admin has resumed them in the dashboard, retry with the same Idempotency-Key.',
    details: { paused_at: '2026-11-02T09:30:00.000Z', paused_by: 'an admin' },
  },
  scope_missing: {
    message:
      'This API key is for read, and this needs pay. Nothing was done. An admin can change its scopes in the dashboard.',
    details: { needed: 'pay' },
  },
  address_not_allowed: {
    message:
      'This API key may not be used from 127.0.0.1. Nothing was done. An admin can change its networks in the dashboard.',
    details: { address: '127.0.0.1' },
  },
  spending_limit_reached: {
    message:
      'This API key may pay 40.00 GBP per day in London. It has used 25.00, and 15.00 is left until 2026-11-03T00:00:00.000Z. This payout is 25.00. Nothing was sent.',
    details: {
      limit: 'daily_gbp',
      limit_gbp: '40.00',
      used_gbp: '25.00',
      remaining_gbp: '15.00',
      resets_at: '2026-11-03T00:00:00.000Z',
    },
  },
  cross_site_request: {
    message: 'This request does not come from the dashboard’s own pages, so it was refused. Nothing was done.',
  },
  business_changed: {
    message:
      'This page is for thistle-market, and this browser has turned to another business since. Nothing was done. Reload the page.',
  },
  sign_up_closed: { message: 'Accounts are opened by the operator of this service. Ask them for one.' },
  not_found: { message: 'There is nothing here that this key can see. Check the address and the id.' },
  idempotency_key_in_progress: {
    message:
      'A request with this Idempotency-Key is still under way. Retry with the same key; it will never pay twice.',
  },
  key_limit_reached: {
    message: 'There are 5 active sandbox keys already, which is the limit. Revoke one first.',
  },
  endpoint_limit_reached: {
    message: 'There are 10 webhook endpoints in sandbox already, which is the limit. Delete one first.',
  },
  member_exists: { message: 'finance@thistle.test is in the team of Thistle Market already.' },
  last_admin: { message: 'finance@thistle.test is the only admin of Thistle Market. Make somebody else one first.' },
  payout_not_cancellable: {
    message: `Payout ${PAYOUT_ID} is completed and can no longer be stopped. Nothing was changed.`,
    details: { status: 'completed' },
  },
  simulation_unavailable: { message: 'The bank has not confirmed this payout yet. Try again shortly.' },
  body_too_large: { message: 'The body is larger than 32 KiB. Send one payout per request.' },
  unsupported_media_type: { message: 'Send the body as JSON, with Content-Type: application/json.' },
  invalid_amount: {
    message: 'amount_gbp must be between 1.00 and 20000.00; 0.50 is not.',
    details: { min: '1.00', max: '20000.00' },
  },
  invalid_recipient: {
    message:
      'The recipient is incomplete or malformed: recipient.last_name (1 to 80 characters), recipient.bank.sort_code (6 digits).',
    details: {
      missing: ['recipient.last_name (1 to 80 characters)', 'recipient.bank.sort_code (6 digits)'],
      errors: [
        { field: 'recipient.last_name', rule: '1 to 80 characters', code: 'required' },
        { field: 'recipient.bank.sort_code', rule: '6 digits', code: 'invalid' },
      ],
    },
  },
  corridor_not_enabled: {
    message: 'Payouts go to GB only. Send "country": "GB" or leave it out.',
    details: { enabled_countries: ['GB'] },
  },
  recipient_account_rejected: {
    message:
      'The bank does not accept this account. Nothing was sent. Check the sort code and account number with the recipient.',
  },
  endpoint_not_allowed: {
    message:
      'Webhooks are not sent to https://10.0.0.1/: 10.0.0.1 is a private address. Use an https address that the internet can reach.',
  },
  idempotency_key_reused: {
    message: `This Idempotency-Key belongs to payout ${PAYOUT_ID}, which was asked for with another body (amount_gbp). Use a new key for a new payout.`,
    details: { payout_id: PAYOUT_ID, fields: ['amount_gbp'] },
  },
  rate_moved: {
    message:
      'At the current rate the wallet would send 32.07 USDC, more than the 30.00 of Max-Wallet-Debit-USDC. Nothing was sent.',
    details: { wallet_sends_usdc: '32.07', max_wallet_debit_usdc: '30.00' },
  },
  code_not_accepted: {
    message:
      'This code is wrong, has expired, or was asked for in another browser. Check the latest mail, or ask again.',
    details: { tries_left: 4, reason: 'wrong' },
  },
  choice_needed: {
    message: 'The code is right. Say which business to sign in to, or which invitation to accept.',
    details: {
      partners: [],
      invitations: [
        {
          id: '01a19b8f-5d20-7b1a-9c77-2e4f8d6a1b03',
          slug: 'thistle-market',
          name: 'Thistle Market',
          role: 'viewer',
          invited_by: 'demo@thistle.test',
          expires_at: '2026-11-16T09:20:08.480Z',
        },
      ],
    },
  },
  session_is_newer: {
    message:
      'That session signed in later than this one, so it goes on. Sign in again with a mailed code, and end it from there.',
  },
  confirm_code_required: {
    message:
      'A live payout from the dashboard needs confirm_code, the six digits that were mailed for it. Nothing was sent.',
  },
  invalid_request: {
    message: 'The request is not acceptable: colour (not a known field).',
    details: {
      fields: ['colour (not a known field)'],
      errors: [{ field: 'colour', rule: 'not a known field', code: 'unknown_field' }],
    },
  },
  rate_limited: {
    message: 'This key has made too many requests. Wait as long as Retry-After says.',
    details: { limit: 'key' },
  },
  internal_error: {
    message:
      'Something went wrong on our side. Repeat a payout with the same Idempotency-Key: it will never pay twice.',
  },
  payout_not_created: {
    message: 'The sandbox bank is down. Nothing was sent. Retry with the same Idempotency-Key.',
  },
  bank_unavailable: {
    message: 'There is no exchange rate at the moment. No bank is connected for live payments. Nothing was sent.',
  },
  unavailable: {
    message:
      'The service is busy or restarting. Try again shortly; repeat a payout with the same Idempotency-Key, it will never pay twice.',
  },
}

export function failureExample(code: ErrorCode, publicUrl: string): ErrorBody {
  const example = FAILURE_EXAMPLES[code]
  assert(example !== undefined, `the documentation has an example of ${code}`)
  return errorBody({ code, ...example }, REQUEST_ID, publicUrl)
}
