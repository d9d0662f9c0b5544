// The code that confirms a live payout. The right code is bound for good to the Idempotency-Key that it came with: a
// key makes at most one payout, so the code does too, and a request that was cut off can be repeated with both.
import type { CreatePayoutRequest } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import { type Confirmer, spendConfirmCode } from '../../access/confirm-codes.ts'
import type { Deps } from '../../deps.ts'
import { type QuoteTerms, acceptedAmount } from '../../quotes/quote.ts'
import { afterFirstRequest, waitPerKey } from './wait-for-first-request.ts'
import { payoutRequest, requestFingerprint } from '../request/payout-request.ts'

export async function requireConfirmation(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  confirmer: Confirmer,
  wanted: { scope: Scope; limits: QuoteTerms['limits']; idempotencyKey: string; body: CreatePayoutRequest },
): Promise<void> {
  const waiting = waitPerKey(deps.clock, wanted)
  // An existing payout was confirmed, or made with an API key: repeating the request pays nothing.
  if ((await afterFirstRequest(deps, waiting, wanted)) !== null) return
  try {
    await confirm(deps, confirmer, wanted)
  } catch (error) {
    // The same request may have got through meanwhile, so we must not say that nothing was sent.
    if (error instanceof AppError && (await afterFirstRequest(deps, waiting, wanted)) !== null) return
    throw error
  }
}

async function confirm(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  confirmer: Confirmer,
  wanted: { limits: QuoteTerms['limits']; idempotencyKey: string; body: CreatePayoutRequest },
): Promise<void> {
  const { limits, idempotencyKey, body } = wanted
  if (body.confirm_code === undefined) {
    throw new AppError(
      'confirm_code_required',
      'A live payout from the dashboard needs confirm_code, the six digits that were mailed for it. Nothing was sent.',
    )
  }
  const amount = acceptedAmount(body.amount_gbp, limits)
  const { confirm_code: code } = body
  await spendConfirmCode(deps, confirmer, {
    fingerprintOf: (secrets) => requestFingerprint(secrets, payoutRequest(body), amount),
    code,
    usedFor: idempotencyKey,
    untouched: 'Nothing was sent.',
  })
}
