// Who is in the team. Whatever happens at the same time, a business always has an admin.
import type { MemberRole } from '@kestrel/contract'

import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { invitationMail } from '../../mail/templates/team-mails.ts'
import {
  type MemberRow,
  changeMember as writeChange,
  insertMember,
  listMembers as readMembers,
  removeMember as writeRemoval,
} from '../../storage/members.ts'
import { codeRequired } from '../access/doors.ts'
import { mayInvite } from '../access/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { changesAdmins, memberExists } from './member-doors.ts'
import { lockedTeam, memberIn, requireAnotherAdmin } from './team.ts'
import { type NoticeDeps, type TeamChange, tellOfTeam } from '../access/team-notice.ts'

export function listMembers(deps: Pick<Deps, 'db'>, partnerId: string): Promise<MemberRow[]> {
  return readMembers(deps.db, partnerId)
}

const LARGEST_TEAM = 200

export async function inviteMember(
  deps: Pick<Deps, 'db'> & NoticeDeps,
  change: TeamChange,
  invited: { email: string; name: string | null; role: MemberRole },
): Promise<MemberRow> {
  const email = invited.email.toLowerCase()
  const { name, role } = invited
  const { partner, by, publicUrl } = change
  const member = await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    if (team.some((each) => each.email === email)) throw memberExists(email, partner.name)
    if (team.length >= LARGEST_TEAM)
      throw new AppError('invalid_request', `A team has at most ${LARGEST_TEAM} members.`)
    await mayInvite(tx, deps, partner.id)
    const createdAt = deps.clock.now()
    const row = { id: newId(createdAt), email, name, role, createdAt, invitedBy: by }
    await insertMember(tx, { partnerId: partner.id, ...row })
    const signInUrl = `${publicUrl}/dashboard/${partner.slug}`
    const content = invitationMail({ businessName: partner.name, invitedBy: by, role, signInUrl })
    queueMail(tx, deps, { kind: 'invitation', mail: { to: email, ...content }, usefulUntil: null })
    await tellOfTeam(tx, deps, change, { event: 'invited', email, role, touchesAdmins: role === 'admin' })
    return { ...row, lastLoginAt: null }
  })
  deps.post.wake()
  return member
}

/** `isConfirmed`: by a mailed code. Somebody may have become an admin after the door was looked at. */
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
      await tellOfTeam(tx, deps, change, { event: 'role_changed', email, role, touchesAdmins: true })
    }
    return changed
  })
  deps.post.wake()
  return member
}

/** Their sessions for this business end with it. */
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
    // Before they are gone: whoever is removed hears of it as well.
    await tellOfTeam(tx, deps, change, { event: 'removed', email, role, touchesAdmins: role === 'admin' })
    writeRemoval(tx, partner.id, id)
  })
  deps.post.wake()
}
