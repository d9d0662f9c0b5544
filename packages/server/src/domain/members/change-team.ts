// Changes to a team's members. Whatever happens at the same time, a business always has an admin.
import type { MemberRole } from '@kestrel/contract'

import { notFound } from '../../core/errors.ts'
import { withdrawInvitationsBy } from '../../storage/invitations.ts'
import {
  type MemberRow,
  changeMember as writeChange,
  listMembers as readMembers,
  removeMember as writeRemoval,
} from '../../storage/members.ts'
import { codeRequired } from '../access/doors.ts'
import type { Deps } from '../deps.ts'
import { changesAdmins } from './member-doors.ts'
import { lockedTeam, memberIn, requireAnotherAdmin } from './team.ts'
import { type NoticeDeps, type TeamChange, tellOfTeam } from '../access/team-notice.ts'

export function listMembers(deps: Pick<Deps, 'db'>, partnerId: string): Promise<MemberRow[]> {
  return readMembers(deps.db, partnerId)
}

/** `isConfirmed`: by a mailed code. The member may have become an admin after the door was checked. */
export async function changeMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  wanted: { id: string; name: string | null; role: MemberRole | null; isConfirmed: boolean },
): Promise<MemberRow> {
  const { partner, by } = change
  const { isConfirmed, ...values } = wanted
  const member = await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    const before = memberIn(team, wanted.id)
    if (wanted.role === 'viewer') requireAnotherAdmin(team, before, partner.name)
    if (changesAdmins(before, wanted.role) && !isConfirmed) throw codeRequired('Change who is an admin')
    const changed = await writeChange(tx, { partnerId: partner.id, ...values })
    if (changed === null) throw notFound()
    const { email, role } = changed
    if (role !== before.role) {
      if (role !== 'admin') withdrawInvitationsBy(tx, partner.id, email)
      await tellOfTeam(tx, deps, change, { event: 'role_changed', email, role, touchesAdmins: true })
    }
    return changed
  })
  deps.post.wake()
  return member
}

/** Removing a member ends their sessions for this business. */
export async function removeMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  { id, isConfirmed }: { id: string; isConfirmed: boolean },
): Promise<void> {
  const { partner, by } = change
  await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    const { email, role, ...member } = memberIn(team, id)
    requireAnotherAdmin(team, { email, role, ...member }, partner.name)
    if (role === 'admin' && !isConfirmed) throw codeRequired('Remove an admin')
    // Told before they are removed, so that they are told as well.
    await tellOfTeam(tx, deps, change, { event: 'removed', email, role, touchesAdmins: role === 'admin' })
    withdrawInvitationsBy(tx, partner.id, email)
    writeRemoval(tx, partner.id, id)
  })
  deps.post.wake()
}
