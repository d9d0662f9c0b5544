// The one mechanism behind every mailed confirm code. A code fits exactly what it was mailed for, in the session that
// asked, once, within five minutes and five tries. A session with too many wrong codes ends.
import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { newId, randomSixDigits } from '../../core/ids.ts'
import type { MailContent } from '../../mail/mail.ts'
import { wrongCodesMail } from '../../mail/templates/notice-mails.ts'
import {
  type CodeHolder,
  bindConfirmCode,
  confirmCodeExpiry,
  putConfirmCode,
  tryConfirmCode,
} from '../../storage/confirm-codes.ts'
import { countWrongCode, endSession } from '../../storage/sessions.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps, DataKeys } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { underEachKey } from '../secrets/known-keys.ts'
import { MOST_ATTEMPTS, codeHash, isSameHash } from './code-hash.ts'
import { describeBrowser } from './describe-browser.ts'
import { forgetAskingToConfirm, mayAskToConfirm } from './sign-in-limits.ts'

const LASTS_MS = 5 * 60_000

/**
 * Twenty tries out of a million codes, in a session that may last a week. A member who reads the mail never comes near
 * it.
 */
export const MOST_WRONG_CODES = 20

/** Who confirms: a member, for a business, in a session. */
export interface Confirmer extends CodeHolder {
  readonly businessName: string
}

export async function mailConfirmCode(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  confirmer: Confirmer,
  { fingerprint, mail }: { fingerprint: Buffer; mail: (code: string) => MailContent },
): Promise<{ sentTo: string; expiresAt: Date }> {
  const code = randomSixDigits()
  const at = deps.clock.now()
  const expiresAt = after(at, LASTS_MS)
  const outgoing = { kind: 'confirm_code', mail: { to: confirmer.email, ...mail(code) }, usefulUntil: expiresAt }
  await deps.db.inTransaction(async (tx) => {
    await mayAskToConfirm(tx, deps, confirmer)
    const hash = confirmCodeHash(deps.secrets, confirmer, fingerprint, code)
    putConfirmCode(tx, confirmer, { id: newId(at), fingerprint, codeHash: hash, createdAt: at, expiresAt })
    queueMail(tx, deps, outgoing)
  })
  deps.post.wake()
  return { sentTo: masked(confirmer.email), expiresAt }
}

type Reason = 'wrong' | 'used_up' | 'expired' | 'changed'
type Verdict = 'right' | 'session_ended' | { readonly reason: Reason; readonly triesLeft: number }

/** `usedFor` may come again with the same code; nothing else may. `untouched` says what has not happened. */
export async function spendConfirmCode(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  confirmer: Confirmer,
  given: { fingerprintOf: (secrets: DataKeys) => Buffer; code: string; usedFor: string; untouched: string },
): Promise<void> {
  // A wrong code is a result and not an error: the attempt has to be committed.
  const verdict = await deps.db.inTransaction((tx) => judge(tx, deps, confirmer, given))
  if (verdict === 'right') return
  if (verdict === 'session_ended') {
    deps.post.wake()
    throw new AppError('unauthorized', `Too many wrong codes. This session has ended. ${given.untouched}`)
  }
  throw new AppError('code_not_accepted', wordsFor(verdict.reason, given.untouched), {
    details: { tries_left: verdict.triesLeft, reason: verdict.reason },
  })
}

async function judge(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  confirmer: Confirmer,
  { fingerprintOf, code, usedFor }: { fingerprintOf: (secrets: DataKeys) => Buffer; code: string; usedFor: string },
): Promise<Verdict> {
  const at = deps.clock.now()
  const tried = await tryConfirmCode(tx, confirmer, { at, mostAttempts: MOST_ATTEMPTS, usedFor })
  if (tried === null) {
    const expiresAt = await confirmCodeExpiry(tx, confirmer)
    return { reason: expiresAt !== null && expiresAt <= at ? 'expired' : 'used_up', triesLeft: 0 }
  }
  const triesLeft = MOST_ATTEMPTS - tried.attempts
  const made = underEachKey(deps.secrets).find((each) => fingerprintOf(each).equals(tried.fingerprint))
  if (made === undefined) return { reason: 'changed', triesLeft }
  if (isSameHash(tried.codeHash, confirmCodeHash(made, confirmer, tried.fingerprint, code))) {
    bindConfirmCode(tx, confirmer, { at, usedFor })
    forgetAskingToConfirm(tx, deps, confirmer)
    return 'right'
  }
  if (await endAfterTooMany(tx, deps, confirmer)) return 'session_ended'
  return { reason: triesLeft === 0 ? 'used_up' : 'wrong', triesLeft }
}

/** Somebody who guesses does not have the mailbox: the session counts as stolen, and every admin is told. */
async function endAfterTooMany(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  { partnerId, email, sessionId, businessName }: Confirmer,
): Promise<boolean> {
  const counted = await countWrongCode(tx, { partnerId, id: sessionId })
  if (counted === null || counted.wrongCodes < MOST_WRONG_CODES) return false
  await endSession(tx, email, sessionId)
  const about = { businessName, email, browser: describeBrowser(counted.userAgent), ip: counted.ip }
  const content = wrongCodesMail({ ...about, count: MOST_WRONG_CODES })
  await notifyAdmins(tx, deps, { partnerId, kind: 'wrong_codes', weight: 'grave', content, also: [email] })
  return true
}

function confirmCodeHash(secrets: DataKeys, holder: CodeHolder, fingerprint: Buffer, code: string): Buffer {
  const { partnerId, email, sessionId } = holder
  return codeHash(secrets, ['confirm', partnerId, email, sessionId, fingerprint.toString('hex')], code)
}

function wordsFor(reason: Reason, untouched: string): string {
  switch (reason) {
    case 'wrong':
      return `This code is not right. ${untouched} Check the latest mail.`
    case 'used_up':
      return `This code was used, or tried too often. ${untouched} Ask for a new one.`
    case 'expired':
      return `This code has expired. ${untouched} Ask for a new one.`
    case 'changed':
      return `This is not what the code was mailed for. ${untouched} Ask for a new code.`
  }
}

/** Shows just enough of an address for its owner to recognise it. */
function masked(email: string): string {
  return email.replace(/^(.).*(@[^@]+)$/, '$1•••$2')
}
