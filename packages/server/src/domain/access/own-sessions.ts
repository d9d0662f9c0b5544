// What a person does with sessions that exist: look at them, end them, turn to another business.
import { after } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type Membership, listMemberships } from '../../storage/members.ts'
import {
  type SessionRow,
  endSession as writeEnd,
  listSessions,
  moveSession,
  tidySessions,
} from '../../storage/sessions.ts'
import { tidyAllowances } from '../../storage/allowances.ts'
import { tidyConfirmCodes } from '../../storage/confirm-codes.ts'
import { tidySignInCodes } from '../../storage/sign-in-codes.ts'
import type { Deps } from '../deps.ts'
import { SESSION_IDLE_MS } from './session-limits.ts'

export function listOwnSessions(deps: Pick<Deps, 'db' | 'clock'>, email: string): Promise<SessionRow[]> {
  const at = deps.clock.now()
  return listSessions(deps.db, email, at, after(at, -SESSION_IDLE_MS))
}

/** From the next request on, in every process. */
export async function endSession(deps: Pick<Deps, 'db'>, email: string, id: string): Promise<void> {
  const isEnded = isUuid(id) && (await deps.db.inTransaction((tx) => writeEnd(tx, email, id)))
  if (!isEnded) throw notFound()
}

export function listBusinesses(deps: Pick<Deps, 'db'>, email: string): Promise<Membership[]> {
  return listMemberships(deps.db, email)
}

export async function chooseBusiness(
  deps: Pick<Deps, 'db'>,
  session: { email: string; id: string },
  slug: string,
): Promise<void> {
  const chosen = (await listMemberships(deps.db, session.email)).find((membership) => membership.slug === slug)
  if (chosen === undefined) throw notFound()
  const { partnerId } = chosen
  const isMoved = await deps.db.inTransaction((tx) => moveSession(tx, { ...session, partnerId }))
  if (!isMoved) throw notFound()
}

const EXPIRED_KEPT_MS = 60 * 60_000

/** Takes away what no longer lets anybody in. */
export async function tidyAccess(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const at = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    tidySignInCodes(tx, after(at, -EXPIRED_KEPT_MS))
    tidyConfirmCodes(tx, after(at, -EXPIRED_KEPT_MS))
    tidyAllowances(tx, at)
    tidySessions(tx, at, after(at, -SESSION_IDLE_MS))
  })
}
