// The invited person decides: accepting makes them a member, and declining leaves no trace.
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type OwnInvitation, listInvitationsOf, takeInvitation } from '../../storage/invitations.ts'
import { insertMember } from '../../storage/members.ts'
import { lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { type NoticeDeps, tellOfTeam } from './team-notice.ts'

export function listOwnInvitations(deps: Pick<Deps, 'db' | 'clock'>, email: string): Promise<OwnInvitation[]> {
  return listInvitationsOf(deps.db, email, deps.clock.now())
}

/** Returns the business that they are a member of now. Call `deps.post.wake()` after the commit. */
export async function acceptInvitationIn(
  tx: Tx,
  deps: NoticeDeps,
  answer: { email: string; id: string; publicUrl: string },
): Promise<string> {
  const { email, id, publicUrl } = answer
  const at = deps.clock.now()
  const found = (await listInvitationsOf(tx, email, at)).find((each) => each.id === id)
  if (found === undefined) throw notFound()
  const { partnerId, role, name, invitedBy, slug, businessName } = found
  await lockPartner(tx, partnerId)
  // The invitation may have been withdrawn while this waited for the lock.
  if (!(await takeInvitation(tx, partnerId, id))) throw notFound()
  await insertMember(tx, { partnerId, id: newId(at), email, name, role, invitedBy, createdAt: at })
  const change = { partner: { id: partnerId, name: businessName, slug }, by: email, publicUrl }
  await tellOfTeam(tx, deps, change, { event: 'joined', email, role, touchesAdmins: role === 'admin' })
  return partnerId
}

export async function declineInvitationIn(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  { email, id }: { email: string; id: string },
): Promise<void> {
  const found = (await listInvitationsOf(tx, email, deps.clock.now())).find((each) => each.id === id)
  if (found === undefined || !(await takeInvitation(tx, found.partnerId, id))) throw notFound()
}
