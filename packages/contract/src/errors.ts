import { Type, type Static } from 'typebox'

import { Named, Words } from './schema.ts'

/** Every code that `error.code` can have. `docs/errors.md` has a section for each. */
export const ERROR_CODES = [
  'invalid_json',
  'idempotency_key_required',
  'invalid_header',
  'bad_request',
  'unauthorized',
  'insufficient_funds',
  'partner_not_active',
  'api_key_required',
  'payouts_paused',
  'scope_missing',
  'address_not_allowed',
  'spending_limit_reached',
  'cross_site_request',
  'business_changed',
  'sign_up_closed',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'idempotency_key_in_progress',
  'key_limit_reached',
  'endpoint_limit_reached',
  'member_exists',
  'choice_needed',
  'last_admin',
  'session_is_newer',
  'payout_not_cancellable',
  'simulation_unavailable',
  'body_too_large',
  'unsupported_media_type',
  'invalid_amount',
  'invalid_recipient',
  'corridor_not_enabled',
  'recipient_account_rejected',
  'idempotency_key_reused',
  'rate_moved',
  'code_not_accepted',
  'confirm_code_required',
  'endpoint_not_allowed',
  'invalid_request',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'payout_not_created',
  'bank_unavailable',
  'unavailable',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export const ErrorBody = Named(
  'Error',
  Type.Object(
    {
      error: Type.Object({
        code: Words(ERROR_CODES, { 'x-open': true }),
        message: Type.String({ description: 'What is wrong and what to do, for the developer who reads it.' }),
        details: Type.Optional(Type.Unknown({ description: 'What a program can use, depending on the code.' })),
        request_id: Type.Optional(Type.String({ description: 'The same as the header X-Request-Id.' })),
        doc_url: Type.Optional(Type.String({ format: 'uri' })),
      }),
    },
    { description: 'The body of every failure.' },
  ),
)
export type ErrorBody = Static<typeof ErrorBody>
