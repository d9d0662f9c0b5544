// Exchanges a code for a session: once, within five tries, and at sign-up together with the new business.
import { AppError } from '../../core/errors.ts'
import { assert } from '../../core/assert.ts'
import { welcomeMail } from '../../mail/templates/team-mails.ts'
import { type OwnInvitation, listInvitationsOf } from '../../storage/invitations.ts'
import { isKnownBrowser, rememberBrowser } from '../../storage/known-browsers.ts'
import { type Membership, listMemberships, touchMember } from '../../storage/members.ts'
import { endSessionByToken } from '../../storage/sessions.ts'
import { type TriedCode, trySignInCode, untrySignInCode, useSignInCode } from '../../storage/sign-in-codes.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { underEachKey } from '../secrets/known-keys.ts'
import { createPartnerIn } from '../partners/create-partner.ts'
import { slugCandidates } from '../partners/slug.ts'
import { acceptInvitationIn, declineInvitationIn } from './answer-invitation.ts'
import { signInCodeIs } from './ask-for-code.ts'
import { MOST_ATTEMPTS, codeHash, isSameHash } from './code-hash.ts'
import { tellOfNewBrowser } from './new-browser.ts'
import { sessionTokenHash } from './session-token.ts'
import { forgetAsking, mayOpenBusiness, mayTryCode } from './sign-in-limits.ts'
import { type VisitorInBrowser, startSessionIn } from './start-session.ts'

export interface Redeem {
  readonly email: string
  readonly code: string
  /** The business to open first, by its slug, if the person is a member of it. */
  readonly partner: string | null
  /** An invitation to accept while signing in. */
  readonly accept: string | null
  readonly decline: string | null
  readonly from: VisitorInBrowser
  /** The session that the browser had before. It ends. */
  readonly previousToken: string | null
  readonly publicUrl: string
}

/** The code is right, and there is more than one way to go on: the person has to choose. */
export interface Choice {
  readonly businesses: readonly Membership[]
  readonly invitations: readonly OwnInvitation[]
}

export interface Redeemed {
  readonly token: string
  readonly sandboxKey: string | null
}

type RedeemDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post' | 'bankRails'>

export async function redeemCode(deps: RedeemDeps, wanted: Redeem): Promise<Redeemed> {
  const email = wanted.email.toLowerCase()
  // A wrong code is a result and not an error: the attempt has to be committed.
  const outcome = await deps.db.inTransaction(async (tx): Promise<Redeemed | Choice | { triesLeft: number }> => {
    const person = { email, browserHash: wanted.from.browserHash }
    const asker = { ...person, ip: wanted.from.ip, isKnown: await isKnownBrowser(tx, person) }
    await mayTryCode(tx, deps, asker)
    const tried = await trySignInCode(tx, person, { at: deps.clock.now(), mostAttempts: MOST_ATTEMPTS })
    if (tried === null) return { triesLeft: 0 }
    const isRight = underEachKey(deps.secrets).some((each) =>
      isSameHash(tried.codeHash, codeHash(each, signInCodeIs(person), wanted.code)),
    )
    const member = isRight ? await memberFor(tx, deps, { ...wanted, email }, tried) : null
    if (member === null) return { triesLeft: MOST_ATTEMPTS - tried.attempts }
    if ('businesses' in member) {
      untrySignInCode(tx, person)
      return member
    }
    const at = deps.clock.now()
    useSignInCode(tx, person, at)
    forgetAsking(tx, deps, asker)
    const isNewThere = member.sandboxKey !== null || wanted.accept !== null
    const visit = { ...wanted, email, except: isNewThere ? member.partnerId : null }
    if (!asker.isKnown) await tellOfNewBrowser(tx, deps, visit)
    rememberBrowser(tx, person, at)
    if (wanted.previousToken !== null) endSessionByToken(tx, sessionTokenHash(wanted.previousToken))
    touchMember(tx, { partnerId: member.partnerId, email, at })
    const { token } = startSessionIn(tx, { partnerId: member.partnerId, email }, { ...wanted.from, at })
    return { token, sandboxKey: member.sandboxKey }
  })
  if ('triesLeft' in outcome) throw codeNotAccepted(outcome.triesLeft)
  if ('businesses' in outcome) throw choiceNeeded(outcome)
  deps.post.wake()
  return outcome
}

/** One wording for unknown addresses, wrong codes and old codes: it must not tell them apart. */
function codeNotAccepted(triesLeft: number): AppError {
  return new AppError(
    'code_not_accepted',
    'This code is wrong, has expired, or was asked for in another browser. Check the latest mail, or ask again.',
    {
      details: { tries_left: triesLeft, reason: triesLeft === 0 ? 'used_up' : 'wrong' },
    },
  )
}

/** Shown only to somebody who has read the mail. */
function choiceNeeded({ businesses, invitations }: Choice): AppError {
  return new AppError(
    'choice_needed',
    'The code is right. Say which business to sign in to, or which invitation to accept.',
    {
      details: {
        partners: businesses.map(({ slug, name, role, invitedBy }) => ({ slug, name, role, invited_by: invitedBy })),
        invitations: invitations.map(ownInvitation),
      },
    },
  )
}

export function ownInvitation({ id, slug, businessName, role, invitedBy, expiresAt }: OwnInvitation) {
  return { id, slug, name: businessName, role, invited_by: invitedBy, expires_at: expiresAt.toISOString() }
}

/** The membership that the session is for; null for an address that nobody has, even with the right digits. */
async function memberFor(
  tx: Tx,
  deps: RedeemDeps,
  wanted: Redeem,
  tried: TriedCode,
): Promise<{ partnerId: string; sandboxKey: string | null } | Choice | null> {
  if (tried.businessName !== null) return openBusiness(tx, deps, wanted, { ...tried, name: tried.businessName })
  const { email, accept, decline, publicUrl } = wanted
  if (accept !== null) {
    return { partnerId: await acceptInvitationIn(tx, deps, { email, id: accept, publicUrl }), sandboxKey: null }
  }
  if (decline !== null) await declineInvitationIn(tx, deps, { email, id: decline })
  const businesses = await listMemberships(tx, email)
  const chosen = businesses.find(({ slug }) => slug === wanted.partner) ?? usedLast(businesses)
  if (chosen !== undefined) return { partnerId: chosen.partnerId, sandboxKey: null }
  const invitations = await listInvitationsOf(tx, email, deps.clock.now())
  const isNobody = businesses.length === 0 && invitations.length === 0 && decline === null
  return isNobody ? null : { businesses, invitations }
}

/** The business used last, or the only one. Nothing else decides where a sign-in lands. */
function usedLast(businesses: readonly Membership[]): Membership | undefined {
  return businesses.length === 1 ? businesses[0] : businesses.find(({ lastLoginAt }) => lastLoginAt !== null)
}

async function openBusiness(
  tx: Tx,
  deps: RedeemDeps,
  { email, publicUrl, from }: Pick<Redeem, 'email' | 'publicUrl' | 'from'>,
  { name, memberName }: { name: string; memberName: string | null },
): Promise<{ partnerId: string; sandboxKey: string }> {
  await mayOpenBusiness(tx, deps, { email, ip: from.ip })
  for (const slug of slugCandidates(name)) {
    const created = await createPartnerIn(tx, deps, { name, slug, adminEmail: email, adminName: memberName })
    if (created === null) continue
    const dashboardUrl = `${publicUrl}/dashboard/${slug}`
    const content = welcomeMail({ businessName: name, dashboardUrl, docsUrl: `${publicUrl}/docs` })
    queueMail(tx, deps, { kind: 'welcome', mail: { to: email, ...content }, usefulUntil: null })
    return { partnerId: created.partnerId, sandboxKey: created.sandboxKey.secret }
  }
  assert(false, 'of several random slugs one is free')
}
