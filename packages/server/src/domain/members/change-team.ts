// Who is in the team. Whatever happens at the same time, a business always has an admin.
import type { MemberRole } from '@kestrel/contract'

import { AppError, notFound } from '../../core/errors.ts'
import { isUuid, newId } from '../../core/ids.ts'
import { invitationMail } from '../../mail/templates/team-mails.ts'
import {
  type MemberRow,
  changeMember as writeChange,
  insertMember,
  listMembers as readMembers,
  removeMember as writeRemoval,
} from '../../storage/members.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import { mayInvite } from '../access/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'

export function listMembers(deps: Pick<Deps, 'db'>, partnerId: string): Promise<MemberRow[]> {
  return readMembers(deps.db, partnerId)
}

/** Who changes the team, and for which business. */
export interface TeamChange {
  readonly partner: Pick<Partner, 'id' | 'name' | 'slug'>
  readonly by: string
}

const LARGEST_TEAM = 200

export async function inviteMember(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  { partner, by }: TeamChange,
  invited: { email: string; name: string | null; role: MemberRole; publicUrl: string },
): Promise<MemberRow> {
  const email = invited.email.toLowerCase()
  const { name, role, publicUrl } = invited
  const member = await deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    if (team.some((each) => each.email === email)) {
      throw new AppError('member_exists', `${email} is in the team of ${partner.name} already.`)
    }
    if (team.length >= LARGEST_TEAM)
      throw new AppError('invalid_request', `A team has at most ${LARGEST_TEAM} members.`)
    await mayInvite(tx, deps, partner.id)
    const createdAt = deps.clock.now()
    const row = { id: newId(createdAt), email, name, role, createdAt, invitedBy: by }
    await insertMember(tx, { partnerId: partner.id, ...row })
    const signInUrl = `${publicUrl}/dashboard/${partner.slug}`
    const content = invitationMail({ businessName: partner.name, invitedBy: by, role, signInUrl })
    queueMail(tx, deps, { kind: 'invitation', mail: { to: email, ...content }, usefulUntil: null })
    return { ...row, lastLoginAt: null }
  })
  deps.post.wake()
  return member
}

export function changeMember(
  deps: Pick<Deps, 'db'>,
  { partner, by }: TeamChange,
  change: { id: string; name: string | null; role: MemberRole | null },
): Promise<MemberRow> {
  return deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    const member = memberIn(team, change.id)
    if (change.role === 'viewer') requireAnotherAdmin(team, member, partner.name)
    const changed = await writeChange(tx, { partnerId: partner.id, ...change })
    if (changed === null) throw notFound()
    return changed
  })
}

/** Their sessions for this business end with it. */
export function removeMember(deps: Pick<Deps, 'db'>, { partner, by }: TeamChange, id: string): Promise<void> {
  return deps.db.inTransaction(async (tx) => {
    const team = await lockedTeam(tx, partner, by)
    requireAnotherAdmin(team, memberIn(team, id), partner.name)
    writeRemoval(tx, partner.id, id)
  })
}

/** The team as it stays until the end of the transaction. Whoever changes it must still be an admin of it. */
async function lockedTeam(tx: Tx, partner: Pick<Partner, 'id' | 'name'>, by: string): Promise<MemberRow[]> {
  await lockPartner(tx, partner.id)
  const team = await readMembers(tx, partner.id)
  if (team.some(({ email, role }) => email === by && role === 'admin')) return team
  throw new AppError('api_key_required', `You are no longer an admin of ${partner.name}. Nothing was done.`)
}

function memberIn(team: readonly MemberRow[], id: string): MemberRow {
  const member = isUuid(id) ? team.find((each) => each.id === id) : undefined
  if (member === undefined) throw notFound()
  return member
}

function requireAnotherAdmin(team: readonly MemberRow[], member: MemberRow, businessName: string): void {
  if (member.role !== 'admin' || team.some(({ id, role }) => role === 'admin' && id !== member.id)) return
  throw new AppError(
    'last_admin',
    `${member.email} is the only admin of ${businessName}. Make somebody else one first.`,
  )
}
