// The code that confirms a live payout. The right code is bound to the Idempotency-Key that it came with, for good: the
// key makes at most one payout, so the code does, and a request that was cut off can be repeated with both.
import type { CreatePayoutRequest } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/scope.ts'
import { bindConfirmCode, confirmCodeExpiry, tryConfirmCode } from '../../storage/confirm-codes.ts'
import { MOST_ATTEMPTS, codeHash, isSameHash } from '../access/code-hash.ts'
import { forgetAskingToConfirm } from '../access/sign-in-limits.ts'
import type { Deps, Secrets } from '../deps.ts'
import { type QuoteTerms, acceptedAmount } from '../quotes/quote.ts'
import { afterFirstRequest, patience } from './patience.ts'
import { payoutRequest, requestFingerprint } from './payout-request.ts'

/** Who confirms: a member, for a business. */
export interface Confirmer {
  readonly partnerId: string
  readonly email: string
}

export function confirmCodeHash(secrets: Secrets, confirmer: Confirmer, fingerprint: Buffer, code: string): Buffer {
  return codeHash(secrets, ['confirm', confirmer.partnerId, confirmer.email, fingerprint.toString('hex')], code)
}

type Reason = 'wrong' | 'used_up' | 'expired' | 'changed'

export async function requireConfirmation(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  confirmer: Confirmer,
  wanted: { scope: Scope; limits: QuoteTerms['limits']; idempotencyKey: string; body: CreatePayoutRequest },
): Promise<void> {
  const waiting = patience()
  // A payout that is there already was confirmed, or made with an API key: repeating the request pays nothing.
  if ((await afterFirstRequest(deps, waiting, wanted)) !== null) return
  try {
    await confirm(deps, confirmer, wanted)
  } catch (error) {
    // The same request may have been let through and sent meanwhile: then nobody says that nothing was sent.
    if (error instanceof AppError && (await afterFirstRequest(deps, waiting, wanted)) !== null) return
    throw error
  }
}

async function confirm(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
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
  const fingerprint = requestFingerprint(deps.secrets, payoutRequest(body), acceptedAmount(body.amount_gbp, limits))
  const hash = confirmCodeHash(deps.secrets, confirmer, fingerprint, body.confirm_code)
  const refusal = await judge(deps, confirmer, { fingerprint, hash, idempotencyKey })
  if (refusal === null) return
  throw new AppError('code_not_accepted', WORDS[refusal.reason], {
    details: { tries_left: refusal.triesLeft, reason: refusal.reason },
  })
}

const WORDS: Readonly<Record<Reason, string>> = {
  wrong: 'This code is not right. Nothing was sent. Check the latest mail.',
  used_up: 'This code was used, or tried too often. Nothing was sent. Ask for a new one.',
  expired: 'This code has expired. Nothing was sent. Ask for a new one.',
  changed: 'The payout is not the one that the code was mailed for. Nothing was sent. Ask for a new code.',
}

/** A wrong code is an outcome and no failure: its attempt has to be committed. */
function judge(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  confirmer: Confirmer,
  given: { fingerprint: Buffer; hash: Buffer; idempotencyKey: string },
): Promise<{ reason: Reason; triesLeft: number } | null> {
  const { fingerprint, hash, idempotencyKey } = given
  return deps.db.inTransaction(async (tx) => {
    const at = deps.clock.now()
    const tried = await tryConfirmCode(tx, confirmer, { at, mostAttempts: MOST_ATTEMPTS, idempotencyKey })
    if (tried === null) {
      const expiresAt = await confirmCodeExpiry(tx, confirmer)
      return { reason: expiresAt !== null && expiresAt <= at ? 'expired' : 'used_up', triesLeft: 0 }
    }
    const triesLeft = MOST_ATTEMPTS - tried.attempts
    if (!tried.fingerprint.equals(fingerprint)) return { reason: 'changed', triesLeft }
    if (!isSameHash(tried.codeHash, hash)) return { reason: triesLeft === 0 ? 'used_up' : 'wrong', triesLeft }
    bindConfirmCode(tx, confirmer, { at, idempotencyKey })
    forgetAskingToConfirm(tx, deps, `${confirmer.partnerId}/${confirmer.email}`)
    return null
  })
}
