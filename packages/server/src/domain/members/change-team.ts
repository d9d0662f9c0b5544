// Changes to a team's members. Whatever happens at the same time, a business always has an admin.
import type { Environment, MemberRole } from '@kestrel/contract'

import { notFound } from '../../core/errors.ts'
import { withdrawInvitationsBy } from '../../storage/invitations.ts'
import { changeMember as writeChange, removeMember as writeRemoval } from '../../storage/members.ts'
import type { SpendingLimits } from '../../storage/spending-limits.ts'
import type { Tx } from '../../storage/sql.ts'
import { codeRequired } from '../access/doors.ts'
import type { Deps } from '../deps.ts'
import { isSameLimits, limitsInWords } from '../spending/spender-limits.ts'
import { changesAdmins } from './member-doors.ts'
import { type MemberWithLimits, judgeLimits, keepMemberLimits, requireLimitCode, withLimits } from './member-limits.ts'
import { lockedTeam, memberIn, requireAnotherAdmin } from './team.ts'
import { type NoticeDeps, type TeamChange, tellOfTeam } from '../access/team-notice.ts'

export interface MemberChanges {
  readonly id: string
  readonly name: string | null
  readonly role: MemberRole | null
  /** In one environment; those that are left out stay. */
  readonly limits: Partial<SpendingLimits>
  readonly environment: Environment
  /** By a mailed code. The member may have become an admin, or been limited, after the door was checked. */
  readonly isConfirmed: boolean
}

export interface ChangedMember {
  readonly before: MemberWithLimits
  readonly member: MemberWithLimits
}

export async function changeMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  wanted: MemberChanges,
): Promise<ChangedMember> {
  const changed = await deps.db.inTransaction((tx) => changeMemberIn(tx, deps, change, wanted))
  deps.post.wake()
  return changed
}

async function changeMemberIn(
  tx: Tx,
  deps: NoticeDeps,
  change: TeamChange,
  { id, name, role: wantedRole, limits, environment, isConfirmed }: MemberChanges,
): Promise<ChangedMember> {
  const { partner, by } = change
  const team = await lockedTeam(tx, partner, by)
  const at = deps.clock.now()
  const scope = { partnerId: partner.id, environment }
  const before = await withLimits(tx, scope, memberIn(team, id), at)
  if (wantedRole === 'viewer') requireAnotherAdmin(team, before, partner.name)
  if (changesAdmins(before, wantedRole) && !isConfirmed) throw codeRequired('Change who is an admin')
  const judged = judgeLimits(team, before, { environment, limits, by, businessName: partner.name })
  requireLimitCode(judged, isConfirmed)
  const changed = await writeChange(tx, { partnerId: partner.id, id, name, role: wantedRole })
  if (changed === null) throw notFound()
  const { email, role } = changed
  if (role !== before.role) {
    if (role !== 'admin') withdrawInvitationsBy(tx, partner.id, email)
    await tellOfTeam(tx, deps, change, { event: 'role_changed', email, role, touchesAdmins: true })
  }
  if (isSameLimits(judged.before, judged.after)) return { before, member: { ...changed, spending: before.spending } }
  const facts: [string, string][] = [['Environment', environment], ...limitsInWords(judged.after)]
  await tellOfTeam(tx, deps, change, { event: 'limits_changed', email, role, touchesAdmins: judged.needsCode, facts })
  return { before, member: await keepMemberLimits(tx, scope, { member: changed, judged, at }) }
}

/** Removing a member ends their sessions for this business. Returns who it was. */
export async function removeMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  { id, isConfirmed }: { id: string; isConfirmed: boolean },
): Promise<Pick<MemberWithLimits, 'name' | 'email'>> {
  const { partner, by } = change
  const removed = await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    const member = memberIn(team, id)
    const { email, role } = member
    requireAnotherAdmin(team, member, partner.name)
    if (role === 'admin' && !isConfirmed) throw codeRequired('Remove an admin')
    // Told before they are removed, so that they are told as well.
    await tellOfTeam(tx, deps, change, { event: 'removed', email, role, touchesAdmins: role === 'admin' })
    withdrawInvitationsBy(tx, partner.id, email)
    writeRemoval(tx, partner.id, id)
    return member
  })
  deps.post.wake()
  return removed
}
