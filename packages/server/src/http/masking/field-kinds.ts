// Which fields of requests and answers the log of requests may tell, and in which shape. It is a list of what may be told: a field
// that is not here is not told, not even its name, because a caller may put anything there. A test wants every field of the API here.

/**
 * - `word`: told if it is one of the API's own words.
 * - `id`, `sum`, `time`, `number`, `key`, `cursor`: told if the value looks like one. Anything else is masked.
 * - `text`: our own words, told of answers, without what they repeat of the request.
 * - `reference`: told if it chooses an outcome in the sandbox.
 * - `hidden`: masked, its length and punctuation stay. People, addresses, accounts, and text that somebody wrote.
 * - `secret`: not even its length is told.
 * - `parts`: only what is in it may be told.
 */
export type FieldKind =
  | 'id'
  | 'word'
  | 'sum'
  | 'time'
  | 'number'
  | 'key'
  | 'cursor'
  | 'text'
  | 'reference'
  | 'hidden'
  | 'secret'
  | 'parts'

const NAMES: Readonly<Record<FieldKind, string>> = {
  id: `after before subject deposit_id endpoint_id event_id id key_id last_event_id member_id partner_id payout_id replaced_by replaces request_id
    subject_id`,
  word: `action algorithm cause chain code country created_via currency environment event event_type events failure_code hide
    enabled_countries in_environment kind needed number object only outcome provider_status rail reason retry role scopes screening source state status
    status_class type v verification_status version via`,
  sum: `amount_from amount_gbp amount_to approx_gbp balance_usdc came_back_usdc charged_exact_gbp charged_gbp closing_usdc
    completed_gbp daily_gbp exchange_rate fee_gbp fee_in_transfer_gbp fee_on_invoice_gbp fees_gbp gbp_per_day gbp_per_usd in_usdc
    low_balance_usdc max_per_payout max_per_payout_gbp min monthly_gbp on_monthly_invoice_gbp opening_usdc other_gbp out_usdc
    max max_wallet_debit_usdc available_usdc paid_gbp paid_out_usdc paid_to_sellers_gbp seller_receives_gbp spent_this_month_gbp spent_today_gbp suggested_top_up_usdc
    taken_in_transfer_gbp taken_out_usdc topped_up_usdc total_gbp unit_price_exact_gbp unit_price_gbp usdc wallet_sends_usdc
    wallet_sent_usdc limit_gbp used_gbp remaining_gbp`,
  time: `at charged_at completed_at completed_from completed_in completed_to counted_from created_at created_from created_to date
    disabled_at due_at ended_at ended_from ended_to expires_at failing_since from issued_at last_login_at last_paid_at last_seen_at
    last_used_at mailed_at month next_try_at kept_until occurred_at paid_at paused_at period period_end period_start previous_secret_until
    received_at refunded_at resets_at revoked_at sealed_at signed_at to until updated_at voided_at`,
  number: `attempts attempts_24h delivered_24h success_rate_24h bytes cancelled completed count days deliveries done duration_ms expires_in failed form grace_seconds limit ms payouts payouts_cancelled payouts_under_way
    pending position processing quantity resend_after returned seconds sequence total tries_left`,
  key: 'idempotency_key',
  cursor: 'cursor next_cursor',
  text: 'disabled_reason doc_url failure_reason field fields message missing note rule title',
  reference: 'reference',
  hidden: `account_last4 account_name account_number address allowed_ips answer answer_body bank_name billing_address billing_email
    billing_name body brand_color business_name by city confirms contact_email continue_url created_by curl description detail
    docs email entry_hash first_name hash host how_to_pay invited_by ip key_prefix label last_name last_used_ip line line1 line2 logo_url mailbox_url
    method name partner path paused_by postal_code public_key q query recipient_name region request_body sent_to signature slug sort_code
    statement_reference summary by_name terms_url url user_agent vat_number wallet_chain`,
  secret: 'confirm_code sandbox_key secret',
  parts: `accept account attempt_list bank bank_exceptions bank_transfer business_verification by_status can_end can_start cancelable changes
    close_month cut data declined decline deleted delivered deposits details earlier_attempt entry error errors fee_breakdown funding_wallet has_more head headers
    invitations invoice invoice_so_far is_cancellable is_current isolated_wallet last_failure left_out lines live_open monthly_account network_fees next
    onchain partners paused payload payout payout_limits_gbp payouts_pause prices quote recipient rehearsal removed request response revoked
    runway sign_up signed_out signs_now start steps top_ups totals warnings withdrawn`,
}

const KINDS: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name): [string, FieldKind] => [name, kind as FieldKind]),
  ),
)

/** Null for a name that the API does not have. */
export const kindOf = (name: string): FieldKind | null => KINDS.get(name) ?? null
