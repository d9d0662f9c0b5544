// The code that a live payout from the dashboard needs.
import { ConfirmCodeRequest, ConfirmCodeSent } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { askToConfirm } from '../../domain/payouts/create/ask-to-confirm.ts'
import { callerOf, sessionOf, termsOf } from '../access/authenticate.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import { sessionSample } from '../access/session-samples.ts'
import type { RouteContext } from './route-context.ts'

const SAMPLE_BODY = `'{
    "amount_gbp": "25.00",
    "recipient": {
      "first_name": "Amara",
      "last_name": "Okafor",
      "address": { "line1": "1 High Street", "city": "Leeds", "postal_code": "LS1 4AP" },
      "bank": { "bank_name": "Co-op", "sort_code": "089999", "account_number": "66374958" }
    }
  }'`

const ASK: Operation = {
  id: 'askForConfirmCode',
  tag: 'Dashboard',
  auth: 'session',
  needs: 'admin',
  summary: 'Ask for the code that confirms a payout',
  description:
    'Mails six digits to the member who asks. They fit this amount, recipient and reference and nothing else, once, for five minutes and five tries; send them as `confirm_code` with `POST /v1/payouts`. The mail has the warnings. What the wallet cannot pay, the member may not pay, or no account can receive, is refused before anything is mailed. Live only: sandbox payouts need none.',
  query: EnvironmentQuery,
  body: ConfirmCodeRequest,
  ok: { 202: { schema: ConfirmCodeSent, description: 'A code is on its way.' } },
  errors: [
    'invalid_json',
    'invalid_request',
    'corridor_not_enabled',
    'invalid_amount',
    'invalid_recipient',
    'recipient_account_rejected',
    'insufficient_funds',
    'payouts_paused',
    'spending_limit_reached',
    'body_too_large',
    'unsupported_media_type',
    'bank_unavailable',
  ],
  curl: (base) =>
    sessionSample(base, '/v1/payouts/confirm-code?environment=live', { method: 'POST', body: SAMPLE_BODY }),
}

export function addConfirmCodeRoute({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: ConfirmCodeRequest }>('/v1/payouts/confirm-code', {
    config: { auth: 'session', needs: 'admin', needsVerification: true, action: 'confirm_code.create' },
    schema: operationSchema(ASK, publicUrl),
    handler: async (request, reply) => {
      const { environment } = callerOf(request)
      if (environment === 'sandbox') {
        throw new AppError('invalid_request', 'Sandbox payouts need no code. For a live one, send environment=live.')
      }
      const wanted = { terms: termsOf(request), body: request.body, memberId: sessionOf(request).memberId }
      const asked = await askToConfirm(deps, confirmerOf(request), wanted)
      const sent: ConfirmCodeSent = {
        object: 'confirm_code',
        sent_to: asked.sentTo,
        expires_at: asked.expiresAt.toISOString(),
        amount_gbp: asked.amountGbp,
        recipient_name: asked.recipientName,
      }
      return reply.code(202).send(sent)
    },
  })
}
