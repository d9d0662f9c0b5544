// Every way a request can fail: its status, and what the documentation says about it. The one table from code to
// status; docs/errors.md and the page /docs/errors are made from it.
import type { ErrorCode } from '@kestrel/contract'

import { LIMITS } from './limit-errors.ts'
import { BEFORE_KEY, type MoneyMoved, NOTHING, NOT_ABOUT_MONEY, PERHAPS } from './money-moved.ts'

export interface ErrorEntry {
  readonly status: number
  readonly happened: string
  readonly money: MoneyMoved
  readonly todo: string
}

export const ERROR_CATALOGUE = {
  invalid_json: {
    status: 400,
    happened:
      'The body could not be read: it is empty, not valid JSON, not valid UTF-8, names a field twice, or holds a character that cannot be kept (NUL, half of a surrogate pair).',
    money: NOTHING,
    todo: 'Send one JSON object, encoded as UTF-8, each field once.',
  },
  idempotency_key_required: {
    status: 400,
    happened: 'A payout was asked for without the header `Idempotency-Key`, or with one that is not a key.',
    money: NOTHING,
    todo: 'Send one key per payout, for example your own order id: 8 to 100 letters, digits, `_`, `-`, `:` or `.`.',
  },
  invalid_header: {
    status: 400,
    happened: 'A header could not be read. The message names it.',
    money: BEFORE_KEY,
    todo: 'Correct the header; `Max-Wallet-Debit-USDC` is an amount with two decimals such as `33.30`.',
  },
  bad_request: {
    status: 400,
    happened: 'The request is not HTTP as this service speaks it: a broken request line, header or length.',
    money: BEFORE_KEY,
    todo: 'Use an ordinary HTTP client. If you do, look at proxies in between.',
  },
  unauthorized: {
    status: 401,
    happened: 'There was no API key, or it is not known, or it has been revoked; or the dashboard session has ended.',
    money: BEFORE_KEY,
    todo: 'Send `Authorization: Bearer kp_sandbox_…` or `kp_live_…`. Create a new key if the old one is revoked. In the dashboard, sign in again.',
  },
  insufficient_funds: {
    status: 402,
    happened: 'The wallet holds less than this payout would send. Money reserved for running payouts does not count.',
    money: NOTHING,
    todo: 'Top the wallet up and retry with the same `Idempotency-Key`. `details` says what is there and what is needed.',
  },
  partner_not_active: {
    status: 403,
    happened: 'The partner account is suspended or closed.',
    money: BEFORE_KEY,
    todo: 'Write to support. Payouts that are already under way finish by themselves.',
  },
  api_key_required: {
    status: 403,
    happened: 'The caller may not do this: a viewer, a dashboard session, or a partner that is not verified yet.',
    money: BEFORE_KEY,
    todo: 'Use an API key, ask an admin of your team, or finish business verification. The message says which.',
  },
  cross_site_request: {
    status: 403,
    happened: 'A dashboard session was used from another site, or from something that does not say where it is.',
    money: BEFORE_KEY,
    todo: 'Use the dashboard at its own address. Programs use an API key, which needs no `Origin`.',
  },
  business_changed: {
    status: 403,
    happened:
      'The page was opened for one business, and the session has been turned to another since, in another tab perhaps.',
    money: BEFORE_KEY,
    todo: 'Reload the page: it then shows the business that the session is in. API keys never get this.',
  },
  sign_up_closed: {
    status: 403,
    happened: 'The operator of this service opens accounts; nobody can sign up.',
    money: NOT_ABOUT_MONEY,
    todo: 'Ask them for an account, or ask an admin of your business to invite you.',
  },
  ...LIMITS,
  not_found: {
    status: 404,
    happened:
      'There is nothing at this address, or nothing that this key can see. Unknown, malformed and other partners’ ids all get this same answer.',
    money: BEFORE_KEY,
    todo: 'Check the path and the id, and that the key belongs to the environment in which the resource was made.',
  },
  method_not_allowed: {
    status: 405,
    happened: 'The address exists, but not with this method.',
    money: BEFORE_KEY,
    todo: 'Use one of the methods in the header `Allow`.',
  },
  request_timeout: {
    status: 408,
    happened: 'The request took too long to arrive in full.',
    money: BEFORE_KEY,
    todo: 'Retry; for a payout, with the same `Idempotency-Key`.',
  },
  idempotency_key_in_progress: {
    status: 409,
    happened:
      'Another request with this key is still under way after ten seconds; or the bank refused an earlier one within the hour, and may still show that it made it all the same.',
    money: {
      text: 'Not by this request. The first one may still pay; this key never pays twice.',
      nothingWasSent: false,
    },
    todo: 'Wait as long as `Retry-After` says and retry with the same key.',
  },
  key_limit_reached: {
    status: 409,
    happened: 'There are five active API keys in this environment already.',
    money: NOT_ABOUT_MONEY,
    todo: 'Revoke one that you no longer use.',
  },
  endpoint_limit_reached: {
    status: 409,
    happened: 'There are ten webhook endpoints in this environment already.',
    money: NOT_ABOUT_MONEY,
    todo: 'Delete one that you no longer use, or change its address.',
  },
  member_exists: {
    status: 409,
    happened: 'Somebody with this email is in the team already.',
    money: NOT_ABOUT_MONEY,
    todo: 'Change the role of the member that is there.',
  },
  last_admin: {
    status: 409,
    happened: 'It would leave the business without an admin.',
    money: NOT_ABOUT_MONEY,
    todo: 'Make somebody else an admin first.',
  },
  payout_not_cancellable: {
    status: 409,
    happened: 'The bank has taken the payout’s money and no longer stops it, or the payout is at rest already.',
    money: { text: 'Not by this request.', nothingWasSent: false },
    todo: 'Read the payout: its status says where it is.',
  },
  simulation_unavailable: {
    status: 409,
    happened:
      'The sandbox cannot do this now: its bank is not our own or not connected yet, or the payout is at rest already.',
    money: NOT_ABOUT_MONEY,
    todo: 'The message says what was in the way. Try again shortly, or make a new payout.',
  },
  body_too_large: {
    status: 413,
    happened: 'The body is larger than 32 KiB, or a logo than 200 KiB.',
    money: NOTHING,
    todo: 'Send one payout per request, and a smaller image.',
  },
  unsupported_media_type: {
    status: 415,
    happened: 'The body is not declared as JSON in UTF-8, or a logo not as an image that is taken.',
    money: NOTHING,
    todo: 'Send the header `Content-Type: application/json`; a logo as PNG or JPEG.',
  },
  invalid_amount: {
    status: 422,
    happened: '`amount_gbp` is missing, not money with two decimals, or outside the limits of the account.',
    money: NOTHING,
    todo: 'Send a string such as `"120.50"`, from 1.00 to 20000.00. `details` has the limits of your account.',
  },
  invalid_recipient: {
    status: 422,
    happened: 'Details of the recipient are missing or malformed.',
    money: NOTHING,
    todo: '`details.missing` names every field that is wrong, each with its rule. Correct all of them at once.',
  },
  corridor_not_enabled: {
    status: 422,
    happened: 'The country is not enabled for this account. Today that means: it is not `GB`.',
    money: NOTHING,
    todo: 'Send `"country": "GB"` or leave it out.',
  },
  recipient_account_rejected: {
    status: 422,
    happened: 'The bank does not accept this sort code and account number.',
    money: { text: 'No. What was reserved is back in the wallet.', nothingWasSent: true },
    todo: 'Check the details with the recipient. The same `Idempotency-Key` may be used with corrected ones. The same request gets this answer again for an hour.',
  },
  idempotency_key_reused: {
    status: 422,
    happened:
      'The key belongs to another payout: the same key came with another body before. Or the bank made what it had refused under this key, and nothing more is sent under it.',
    money: { text: 'Not by this request. The payout of the first request is untouched.', nothingWasSent: false },
    todo: '`details.payout_id` is that payout, if you can see it, and `details.fields` are the fields that differ. Use a new key for a new payout.',
  },
  rate_moved: {
    status: 422,
    happened: 'At the current rate the wallet would send more than `Max-Wallet-Debit-USDC` allows.',
    money: NOTHING,
    todo: 'Ask for a new quote and decide anew.',
  },
  code_not_accepted: {
    status: 422,
    happened:
      'The six digits are not the ones that were mailed, or they have expired, were used, or confirm another payout.',
    money: BEFORE_KEY,
    todo: '`details.tries_left` says how often you may still try. At 0, ask for a new code.',
  },
  choice_needed: {
    status: 409,
    happened: 'The sign-in code is right, and there are several businesses or invitations to choose from.',
    money: NOTHING,
    todo: 'Send the same code again with `partner`, `accept` or `decline`; `details` has what there is.',
  },
  session_is_newer: {
    status: 409,
    happened: 'The session to be ended signed in after the one that asks, or in the same moment. It goes on.',
    money: NOTHING,
    todo: 'Sign in again, with the code that is mailed, and end it from the new session.',
  },
  confirm_code_required: {
    status: 422,
    happened:
      'A live payout, a live key, another admin or another address was asked for in the dashboard without the code that confirms it.',
    money: BEFORE_KEY,
    todo: 'Ask for a code with `POST /v1/payouts/confirm-code`, or for anything but a payout with `POST /v1/confirm-codes`, and send it as `confirm_code`. API keys need none.',
  },
  endpoint_not_allowed: {
    status: 422,
    happened:
      'Webhooks are not sent to this address. It is not https, or it is, or leads to, an address that is not public. The message says which.',
    money: NOT_ABOUT_MONEY,
    todo: 'Use an https address that the internet can reach. In a sandbox on your own machine, `localhost` over http works too.',
  },
  invalid_request: {
    status: 422,
    happened:
      'The request can be read and is not acceptable: an unknown field, a field of the wrong kind, a bad parameter.',
    money: NOTHING,
    todo: '`details.fields` names every field that is wrong, each with its rule.',
  },
  rate_limited: {
    status: 429,
    happened:
      'This key has made more requests than it may, counted by what they cost; or the business has, with all of its keys; or it has too many requests, exports, documents or logos under way at once; or too many codes were asked for or tried, keys made, businesses opened, or recipients asked about in quotes; or too many requests without a known key came from your network.',
    money: BEFORE_KEY,
    todo: 'Wait as long as `Retry-After` says. The headers `RateLimit-Remaining` and `RateLimit-Reset` tell how you stand. `details.limit` says which limit it was: `key`, `member` (one person’s sessions), `business` (all keys of an environment, or all members, together) or `network`. More keys or connections do not raise that of a business.',
  },
  headers_too_large: {
    status: 431,
    happened: 'The headers are larger than 16 KiB.',
    money: BEFORE_KEY,
    todo: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    happened: 'Something went wrong on our side.',
    money: PERHAPS,
    todo: 'Retry, for a payout with the same key. If it stays, send us the request id.',
  },
  payout_not_created: {
    status: 502,
    happened:
      'The bank could not be asked. This is certain: when it is in doubt, the payout is created as `pending` instead.',
    money: { text: 'No. Nothing was sent, and what was reserved is back in the wallet.', nothingWasSent: true },
    todo: 'Retry with the same `Idempotency-Key`.',
  },
  bank_unavailable: {
    status: 502,
    happened: 'The bank could not be asked for something that this answer needs, such as the exchange rate.',
    money: NOTHING,
    todo: 'Retry shortly.',
  },
  unavailable: {
    status: 503,
    happened:
      'The service is starting, stopping, or too busy for a moment; or the bank refused an earlier payout with this key, and cannot be asked whether it made it all the same.',
    money: PERHAPS,
    todo: 'Retry as `Retry-After` says, for a payout with the same key.',
  },
} as const satisfies Record<ErrorCode, ErrorEntry>

/** Whether a failure with this code proves that no money left. */
export function nothingWasSent(code: ErrorCode): boolean {
  return ERROR_CATALOGUE[code].money.nothingWasSent
}

/** Whether a failure with this code says nothing about earlier requests with the same idempotency key. */
export function comesBeforeKey(code: ErrorCode): boolean {
  const money: MoneyMoved = ERROR_CATALOGUE[code].money
  return money.comesBeforeKey === true
}

export function statusOf(code: ErrorCode): number {
  return ERROR_CATALOGUE[code].status
}
