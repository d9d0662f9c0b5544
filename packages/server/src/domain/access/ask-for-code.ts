// Mails a code to an address. The answer and the work are the same for an address that nobody has; only the mail goes
// to nobody then, and mail is sent after the answer.
import { after } from '../../core/clock.ts'
import { randomSixDigits } from '../../core/ids.ts'
import { signInMail } from '../../mail/templates/code-mails.ts'
import { listInvitationsOf } from '../../storage/invitations.ts'
import { type PersonInBrowser, isKnownBrowser } from '../../storage/known-browsers.ts'
import { listMemberships } from '../../storage/members.ts'
import { putSignInCode } from '../../storage/sign-in-codes.ts'
import type { Deps } from '../deps.ts'
import { queueForNobody, queueMail } from '../mail/queue-mail.ts'
import { codeHash } from './code-hash.ts'
import { describeBrowser } from './describe-browser.ts'
import { mayAskForCode } from './sign-in-limits.ts'
import type { VisitorInBrowser } from './start-session.ts'

/** Ties a code to its purpose, so that it is worth nothing elsewhere. */
export function signInCodeIs({ email, browserHash }: PersonInBrowser): string[] {
  return ['sign-in', email, browserHash.toString('hex')]
}

export const CODE_LASTS_MS = 10 * 60_000

export interface AskedCode {
  readonly email: string
  readonly from: VisitorInBrowser
  /** The business that a sign-up opens; null to sign in to an existing one. */
  readonly signUp: { readonly businessName: string; readonly name: string | null } | null
}

export async function askForCode(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  asked: AskedCode,
): Promise<void> {
  const email = asked.email.toLowerCase()
  const { from, signUp } = asked
  const code = randomSixDigits()
  await deps.db.inTransaction(async (tx) => {
    const person = { email, browserHash: from.browserHash }
    await mayAskForCode(tx, deps, { ...person, ip: from.ip, isKnown: await isKnownBrowser(tx, person) })
    const at = deps.clock.now()
    const isMember = (await listMemberships(tx, email)).length > 0
    const isInvited = (await listInvitationsOf(tx, email, at)).length > 0
    const expiresAt = after(at, CODE_LASTS_MS)
    const businessName = signUp?.businessName ?? null
    const hash = codeHash(deps.secrets, signInCodeIs(person), code)
    putSignInCode(tx, {
      ...person,
      codeHash: hash,
      businessName,
      memberName: signUp?.name ?? null,
      createdAt: at,
      expiresAt,
    })
    const content = signInMail({
      code,
      browser: describeBrowser(from.userAgent),
      ip: from.ip,
      opens: signUp === null ? 'session' : isMember ? 'another_business' : 'first_business',
    })
    const outgoing = { kind: 'sign_in_code', mail: { to: email, ...content }, usefulUntil: expiresAt }
    if (isMember || isInvited || signUp !== null) queueMail(tx, deps, outgoing)
    else queueForNobody(tx, deps, outgoing)
  })
  deps.post.wake()
}
