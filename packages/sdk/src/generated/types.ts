// Written by `npm run docs` from docs/openapi.json. Do not edit.
import type { Money, ExactMoney } from '../money.ts'

/**
 * Any word that was not known when this was written. TypeScript cannot say "any other text", so this is a text that no known
 * word can be: comparing with a known word tells what the rest is.
 */
export type OtherWord = `${string}…`

/** The partner's account, seen through the key's environment. */
export type Account = {
  object: 'account'
  id: string
  name: string
  /** One of `active`, `suspended`, `closed`. */
  status: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  funding_wallet: {
    currency: 'USDC'
    chain: string
    address: string | null
  }
  enabled_countries: string[]
  /** The prices of the account, in words. */
  prices: {
    payout?: string
    monthly_account?: string
    business_verification?: string
    network_fees?: string
    bank_exceptions?: string
  }
  /** Which payout rail the key drives. `simulated` applies only until the sandbox is connected for the account. */
  rail?: 'provider_production' | 'provider_sandbox' | 'simulated'
  /** Since when all payouts are paused; null while they go out. */
  payouts_pause?: {
    paused_at: string
    /** Who paused them. A key is told `an admin` where a member is told the address. */
    paused_by: string
  } | null
}

/** One request on the account with what was asked and answered, masked. `request` and `response` are null when they are no longer kept, and for what members only looked at. */
export type ActivityDetail = {
  at: string
  environment: string | null
  /** What was asked for, as `resource.verb`. */
  action: string
  /** The HTTP status of the answer. */
  status: number | null
  /** Who made the request. */
  by: string
  detail: string | null
  id: string
  /** The `X-Request-Id` of the answer; null for the actions of the operator. */
  request_id: string | null
  method: string | null
  /** The path, without the query. */
  path: string | null
  /** How long the answer took. */
  duration_ms: number | null
  /** Where the request came from. */
  ip: string | null
  /** The API key; null for the dashboard. */
  key_id: string | null
  /** Who did what, in words. */
  summary: string
  /** The name of the member who asked, if they have said it. */
  by_name: string | null
  /** What was changed, by its name. */
  subject: string | null
  /** What is different now, and what it was before. */
  changes: {
    field: string
    before: string | null
    after: string | null
  }[]
  /** The header `Idempotency-Key` of the request. */
  idempotency_key: string | null
  /** Until when the request and the answer are kept: 14 days. */
  kept_until: string | null
  request: {
    /** The query, masked like the body. */
    query: string | null
    /** The headers that a request is made with, without who asks. */
    headers: Record<string, string>
    /** JSON, at most 4,096 characters. Letters and digits of people, accounts, addresses and free text are `*`; a `[secret]` is not told at all. */
    body: string | null
    /** How long it was, if that is known. */
    bytes: number | null
    /** There was more of it. */
    cut: boolean
    /** Why there is no `body`: it was no JSON, was refused before it was read, was longer than is read, is a file, or is one of more than 60 reads within a minute. */
    left_out: 'not_json' | 'not_read' | 'too_large' | 'file' | 'many_reads' | null
  } | null
  response: {
    /** JSON, at most 4,096 characters. Letters and digits of people, accounts, addresses and free text are `*`; a `[secret]` is not told at all. */
    body: string | null
    /** How long it was, if that is known. */
    bytes: number | null
    /** There was more of it. */
    cut: boolean
    /** Why there is no `body`: it was no JSON, was refused before it was read, was longer than is read, is a file, or is one of more than 60 reads within a minute. */
    left_out: 'not_json' | 'not_read' | 'too_large' | 'file' | 'many_reads' | null
  } | null
  /** The request as a command, with stars where it is masked and the key as `$KESTREL_API_KEY`. */
  curl: string | null
}

/** One request on the account. */
export type ActivityEntry = {
  at: string
  environment: string | null
  /** What was asked for, as `resource.verb`. */
  action: string
  /** The HTTP status of the answer. */
  status: number | null
  /** Who made the request. */
  by: string
  detail: string | null
  id: string
  /** The `X-Request-Id` of the answer; null for the actions of the operator. */
  request_id: string | null
  method: string | null
  /** The path, without the query. */
  path: string | null
  /** How long the answer took. */
  duration_ms: number | null
  /** Where the request came from. */
  ip: string | null
  /** The API key; null for the dashboard. */
  key_id: string | null
  /** Who did what, in words. */
  summary: string
  /** The name of the member who asked, if they have said it. */
  by_name: string | null
  /** What was changed, by its name. */
  subject: string | null
  /** What is different now, and what it was before. */
  changes: {
    field: string
    before: string | null
    after: string | null
  }[]
}

/** Requests on the account, the newest first. */
export type ActivityList = {
  object: 'list'
  data: ActivityEntry[]
}

/** How much time passes for the payouts of a sandbox. */
export type AdvanceRequest = {
  /** How much time passes, from a second to 31 days. */
  seconds: number
  /** Whether the current month closes after that: the answer has its invoice, as a rehearsal. */
  close_month?: boolean
}

/** What came of it, with the `invoice` of a rehearsal where the month was to close. The payouts themselves say how they are now. */
export type Advanced = {
  object: 'advance'
  /** How much time passed. */
  seconds: number
  /** How many payouts moved, or were looked at because they may have. */
  payouts: number
  invoice?: RehearsalInvoice
}

/** The invoice that a month of the sandbox would give in live. Nothing is stored, numbered or charged. */
export type RehearsalInvoice = {
  object: 'rehearsal_invoice'
  /** Always: this is not a bill. */
  rehearsal: true
  /** A rehearsal has no number. */
  number: null
  /** The month, as YYYY-MM. */
  period: string
  /** It is never issued. */
  status: 'draft'
  /** The sum of the lines, which nobody owes. */
  total_gbp: Money
  issued_at: null
  due_at: null
  paid_at: null
  voided_at: null
  how_to_pay: null
  lines: {
    /** Its place on the invoice, by which its payouts are listed. */
    line: number
    /** One of `payout_fees`, `monthly_account`, `business_verification`, `network_fees`, `bank_exceptions`. */
    kind: string
    description: string
    quantity: number
    /** The price of one, where every one costs the same whole pence. */
    unit_price_gbp: Money | null
    /** The price of one, where every one costs the same. */
    unit_price_exact_gbp: ExactMoney | null
    /** What the line comes to. */
    amount_gbp: Money
    period_start: string
    period_end: string
  }[]
}

/** A sandbox that is back at its beginning. */
export type SandboxReset = {
  object: 'sandbox_reset'
  /** What the wallet holds now: what a sandbox begins with. */
  usdc: Money
  /** How many payouts that were under way are cancelled. */
  payouts_cancelled: number
  /** How many are under way still: the bank has not confirmed them, or they were too many for one reset. Their money comes on top when it comes back. */
  payouts_under_way: number
}

/** An API key without its secret, which is shown once, when the key is created. */
export type ApiKey = {
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** The start of the key only. */
  key_prefix: string
  label: string | null
  created_at: string
  last_used_at: string | null
  /** The address that the last request came from. */
  last_used_ip: string | null
  revoked_at: string | null
  /** The email of the member who made it in the dashboard. */
  created_by: string | null
  /** The key stops by itself at this moment: it was made so, or it was rotated. */
  expires_at: string | null
  /** The key that replaced it. */
  replaced_by: string | null
  /** `read`: every read. `quote`: quotes. `pay`: payouts, cancelling, pausing. `webhooks`: where events go. `sandbox`: outcomes and test money. */
  scopes: ('read' | 'quote' | 'pay' | 'webhooks' | 'sandbox')[]
  /** The most that may be paid at once; null for no such limit. */
  max_per_payout_gbp: Money | null
  /** The most that may be paid per day in London; null for no such limit. */
  daily_gbp: Money | null
  /** The most that may be paid per month in London; null for no such limit. */
  monthly_gbp: Money | null
  /** The networks that it may be used from; null for anywhere. */
  allowed_ips: string[] | null
  /** What counts against the daily limit; null where there never was a limit. */
  spent_today_gbp: Money | null
  /** The same for the month. */
  spent_this_month_gbp: Money | null
}

/** The active keys of both environments, and those revoked in the last 90 days: 200 at most, the newest first. */
export type ApiKeyList = {
  object: 'list'
  data: ApiKey[]
}

/** Where a chain ended, signed. Keep it: it proves every entry up to its position, for ever. */
export type AuditHead = {
  partner_id: string
  /** The entries of one environment, or `account` for those that are about neither. */
  chain: 'sandbox' | 'live' | 'account'
  /** The version of what is hashed and signed. */
  form: 1
  /** The place in the chain; the first entry has 1. */
  position: number
  /** SHA-256, in hexadecimal digits. */
  hash: string
  signed_at: string
  /** Names one of the keys at `/.well-known/kestrel-signing-keys`. */
  key_id: string
  /** Ed25519, in Base64. */
  signature: string
}

/** Signed heads, the newest first. */
export type AuditHeadList = {
  object: 'list'
  data: AuditHead[]
}

/** An entry with its place in the chain. */
export type AuditLink = {
  /** The place in the chain; the first entry has 1. */
  position: number
  form: 1
  at: string
  id: string
  /** When the entry was linked. */
  sealed_at: string
  /** SHA-256, in hexadecimal digits. */
  entry_hash: string
  /** SHA-256, in hexadecimal digits. */
  hash: string
  /** Null for an entry of a month that is no longer kept. */
  entry: ActivityEntry | null
}

/** A part of a chain, the oldest entries first. */
export type AuditLog = {
  object: 'list'
  partner_id: string
  /** The entries of one environment, or `account` for those that are about neither. */
  chain: 'sandbox' | 'live' | 'account'
  /** What the first link of this page goes on from: the one before, or zeros. */
  start: {
    /** The place in the chain; the first entry has 1. */
    position: number
    /** SHA-256, in hexadecimal digits. */
    hash: string
  }
  data: AuditLink[]
  /** There are later entries: ask with the last position as `after`. */
  has_more: boolean
  /** Where the chain ends now, signed for this answer. Null while it has no entries. */
  head: AuditHead | null
}

/** What the wallet can still pay out. Money reserved for running payouts is not part of it. */
export type Balance = {
  object: 'balance'
  /** What the wallet can spend, in USDC, rounded down to the cent. */
  usdc: Money
  /** About how many pounds that is, rounded down to the penny. */
  approx_gbp: Money
  /** Pounds for one US dollar. */
  gbp_per_usd: number
  /** How long the wallet lasts. Null when nothing has arrived in the last 14 days: nobody can say then. */
  runway: {
    /** How many days it lasts at the pace of the last 14 days, to one decimal, rounded down. At most 9999. */
    days: number
    /** How many payouts of the average size of those days still fit, each with the part of its fee that the wallet sends along. At most 999999. */
    payouts: number
    /** That pace: what arrived in the last 14 days, per day. */
    gbp_per_day: Money
    /** What to add so that it lasts 14 days, in whole USDC, rounded up. 0.00: it does already. */
    suggested_top_up_usdc: Money
  } | null
}

/** How far business verification is, and what the account may do. */
export type Compliance = {
  object: 'compliance'
  business_verification: {
    /** One of `not_started`, `in_progress`, `in_review`, `approved`, `rejected`, `suspended`. */
    status: string
    /** The bank’s own word. */
    provider_status: string | null
    continue_url: string | null
    terms_url: string | null
    /** Whether verification can be started here: false while no bank is connected for live payments. */
    can_start?: boolean
    /** Whether the live wallet is open at the bank. While this is false, nothing can be topped up or paid in live, not even by a business that is `approved`. */
    live_open?: boolean
    /** What the bank still wants, or has not done, before live is complete: a sentence each. `continue_url` is where the business gives it. Empty when nothing is missing, or when the bank does not say. */
    missing?: string[]
  }
  account: {
    isolated_wallet: boolean
    wallet_chain: string | null
    enabled_countries: string[]
    payout_limits_gbp: {
      /** The smallest payout. */
      min: Money
      /** The largest payout. */
      max_per_payout: Money
    }
    billing_email: string | null
    contact_email: string | null
  }
  /** One of `clear`, `review`, `blocked`. */
  screening: string
}

/** What the recipient receives, and who the recipient is. */
export type CreatePayoutRequest = {
  /** What the recipient receives: 1.00 to 20000.00, unless the account has other limits. */
  amount_gbp: Money
  /** Where the recipient banks. By default `GB`. */
  country?: 'GB'
  /** Your own words for it, kept whole; bank statements carry 18 characters. In sandbox, a reference that begins with `sandbox:` chooses how the payout ends. */
  reference?: string
  recipient: Recipient
  /** Not needed with an API key: the dashboard confirms live payouts with it. */
  confirm_code?: string
}

/** The body of every failure. */
export type ErrorBody = {
  error: {
    code: 'invalid_json' | 'idempotency_key_required' | 'invalid_header' | 'bad_request' | 'unauthorized' | 'insufficient_funds' | 'partner_not_active' | 'api_key_required' | 'payouts_paused' | 'scope_missing' | 'address_not_allowed' | 'spending_limit_reached' | 'cross_site_request' | 'business_changed' | 'sign_up_closed' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_in_progress' | 'key_limit_reached' | 'endpoint_limit_reached' | 'member_exists' | 'choice_needed' | 'last_admin' | 'session_is_newer' | 'payout_not_cancellable' | 'simulation_unavailable' | 'body_too_large' | 'unsupported_media_type' | 'invalid_amount' | 'invalid_recipient' | 'corridor_not_enabled' | 'recipient_account_rejected' | 'idempotency_key_reused' | 'rate_moved' | 'code_not_accepted' | 'confirm_code_required' | 'endpoint_not_allowed' | 'invalid_request' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'payout_not_created' | 'bank_unavailable' | 'unavailable' | (string & {})
    /** What is wrong and what to do, for the developer who reads it. */
    message: string
    /** What a program can use, depending on the code. */
    details?: InsufficientFundsDetails | PayoutsPausedDetails | ScopeMissingDetails | AddressNotAllowedDetails | SpendingLimitReachedDetails | PayoutNotCancellableDetails | SimulationUnavailableDetails | InvalidAmountDetails | InvalidRecipientDetails | CorridorNotEnabledDetails | RecipientAccountRejectedDetails | IdempotencyKeyReusedDetails | RateMovedDetails | CodeNotAcceptedDetails | ChoiceNeededDetails | InvalidRequestDetails | RateLimitedDetails | Record<string, unknown>
    /** The same as the header X-Request-Id. */
    request_id?: string
    doc_url?: string
  }
}

/** One thing that changed, as it was then. Events are kept for 90 days. What `data` holds is known by `type`: the subject in the shape that its own `GET` answers, or the part that the event is about. There will be more types. */
export type Event = EventOfPayout | EventOfBalance | EventOfDeposit | EventOfInvoice | EventOfVerification | EventOfApiKey | EventOfMember | EventOfWebhookEndpoint | PingEvent | EventOfAnotherType

/** Events, the newest first; with `after` the oldest first. */
export type EventList = {
  object: 'list'
  data: Event[]
  /** Whether a next page exists. */
  has_more: boolean
  /** Give it as `cursor` to get the next page. */
  next_cursor: string | null
}

/** How to top the wallet up, and what has arrived. */
export type Funding = {
  object: 'funding'
  /** Where a transfer in pounds goes; it is converted to USDC when it arrives. Null until a bank is connected. */
  bank_transfer: {
    /** The name that the account is in. */
    account_name: string
    bank_name: string
    /** Six digits. */
    sort_code: string
    /** Eight digits. */
    account_number: string
    /** What the transfer must say, if anything. */
    reference: string | null
  } | null
  /** Where USDC is sent. Anything else, or on another chain, cannot be recovered. Null until a bank is connected. */
  onchain: {
    /** Always `USDC`. */
    currency: string
    chain: string
    /** The address that feeds the wallet. */
    address: string
  } | null
  /** What the bank has not opened for this account although it was asked: a sentence each. Empty when nothing is missing, or when it was asked only just now. */
  missing: string[]
  /** Deposits that the bank has reported: the latest 50, the newest first. */
  deposits: {
    /** The bank’s own id of the deposit. */
    id: string
    /** A transfer in pounds, or USDC. */
    source: 'bank' | 'chain'
    /** What arrived, in USDC. */
    usdc: Money
    received_at: string
  }[]
  /** Everything that was put into the wallet, as statements and invoices add it up: the latest 50. */
  top_ups: {
    /** The bank’s own id of the deposit, or ours. */
    id: string
    /** A transfer in pounds, USDC, or put there by the operator: an opening float, a correction. */
    source: 'bank' | 'chain' | 'operator'
    /** What was put into the wallet, in USDC. */
    usdc: Money
    at: string
    /** What the operator said about it. */
    note: string | null
  }[]
}

/** How far the business is on its way to live: computed from its traffic and its account. */
export type GoLive = {
  object: 'go_live'
  /** How many steps are done. */
  done: number
  /** How many there are. */
  total: number
  /** In the order in which they are usually done. */
  steps: GoLiveStep[]
}

/** One step. */
export type GoLiveStep = {
  /** What is to be done. More steps may be added. */
  id: 'first_payout' | 'failure_handled' | 'replay_seen' | 'webhook_verified' | 'two_admins' | 'verification' | 'funding' | 'low_balance_warning' | 'live_key' | 'limited_key' | 'first_live_payout'
  /** The same in words. */
  title: string
  /** Whether it has really happened; nobody ticks it. */
  done: boolean
  /** Where it is done. */
  url: string
}

/** A person who was invited to the team and has not answered yet. */
export type Invitation = {
  id: string
  email: string
  name: string | null
  /** `admin`: everything. `viewer`: reads, and asks for quotes. */
  role: 'admin' | 'viewer'
  /** Nobody signs in before accepting. */
  last_login_at: null
  created_at: string
  /** The email of the member who invited them. */
  invited_by: string
  expires_at: string
  /** The latest mail about it; null when none was sent, because the address has had several lately. */
  mailed_at: string | null
}

/** Invitations that have not been answered yet. */
export type InvitationList = {
  object: 'list'
  data: Invitation[]
}

/** One month of charges. Sandbox is never charged. */
export type Invoice = {
  id: string
  /** Without gaps in a year; null for a draft. */
  number: string | null
  /** The month, as YYYY-MM. */
  period: string
  /** One of `draft`, `issued`, `paid`, `overdue`, `void`. */
  status: string
  /** The sum of the lines. */
  total_gbp: Money
  issued_at: string | null
  due_at: string | null
  paid_at: string | null
  voided_at: string | null
  /** How to pay, in words; null when nothing is to be paid or the operator has not said. */
  how_to_pay: string | null
  lines: {
    /** Its place on the invoice, by which its payouts are listed. */
    line: number
    /** One of `payout_fees`, `monthly_account`, `business_verification`, `network_fees`, `bank_exceptions`. */
    kind: string
    description: string
    quantity: number
    /** The price of one, where every one costs the same whole pence. */
    unit_price_gbp: Money | null
    /** The price of one, where every one costs the same. */
    unit_price_exact_gbp: ExactMoney | null
    /** What the line comes to. */
    amount_gbp: Money
    period_start: string
    period_end: string
  }[]
}

/** The last 24 invoices, the newest first. */
export type InvoiceList = {
  object: 'list'
  data: Invoice[]
}

/** A payout behind a line of an invoice. */
export type InvoicedPayout = {
  object: 'invoiced_payout'
  /** What this payout adds to the line, rounded to pence. */
  charged_gbp: Money
  /** The same exactly. A line is the sum of these, rounded once. */
  charged_exact_gbp: ExactMoney
  charged_at: string
  payout: Payout
}

/** The payouts behind a line, the oldest first. Lines that are not about payouts have none. */
export type InvoicedPayoutList = {
  object: 'list'
  data: InvoicedPayout[]
  /** Whether a next page exists. */
  has_more: boolean
  /** Give it as `cursor` to get the next page. */
  next_cursor: string | null
}

/** A member of the team. The limits are for payouts that they make in the dashboard, in the environment that is asked about. */
export type Member = {
  id: string
  email: string
  name?: string | null
  /** `admin`: everything. `viewer`: reads, and asks for quotes. */
  role: 'admin' | 'viewer'
  last_login_at?: string | null
  created_at?: string
  /** The email of the member who invited them; null for the first member. */
  invited_by: string | null
  /** The most that may be paid at once; null for no such limit. */
  max_per_payout_gbp: Money | null
  /** The most that may be paid per day in London; null for no such limit. */
  daily_gbp: Money | null
  /** The most that may be paid per month in London; null for no such limit. */
  monthly_gbp: Money | null
  /** What counts against the daily limit; null where there never was a limit. */
  spent_today_gbp: Money | null
  /** The same for the month. */
  spent_this_month_gbp: Money | null
}

/** The team, in the order in which its members joined. */
export type MemberList = {
  object: 'list'
  data: Member[]
}

/** One payment to one person. Only the name and the last four digits of the account are ever shown. */
export type Payout = {
  id: string
  object: 'payout'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** `pending`: saved, waiting for the bank to confirm. `processing`: on its way. `completed`: in the recipient’s account. `failed` and `cancelled`: did not go, nothing charged. `returned`: the recipient’s bank sent it back. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned'
  /** Your own words, as they were sent. */
  reference?: string | null
  /** The reference as the recipient’s bank statement carries it: at most 18 characters. */
  statement_reference?: string | null
  country: 'GB'
  /** What the recipient receives. */
  amount_gbp: Money
  /** The whole fee. It is charged only if the payout completes. */
  fee_gbp: Money
  /** What the wallet sends: the amount and the bank’s share of the fee, in USDC. */
  wallet_sent_usdc: Money
  recipient: {
    name: string | null
    account_last4: string | null
  }
  /** Why the money did not stay with the recipient. Set when `failed`, `cancelled` or `returned`. */
  failure_reason?: string | null
  /** Why, as a word for programs. More words may be added: take one that you do not know for `other`. Set when `failed`, `cancelled` or `returned`. */
  failure_code?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'invalid_recipient' | 'rejected_by_bank' | 'cancelled' | 'other' | null | (string & {})
  /** Whether a new payout, under a new key, can help. `yes`: with the same details. `after_fix`: with other details. `no`: ask the recipient first. Set with `failure_code`. */
  retry?: 'no' | 'after_fix' | 'yes' | null
  /** Whether the bank, as far as we know, would still stop it: `POST …/cancel`. */
  cancelable?: boolean
  /** The key that it was made with. */
  idempotency_key?: string
  created_at: string
  updated_at: string
  /** When it first arrived, whatever came of it since. */
  completed_at?: string | null
  /** When the money of a payout that came to nothing was back in the wallet. */
  refunded_at?: string | null
  created_via: 'api' | 'dashboard'
  /** The warnings at the time when the payout was made. They stay as they were then. */
  warnings?: PayoutWarning[]
}

/** A new payout with the quote that it was made at. */
export type PayoutCreated = {
  id: string
  object: 'payout'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** `pending`: saved, waiting for the bank to confirm. `processing`: on its way. `completed`: in the recipient’s account. `failed` and `cancelled`: did not go, nothing charged. `returned`: the recipient’s bank sent it back. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned'
  /** Your own words, as they were sent. */
  reference?: string | null
  /** The reference as the recipient’s bank statement carries it: at most 18 characters. */
  statement_reference?: string | null
  country: 'GB'
  /** What the recipient receives. */
  amount_gbp: Money
  /** The whole fee. It is charged only if the payout completes. */
  fee_gbp: Money
  /** What the wallet sends: the amount and the bank’s share of the fee, in USDC. */
  wallet_sent_usdc: Money
  recipient: {
    name: string | null
    account_last4: string | null
  }
  /** Why the money did not stay with the recipient. Set when `failed`, `cancelled` or `returned`. */
  failure_reason?: string | null
  /** Why, as a word for programs. More words may be added: take one that you do not know for `other`. Set when `failed`, `cancelled` or `returned`. */
  failure_code?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'invalid_recipient' | 'rejected_by_bank' | 'cancelled' | 'other' | null | (string & {})
  /** Whether a new payout, under a new key, can help. `yes`: with the same details. `after_fix`: with other details. `no`: ask the recipient first. Set with `failure_code`. */
  retry?: 'no' | 'after_fix' | 'yes' | null
  /** Whether the bank, as far as we know, would still stop it: `POST …/cancel`. */
  cancelable?: boolean
  /** The key that it was made with. */
  idempotency_key?: string
  created_at: string
  updated_at: string
  /** When it first arrived, whatever came of it since. */
  completed_at?: string | null
  /** When the money of a payout that came to nothing was back in the wallet. */
  refunded_at?: string | null
  created_via: 'api' | 'dashboard'
  /** The warnings at the time when the payout was made. They stay as they were then. */
  warnings?: PayoutWarning[]
  quote?: Quote
}

/** One day of Europe/London. */
export type PayoutDay = {
  date: string
  /** What recipients received of the payouts created on this day; of a month’s days, of those that completed on it. */
  completed_gbp: Money
  /** The amounts of those that are not completed, or not any more. */
  other_gbp: Money
  /** The whole fees of the completed ones. */
  fees_gbp: Money
  /** Payouts created on this day; of a month’s days, those that completed on it. */
  count: number
  by_status: {
    /** How many of them have this status now. */
    pending: number
    /** How many of them have this status now. */
    processing: number
    /** How many of them have this status now. */
    completed: number
    /** How many of them have this status now. */
    failed: number
    /** How many of them have this status now. */
    cancelled: number
    /** How many of them have this status now. */
    returned: number
  }
}

/** The last days, or those of a month, the newest last. Days without payouts are included. */
export type PayoutDayList = {
  object: 'list'
  data: PayoutDay[]
}

/** One thing that happened to a payout. */
export type PayoutEvent = {
  at: string
  /** `reserved`: the money is set aside in the wallet. `waiting`: the bank has not confirmed it yet. `sent`: the bank has it. `refunded`: the money is back in the wallet. The others are statuses. */
  kind: 'created' | 'reserved' | 'waiting' | 'sent' | 'completed' | 'failed' | 'cancelled' | 'returned' | 'refunded'
  /** Who asked for it: the start of a key, or an email. */
  by: string | null
  /** What moved in the wallet, in USDC. */
  usdc: Money | null
  /** What happened, in plain words. */
  detail: string | null
}

/** Payouts, the newest first. */
export type PayoutList = {
  object: 'list'
  data: Payout[]
  /** Whether a next page exists. */
  has_more: boolean
  /** Give it as `cursor` to get the next page. */
  next_cursor: string | null
}

/** Whether all payouts of the account are paused. */
export type PayoutPause = {
  object: 'payout_pause'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** Whether new payouts are refused. */
  paused: boolean
  paused_at: string | null
  /** Who paused them. A key is told `an admin` where a member is told the address. */
  paused_by: string | null
}

/** Sums over the payouts of a filter. */
export type PayoutSummary = {
  object: 'payout_summary'
  /** How many payouts the filters leave. */
  count: number
  /** The sum of their `amount_gbp`. */
  amount_gbp: Money
  /** The sum of their `fee_gbp`. Only those that complete are charged. */
  fee_gbp: Money
  /** Null: all payouts were looked at. Filters that no sum is kept for, such as `q` and amounts, are looked for in the newest 100,000 payouts, and this is when the oldest of them was created. `created_to` moves on to those before it. */
  counted_from: string | null
  by_status: {
    pending: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
    processing: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
    completed: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
    failed: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
    cancelled: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
    returned: {
      /** How many have this status. */
      count: number
      /** The sum of their `amount_gbp`. */
      amount_gbp: Money
    }
  }
}

/** What happened to a payout, step by step, and what happens next. */
export type PayoutTimeline = {
  object: 'list'
  /** The oldest first. */
  data: PayoutEvent[]
  quote: {
    /** Pounds for one US dollar, as it was. */
    gbp_per_usd: number
    /** The bank’s share of the fee, sent together with the amount. */
    fee_in_transfer_gbp: Money
    /** The rest of the fee, which goes on the invoice if the payout completes. */
    fee_on_invoice_gbp: Money
  }
  /** The key that made it. */
  idempotency_key: string
  /** Whether the bank could probably still stop it: by its last word, it has not taken the money yet. */
  is_cancellable: boolean
  /** What happens next, in plain words; null when nothing does. */
  next: string | null
}

/** Something worth a second look. A warning refuses nothing. */
export type PayoutWarning = {
  /** `recipient_account_changed`: this person was paid before, at another account. `possible_duplicate`: the same amount went to this account within the last 7 days. `first_payment_to_account`: nothing was paid to this account before. `account_check_failed`, on quotes only: the sort code and the account number cannot belong together. More may be added. */
  code: string
  /** The same as a sentence. */
  message: string
  details: {
    /** The earlier payout that it is about. */
    payout_id: string | null
    /** The last four digits of that payout’s account. */
    account_last4: string
    /** When that payout was made. */
    created_at: string | null
  }
}

/** What a payout would cost now. Not binding: the rate may move before the payout is made. */
export type Quote = {
  object: 'quote'
  country: 'GB'
  /** What the recipient receives. */
  seller_receives_gbp: Money
  /** The whole fee, the sum of the two parts in `fee_breakdown`. */
  fee_gbp: Money
  /** What the wallet would send: the amount and `taken_in_transfer_gbp` at the rate, rounded up to the cent. */
  wallet_sends_usdc: Money
  exchange_rate: {
    /** Pounds for one US dollar. */
    gbp_per_usd: number
  }
  fee_breakdown: {
    /** The bank’s share of the fee, sent together with the amount. */
    taken_in_transfer_gbp: Money
    /** The rest of the fee, which goes on the monthly invoice. */
    on_monthly_invoice_gbp: Money
  }
  /** Only when the request names a `recipient`, and to who may pay: what is worth a second look before this is paid. */
  warnings?: PayoutWarning[]
}

/** The recipient of the payout that is quoted, as it will be sent or only the account and the name. It is compared with whom the account has paid before, and not kept. */
export type QuoteRecipient = {
  /** By default `individual`. */
  type?: 'individual' | 'business'
  first_name?: string
  last_name?: string
  email?: string
  address?: {
    line1?: string
    line2?: string
    city?: string
    postal_code?: string
    /** The town is used if omitted. */
    region?: string
  }
  bank: {
    bank_name?: string
    sort_code: string
    account_number: string
  }
}

/** The amount that the recipient receives and, for warnings, who that is. */
export type QuoteRequest = {
  /** What the recipient receives: 1.00 to 20000.00, unless the account has other limits. */
  amount_gbp: Money
  /** Where the recipient banks. By default `GB`. */
  country?: 'GB'
  recipient?: QuoteRecipient
}

/** Who is paid, and into which account. */
export type Recipient = {
  /** By default `individual`. */
  type?: 'individual' | 'business'
  first_name: string
  last_name: string
  email?: string
  address: {
    line1: string
    line2?: string
    city: string
    postal_code: string
    /** The town is used if omitted. */
    region?: string
  }
  bank: {
    bank_name: string
    sort_code: string
    account_number: string
  }
}

/** At most 200 recipients, the last paid first. */
export type RecipientList = {
  object: 'list'
  data: RecipientSummary[]
}

/** A recipient, grouped from the newest payouts of the last 90 days. */
export type RecipientSummary = {
  name: string | null
  account_last4: string | null
  /** Payouts on their way or completed. */
  payouts: number
  /** What the completed ones among them came to. */
  paid_gbp: Money
  last_paid_at: string
}

/** The settings of a business, and how its sign-in page looks. */
export type Settings = {
  object: 'settings'
  name: string
  slug: string
  logo_url: string | null
  brand_color: string | null
  billing_email: string | null
  contact_email: string | null
  /** The name on invoices, if it is not the name of the business. */
  billing_name: string | null
  /** The lines of the address on invoices. */
  billing_address: string[]
  vat_number: string | null
  /** Below this many USDC the wallet counts as low; null for never. */
  low_balance_usdc: Money | null
}

/** What the sandbox bank should do with a payout. */
export type SimulateRequest = {
  /** `settle`: it arrives. `return`: it arrives and is sent back. `fail`: the bank cannot deliver it. `cancel`: it is stopped before it is sent. */
  outcome: 'settle' | 'return' | 'fail' | 'cancel'
  /** With `fail` or `return`: the `failure_code` that the payout shall have. Without it the bank gives a reason of its own. */
  reason?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'rejected_by_bank' | 'other'
}

/** A deposit of test money that the sandbox bank was asked to make. */
export type TopUp = {
  object: 'top_up'
  /** How much arrives. */
  usdc: Money
  /** A transfer in pounds, or USDC. */
  source: 'bank' | 'chain'
}

/** Test money for the sandbox wallet. */
export type TopUpRequest = {
  /** How much arrives, from 1.00 to 100000.00 USDC. */
  usdc: Money
  /** A transfer in pounds, or USDC. */
  source: 'bank' | 'chain'
}

/** The movements of a wallet between two days in London, both included, the oldest first. */
export type Statement = {
  object: 'statement'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  from: string
  to: string
  /** What the wallet could spend when the first day began. */
  opening_usdc: ExactMoney
  /** What it can spend at the end of the last day, or now. */
  closing_usdc: ExactMoney
  /** The whole period, not the page alone. The opening and what came in, less what went out, is the closing. */
  totals: {
    /** All that came in. */
    in_usdc: ExactMoney
    /** All that went out. */
    out_usdc: ExactMoney
    /** Of top-ups. */
    topped_up_usdc: ExactMoney
    /** What the operator took out. */
    taken_out_usdc: ExactMoney
    /** What payouts took, less those that were never sent. */
    paid_out_usdc: ExactMoney
    /** Of payouts that failed, were cancelled or came back. */
    came_back_usdc: ExactMoney
  }
  data: {
    at: string
    /** `top_up`: money came in. `correction`: the operator took some out, or the bank took more or less than was reserved. `payout`: taken for a payout. `payout_released`: given back, the payout was not sent. `payout_refunded`: given back, the payout failed, was cancelled or came back. */
    kind: 'top_up' | 'correction' | 'payout' | 'payout_released' | 'payout_refunded'
    /** What came in. */
    in_usdc: ExactMoney | null
    /** What went out. */
    out_usdc: ExactMoney | null
    /** What the wallet could spend after it. */
    balance_usdc: ExactMoney
    payout_id: string | null
    /** The deposit, as `GET /v1/funding` names it. */
    deposit_id: string | null
    recipient_name: string | null
    /** The payout’s reference, or what the money was for. */
    detail: string | null
  }[]
  /** Whether a next page exists. */
  has_more: boolean
  /** Give it as `cursor` to get the next page. */
  next_cursor: string | null
}

/** The month so far. Months are those of Europe/London. */
export type Usage = {
  object: 'usage'
  period_start: string
  payouts: {
    /** Payouts created in the month. */
    count: number
    /** Payouts completed in the month, whenever created. */
    completed: number
    /** What recipients received in the completed payouts. One that came back later is still counted, as is its fee. */
    paid_to_sellers_gbp: Money
    /** The whole fees of the completed payouts. */
    fees_gbp: Money
  }
  invoice_so_far: {
    lines: {
      kind: string
      description: string
      /** How many are charged so far. */
      quantity: number
      /** The price of one, where every one costs the same whole pence. */
      unit_price_gbp: Money | null
      /** The price of one, where every one costs the same. */
      unit_price_exact_gbp: ExactMoney | null
      /** What the line comes to so far. */
      amount_gbp: Money
    }[]
    /** The sum of the lines. */
    total_gbp: Money
  }
}

export type NewWebhookEndpoint = {
  /** https, at a public address. In a sandbox on your own machine also http://localhost. */
  url: string
  description?: string
  /** Types of events, or `["*"]` for all of them, also those that there will be. */
  events?: string[]
}

/** A receiver of events, without its secret, which is shown once. */
export type WebhookEndpoint = {
  object: 'webhook_endpoint'
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** Where events are sent, as POST. */
  url: string
  description: string | null
  /** The types of events that it gets; `*` is all of them. */
  events: string[]
  /** `active` gets events. `paused` gets them later, when it is active again. `disabled` was switched off by the service and gets none of what happens meanwhile. */
  status: 'active' | 'paused' | 'disabled'
  /** `gone`: it answered 410. `asked`: it answered with the header `webhook-delivery: disable`. `failing`: nothing was delivered for five days. */
  disabled_reason: 'gone' | 'asked' | 'failing' | null
  disabled_at: string | null
  /** The first failure since the last delivery that arrived. */
  failing_since: string | null
  /** How many attempts there were in the last 24 hours, in whole hours. What we could not send is left out. */
  attempts_24h: number
  /** How many of them were answered 2xx. */
  delivered_24h: number
  /** The same as a part of one, rounded down; null when there was no attempt. */
  success_rate_24h: number | null
  /** The attempt that failed last; null when none has. */
  last_failure: {
    at: string
    /** The status of the answer; null when there was none. */
    status: number | null
    /** The same words as those of an attempt. */
    error: string | null
  } | null
  /** Until then the secret before signs as well. */
  previous_secret_until: string | null
  created_at: string
  /** The email of the member who made it, or the start of the key. To a key, every member is `member`. */
  created_by: string
}

export type WebhookEndpointChange = {
  /** https, at a public address. In a sandbox on your own machine also http://localhost. */
  url?: string
  description?: string | null
  /** Types of events, or `["*"]` for all of them, also those that there will be. */
  events?: string[]
  /** `paused` keeps events until it is `active` again, and sends them then. */
  status?: 'active' | 'paused'
}

export type WebhookEndpointDeleted = {
  id: string
  deleted: true
}

/** The receivers of this environment, 10 at most, the oldest first. */
export type WebhookEndpointList = {
  object: 'list'
  data: WebhookEndpoint[]
}

export type WebhookEndpointWithSecret = {
  object: 'webhook_endpoint'
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** Where events are sent, as POST. */
  url: string
  description: string | null
  /** The types of events that it gets; `*` is all of them. */
  events: string[]
  /** `active` gets events. `paused` gets them later, when it is active again. `disabled` was switched off by the service and gets none of what happens meanwhile. */
  status: 'active' | 'paused' | 'disabled'
  /** `gone`: it answered 410. `asked`: it answered with the header `webhook-delivery: disable`. `failing`: nothing was delivered for five days. */
  disabled_reason: 'gone' | 'asked' | 'failing' | null
  disabled_at: string | null
  /** The first failure since the last delivery that arrived. */
  failing_since: string | null
  /** How many attempts there were in the last 24 hours, in whole hours. What we could not send is left out. */
  attempts_24h: number
  /** How many of them were answered 2xx. */
  delivered_24h: number
  /** The same as a part of one, rounded down; null when there was no attempt. */
  success_rate_24h: number | null
  /** The attempt that failed last; null when none has. */
  last_failure: {
    at: string
    /** The status of the answer; null when there was none. */
    status: number | null
    /** The same words as those of an attempt. */
    error: string | null
  } | null
  /** Until then the secret before signs as well. */
  previous_secret_until: string | null
  created_at: string
  /** The email of the member who made it, or the start of the key. To a key, every member is `member`. */
  created_by: string
  /** Verifies the signature `v1` of what arrives. Any library for Standard Webhooks takes it as it is. */
  secret: string
  note: string
}

export type WebhookSecretRotation = {
  /** For how long the secret before signs as well. A day by default. */
  grace_seconds?: number
}

export type Redelivery = {
  /** Only to this endpoint. By default to all that want it. */
  endpoint_id?: string
}

/** One attempt to deliver. */
export type WebhookAttempt = {
  number: number
  at: string
  /** How long it took. */
  ms: number
  /** The status of the answer; null when there was none. */
  status: number | null
  /** What went wrong; null when it was delivered: `http_status`, `redirect`, `timeout`, `dns`, `tls`, `connection`, `bad_answer`, `refused_address`, `event_forgotten`, `not_sent` (the fault is ours). */
  error: string | null
  /** The first 2 KB of the answer. */
  answer: string
}

/** The deliveries that were made, one per endpoint. */
export type WebhookDeliveriesMade = {
  object: 'list'
  data: WebhookDelivery[]
}

/** One event for one endpoint. */
export type WebhookDelivery = {
  object: 'webhook_delivery'
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  endpoint_id: string
  /** The header `webhook-id`: the same however often it is sent. */
  event_id: string
  event_type: string
  /** What the event is about. */
  subject_id: string
  /** Which event of its subject it is. */
  sequence: number
  /** Why it is sent: it happened, or somebody asked for it again. */
  cause: 'event' | 'redelivery' | 'replay'
  /** `waiting`: for its next attempt. `delivered`: the receiver answered 2xx. `failed`: it is not tried again. */
  state: 'waiting' | 'delivered' | 'failed'
  /** How often it was tried. There are ten attempts over three days. */
  attempts: number
  created_at: string
  next_try_at: string | null
  ended_at: string | null
}

/** Deliveries, the newest first. */
export type WebhookDeliveryList = {
  object: 'list'
  data: WebhookDelivery[]
  /** Whether a next page exists. A page may be empty and have a next one. */
  has_more: boolean
  /** Give it as `cursor` to get the next page. */
  next_cursor: string | null
}

/** A delivery with what is sent and every attempt. */
export type WebhookDeliveryWithAttempts = {
  object: 'webhook_delivery'
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  endpoint_id: string
  /** The header `webhook-id`: the same however often it is sent. */
  event_id: string
  event_type: string
  /** What the event is about. */
  subject_id: string
  /** Which event of its subject it is. */
  sequence: number
  /** Why it is sent: it happened, or somebody asked for it again. */
  cause: 'event' | 'redelivery' | 'replay'
  /** `waiting`: for its next attempt. `delivered`: the receiver answered 2xx. `failed`: it is not tried again. */
  state: 'waiting' | 'delivered' | 'failed'
  /** How often it was tried. There are ten attempts over three days. */
  attempts: number
  created_at: string
  next_try_at: string | null
  ended_at: string | null
  /** As they are sent, without the signature, which is made for each attempt. */
  headers: Record<string, string>
  /** The body that is sent: the event. Null once it is no longer kept. */
  payload: Event | null
  /** The oldest first. */
  attempt_list: WebhookAttempt[]
}

export type WebhookReplay = {
  from: string
  /** Now by default. */
  to?: string
  /** `failed`: what was not delivered. `all`: every event that the endpoint wants, also those from before it was made. By default `failed`. */
  only?: 'failed' | 'all'
}

export type WebhookReplayStarted = {
  object: 'webhook_replay'
  /** How many are sent again. */
  deliveries: number
  /** Whether there is more than is sent at once: replay again from `until`. */
  has_more: boolean
  until: string
}

export type WebhookTest = {
  /** By default `ping`. */
  type?: 'ping' | 'payout.created' | 'payout.pending' | 'payout.processing' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.returned' | 'payout.refunded'
}

/** One attempt, made while you waited. It is not kept, and not tried again. */
export type WebhookTestResult = {
  object: 'webhook_test'
  delivered: boolean
  at: string
  /** How long it took. */
  ms: number
  /** The status of the answer; null when there was none. */
  status: number | null
  /** What went wrong; null when it was delivered: `http_status`, `redirect`, `timeout`, `dns`, `tls`, `connection`, `bad_answer`, `refused_address`, `event_forgotten`, `not_sent` (the fault is ours). */
  error: string | null
  /** The first 2 KB of the answer. */
  answer: string
  /** As they were sent, with the signature. */
  headers: Record<string, string>
  /** The body as it was sent. */
  body: string
}

/** One field that was refused. */
export type FieldError = {
  /** Its path. */
  field: string
  /** What would be right. */
  rule: string
  /** `required`: it is missing. `unknown_field`: nothing has this name. `invalid`: it breaks its rule. */
  code: 'required' | 'unknown_field' | 'invalid' | (string & {})
}

/** The details of `insufficient_funds`. */
export type InsufficientFundsDetails = {
  /** What the wallet can spend. */
  available_usdc: ExactMoney
  /** What this payout needs. */
  wallet_sends_usdc: Money
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `payouts_paused`. */
export type PayoutsPausedDetails = {
  paused_at: string
  paused_by: string
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `scope_missing`. */
export type ScopeMissingDetails = {
  /** The scope that the key lacks. */
  needed: string
}

/** The details of `address_not_allowed`. */
export type AddressNotAllowedDetails = {
  /** Where the request came from, as we see it. */
  address: string
}

/** The details of `spending_limit_reached`. */
export type SpendingLimitReachedDetails = {
  limit: 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp' | (string & {})
  /** What may be paid. */
  limit_gbp: Money
  /** What of it is used. */
  used_gbp: Money
  /** What is left. */
  remaining_gbp: Money
  /** When it begins anew; null for the limit of one payout. */
  resets_at: string | null
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `payout_not_cancellable`. */
export type PayoutNotCancellableDetails = {
  /** What the payout is. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned'
}

/** The details of `simulation_unavailable`. */
export type SimulationUnavailableDetails = {
  /** What the payout is. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned'
}

/** The details of `invalid_amount`. */
export type InvalidAmountDetails = {
  /** The smallest payout. */
  min: Money
  /** The largest payout. */
  max: Money
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `invalid_recipient`. */
export type InvalidRecipientDetails = {
  /** Each field that is wrong, with its rule. */
  missing: string[]
  /** The same, field by field, for programs. */
  errors: FieldError[]
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `corridor_not_enabled`. */
export type CorridorNotEnabledDetails = {
  enabled_countries: string[]
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `recipient_account_rejected`. */
export type RecipientAccountRejectedDetails = {
  fields?: string[]
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `idempotency_key_reused`. */
export type IdempotencyKeyReusedDetails = {
  /** The payout of the key, if you can see it. */
  payout_id?: string
  /** The fields that differ. */
  fields: string[]
}

/** The details of `rate_moved`. */
export type RateMovedDetails = {
  /** What the wallet would send. */
  wallet_sends_usdc: Money
  /** What the request allows. */
  max_wallet_debit_usdc: Money
  /** The bank refused an earlier payout with this `Idempotency-Key`, and may have made it all the same. This request sent nothing. */
  earlier_attempt?: true
}

/** The details of `code_not_accepted`. */
export type CodeNotAcceptedDetails = {
  tries_left: number
  reason: 'wrong' | 'expired' | 'used_up' | 'changed' | (string & {})
}

/** The details of `choice_needed`. */
export type ChoiceNeededDetails = {
  partners: {
    slug: string
    name: string
    role: string
    invited_by: string | null
  }[]
  invitations: {
    id: string
    slug: string
    name: string
    role: string
    invited_by: string | null
    expires_at: string
  }[]
}

/** The details of `invalid_request`. */
export type InvalidRequestDetails = {
  /** Each field that is wrong, with its rule. */
  fields: string[]
  /** The same, field by field, for programs. */
  errors: FieldError[]
}

/** The details of `rate_limited`. */
export type RateLimitedDetails = {
  limit: 'key' | 'member' | 'business' | 'network' | (string & {})
}

/** An event of `payout.created`, `payout.pending`, `payout.processing`, `payout.completed`, `payout.failed`, `payout.cancelled`, `payout.returned` or `payout.refunded`. */
export type EventOfPayout = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `payout.created`: A payout was created. `payout.pending`: It waits for the bank to confirm it. `payout.processing`: The bank has it. `payout.completed`: The money is in the recipient’s account. `payout.failed`: It did not arrive. `payout.cancelled`: It was stopped. `payout.returned`: The recipient’s bank sent it back. `payout.refunded`: The money of a payout that came to nothing is back in the wallet. */
  type: 'payout.created' | 'payout.pending' | 'payout.processing' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.returned' | 'payout.refunded'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'payout'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: Payout
}

/** An event of `balance.low` or `balance.recovered`. */
export type EventOfBalance = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `balance.low`: The wallet holds less than the settings ask for. `balance.recovered`: It holds enough again. */
  type: 'balance.low' | 'balance.recovered'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'account'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: BalanceOfEvent
}

/** An event of `deposit.received`. */
export type EventOfDeposit = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `deposit.received`: Money arrived in the wallet. */
  type: 'deposit.received'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'deposit'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: Deposit
}

/** An event of `invoice.issued`, `invoice.paid`, `invoice.overdue` or `invoice.void`. */
export type EventOfInvoice = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `invoice.issued`: An invoice was issued. `invoice.paid`: It is paid. `invoice.overdue`: It was due, and is not paid. `invoice.void`: It is void, and not to be paid. */
  type: 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.void'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'invoice'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: Invoice
}

/** An event of `verification.changed`. */
export type EventOfVerification = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `verification.changed`: The bank has decided something about the business. */
  type: 'verification.changed'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'account'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: VerificationOfEvent
}

/** An event of `api_key.created`, `api_key.changed`, `api_key.rotated` or `api_key.revoked`. */
export type EventOfApiKey = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `api_key.created`: An API key was created. `api_key.changed`: What it may do is different now. `api_key.rotated`: It was replaced by another. `api_key.revoked`: It no longer works. */
  type: 'api_key.created' | 'api_key.changed' | 'api_key.rotated' | 'api_key.revoked'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'api_key'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: ApiKey
}

/** An event of `member.limits_changed`. */
export type EventOfMember = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `member.limits_changed`: What a member may pay in the dashboard is different now. */
  type: 'member.limits_changed'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'member'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: Member
}

/** An event of `webhook_endpoint.disabled`. */
export type EventOfWebhookEndpoint = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `webhook_endpoint.disabled`: We no longer send to an endpoint. */
  type: 'webhook_endpoint.disabled'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'webhook_endpoint'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: WebhookEndpointOfEvent
}

/** An event of `ping`. */
export type PingEvent = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** `ping`: A test of an endpoint. It is no event: it is sent when you ask for it, and not kept. */
  type: 'ping'
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: 'webhook_endpoint'
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  data: WebhookEndpoint
}

/** A type that there was not yet when this was written: answer 2xx, and leave it be. */
export type EventOfAnotherType = {
  object: 'event'
  /** The same wherever the event is read or sent: two with one id are one event. */
  id: string
  /** None of the types above. */
  type: OtherWord
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  occurred_at: string
  subject: {
    object: string
    id: string
  }
  /** Counts the events of the subject: 1, 2, 3. A higher one happened later. */
  sequence: number
  /** The `X-Request-Id` of your own request that caused it; null where something else did. */
  request_id: string | null
  /** The subject as it was then, in the shape that its own `GET` answers: a payout, an invoice, a key, a member, a deposit of `GET /v1/funding`. Of `GET /v1/balance` and `GET /v1/compliance`, the part that it is about. It has no bank details. */
  data: Record<string, unknown>
}

/** The balance, and what it was measured by. */
export type BalanceOfEvent = {
  object: 'balance'
  /** What the wallet could spend then, in USDC. */
  usdc: Money
  /** The threshold that the settings had then. */
  low_balance_usdc: Money
}

/** Money that arrived in the wallet. */
export type Deposit = {
  /** The bank’s own id of the deposit. */
  id: string
  /** A transfer in pounds, or USDC. */
  source: 'bank' | 'chain'
  /** What arrived, in USDC. */
  usdc: Money
  received_at: string
}

/** The part of `GET /v1/compliance` that changed. */
export type VerificationOfEvent = {
  object: 'compliance'
  business_verification: {
    status: 'not_started' | 'in_progress' | 'in_review' | 'approved' | 'rejected' | 'suspended' | (string & {})
    /** The bank’s own word. */
    provider_status: string | null
  }
}

/** A receiver of events as it is switched off. */
export type WebhookEndpointOfEvent = {
  object: 'webhook_endpoint'
  id: string
  /** Test money or real money. An API key belongs to exactly one of them. */
  environment: 'sandbox' | 'live'
  /** Where it is. Its whole address may hold a secret. */
  host: string
  status: 'active' | 'paused' | 'disabled'
  disabled_reason: 'gone' | 'asked' | 'failing' | null
  disabled_at: string | null
}
