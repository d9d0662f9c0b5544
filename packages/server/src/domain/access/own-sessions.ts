// What a person does with their sessions: list them, end them, turn to another business.
import { after } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type Membership, listMemberships, touchMember } from '../../storage/members.ts'
import {
  type SessionRow,
  endSession as writeEnd,
  listSessions,
  moveSession,
  tidySessions,
} from '../../storage/sessions.ts'
import { tidyAllowances } from '../../storage/allowances.ts'
import { tidyConfirmCodes } from '../../storage/confirm-codes.ts'
import { type OwnInvitation, listInvitationsOf, tidyInvitations } from '../../storage/invitations.ts'
import { tidyKnownBrowsers } from '../../storage/known-browsers.ts'
import { tidySignInCodes } from '../../storage/sign-in-codes.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { acceptInvitationIn, declineInvitationIn } from './answer-invitation.ts'
import { SESSION_IDLE_MS } from './session-limits.ts'
import type { NoticeDeps } from './team-notice.ts'

export function listOwnSessions(deps: Pick<Deps, 'db' | 'clock'>, email: string): Promise<SessionRow[]> {
  const at = deps.clock.now()
  return listSessions(deps.db, email, at, after(at, -SESSION_IDLE_MS))
}

/** Holds from the next request on, in every process. */
export async function endSession(deps: Pick<Deps, 'db'>, email: string, id: string): Promise<void> {
  const isEnded = isUuid(id) && (await deps.db.inTransaction((tx) => writeEnd(tx, email, id)))
  if (!isEnded) throw notFound()
}

/**
 * Each sign-in proves that somebody reads the mailbox. A later proof is worth more; of two at the same moment neither
 * is.
 */
export function mayEnd(own: Pick<SessionRow, 'createdAt'>, other: Pick<SessionRow, 'createdAt'>): boolean {
  return other.createdAt < own.createdAt
}

/** Ends a session that signed in earlier, or itself: a stolen session must not be able to end its owner's new one. */
export async function endOtherSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  own: { email: string; id: string },
  id: string,
): Promise<void> {
  const sessions = await listOwnSessions(deps, own.email)
  const [asking, other] = [own.id, id.toLowerCase()].map((wanted) => sessions.find((each) => each.id === wanted))
  if (asking === undefined || other === undefined) throw notFound()
  if (asking !== other && !mayEnd(asking, other)) {
    throw new AppError(
      'session_is_newer',
      'That session signed in later than this one, so it goes on. Sign in again with a mailed code, and end it from there.',
    )
  }
  await endSession(deps, own.email, other.id)
}

export interface Belongings {
  readonly businesses: readonly Membership[]
  readonly invitations: readonly OwnInvitation[]
}

/** The businesses that somebody is a member of, and their open invitations. */
export async function readBelongings(deps: Pick<Deps, 'db' | 'clock'>, email: string): Promise<Belongings> {
  const businesses = await listMemberships(deps.db, email)
  return { businesses, invitations: await listInvitationsOf(deps.db, email, deps.clock.now()) }
}

export async function chooseBusiness(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: { email: string; id: string },
  slug: string,
): Promise<void> {
  const chosen = (await listMemberships(deps.db, session.email)).find((membership) => membership.slug === slug)
  if (chosen === undefined) throw notFound()
  const { partnerId } = chosen
  await deps.db.inTransaction((tx) => turnTo(tx, deps, session, partnerId))
}

async function turnTo(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  session: { email: string; id: string },
  partnerId: string,
): Promise<void> {
  if (!(await moveSession(tx, { ...session, partnerId }))) throw notFound()
  // The business used last is the one that the next sign-in opens.
  touchMember(tx, { partnerId, email: session.email, at: deps.clock.now() })
}

/** Accepts an invitation and turns the session to that business. */
export async function acceptInvitation(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  session: { email: string; id: string },
  answer: { id: string; publicUrl: string },
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const partnerId = await acceptInvitationIn(tx, deps, { ...answer, email: session.email })
    await turnTo(tx, deps, session, partnerId)
  })
  deps.post.wake()
}

export async function declineInvitation(deps: Pick<Deps, 'db' | 'clock'>, email: string, id: string): Promise<void> {
  await deps.db.inTransaction((tx) => declineInvitationIn(tx, deps, { email, id }))
}

const EXPIRED_KEPT_MS = 60 * 60_000
/** The longest that browsers keep a cookie. */
export const BROWSER_KEPT_MS = 400 * 24 * 60 * 60_000

/** Deletes sessions, codes and browsers that no longer let anybody in. */
export async function tidyAccess(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const at = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    tidySignInCodes(tx, after(at, -EXPIRED_KEPT_MS))
    tidyConfirmCodes(tx, after(at, -EXPIRED_KEPT_MS))
    tidyAllowances(tx, at)
    tidyInvitations(tx, at)
    tidyKnownBrowsers(tx, after(at, -BROWSER_KEPT_MS))
    tidySessions(tx, at, after(at, -SESSION_IDLE_MS))
  })
}
