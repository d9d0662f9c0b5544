// Written by `npm run docs` from docs/openapi.json. Do not edit.
import type { InsufficientFundsDetails, PayoutsPausedDetails, ScopeMissingDetails, AddressNotAllowedDetails, SpendingLimitReachedDetails, ChoiceNeededDetails, PayoutNotCancellableDetails, SimulationUnavailableDetails, InvalidAmountDetails, InvalidRecipientDetails, CorridorNotEnabledDetails, RecipientAccountRejectedDetails, IdempotencyKeyReusedDetails, RateMovedDetails, CodeNotAcceptedDetails, InvalidRequestDetails, RateLimitedDetails } from './types.ts'

export const VERSION = '1.3.0'

/** Every code that is known; the service may know more. */
export type ErrorCode = 'invalid_json' | 'idempotency_key_required' | 'invalid_header' | 'bad_request' | 'unauthorized' | 'insufficient_funds' | 'partner_not_active' | 'api_key_required' | 'payouts_paused' | 'scope_missing' | 'address_not_allowed' | 'spending_limit_reached' | 'cross_site_request' | 'business_changed' | 'sign_up_closed' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_in_progress' | 'key_limit_reached' | 'endpoint_limit_reached' | 'member_exists' | 'choice_needed' | 'last_admin' | 'session_is_newer' | 'payout_not_cancellable' | 'simulation_unavailable' | 'body_too_large' | 'unsupported_media_type' | 'invalid_amount' | 'invalid_recipient' | 'corridor_not_enabled' | 'recipient_account_rejected' | 'idempotency_key_reused' | 'rate_moved' | 'code_not_accepted' | 'confirm_code_required' | 'endpoint_not_allowed' | 'invalid_request' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'payout_not_created' | 'bank_unavailable' | 'unavailable'

/** What `details` holds, by code. Codes that are not listed have none. */
export interface ErrorDetails {
  insufficient_funds: InsufficientFundsDetails
  payouts_paused: PayoutsPausedDetails
  scope_missing: ScopeMissingDetails
  address_not_allowed: AddressNotAllowedDetails
  spending_limit_reached: SpendingLimitReachedDetails
  choice_needed: ChoiceNeededDetails
  payout_not_cancellable: PayoutNotCancellableDetails
  simulation_unavailable: SimulationUnavailableDetails
  invalid_amount: InvalidAmountDetails
  invalid_recipient: InvalidRecipientDetails
  corridor_not_enabled: CorridorNotEnabledDetails
  recipient_account_rejected: RecipientAccountRejectedDetails
  idempotency_key_reused: IdempotencyKeyReusedDetails
  rate_moved: RateMovedDetails
  code_not_accepted: CodeNotAcceptedDetails
  invalid_request: InvalidRequestDetails
  rate_limited: RateLimitedDetails
}

/** Codes that prove that the request sent nothing. */
export const NOTHING_WAS_SENT: ReadonlySet<string> = new Set(
  'invalid_json idempotency_key_required invalid_header bad_request unauthorized insufficient_funds partner_not_active api_key_required payouts_paused scope_missing address_not_allowed spending_limit_reached cross_site_request business_changed sign_up_closed not_found method_not_allowed request_timeout key_limit_reached endpoint_limit_reached member_exists choice_needed last_admin session_is_newer simulation_unavailable body_too_large unsupported_media_type invalid_amount invalid_recipient corridor_not_enabled recipient_account_rejected rate_moved code_not_accepted confirm_code_required endpoint_not_allowed invalid_request rate_limited headers_too_large payout_not_created bank_unavailable'.split(' '),
)

/** Codes of requests whose idempotency key was not looked up: an earlier request with it may have sent something. */
export const COMES_BEFORE_KEY: ReadonlySet<string> = new Set(
  'invalid_header bad_request unauthorized partner_not_active api_key_required scope_missing address_not_allowed cross_site_request business_changed not_found method_not_allowed request_timeout code_not_accepted confirm_code_required rate_limited headers_too_large'.split(' '),
)
