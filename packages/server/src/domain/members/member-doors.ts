// Admins decide about everything else, so making or removing one is confirmed by a code.
import type { Environment, MemberRole } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { type MemberRow, listMembers } from '../../storage/members.ts'
import type { Partner } from '../../storage/partners.ts'
import type { SpendingLimits } from '../../storage/spending-limits.ts'
import type { Door } from '../access/doors.ts'
import type { Deps } from '../deps.ts'
import { limitsInWords } from '../spending/spender-limits.ts'
import { RAISES_TITLE, judgeLimits, withLimits } from './member-limits.ts'
import { memberIn, requireAnotherAdmin } from './team.ts'

type Team = Pick<Partner, 'id' | 'name'>

/** Null for a viewer, who can see everything and move nothing. */
export async function doorToInvitation(
  deps: Pick<Deps, 'db'>,
  partner: Team,
  invited: { email: string; role: MemberRole },
): Promise<Door | null> {
  if (invited.role !== 'admin') return null
  const email = invited.email.toLowerCase()
  const team = await listMembers(deps.db, partner.id)
  if (team.some((each) => each.email === email)) throw memberExists(email, partner.name)
  return {
    action: 'member.invite',
    exactly: [email, 'admin'],
    title: 'Invite an admin',
    facts: [['Invited', { address: email }]],
  }
}

export function memberExists(email: string, businessName: string): AppError {
  return new AppError('member_exists', `${email} is in the team of ${businessName} already.`)
}

/** Null when nobody becomes an admin or stops being one, and nobody may pay more in live afterwards. */
export async function doorToMemberChange(
  deps: Pick<Deps, 'db' | 'clock'>,
  partner: Team,
  wanted: {
    id: string
    role: MemberRole | null
    limits: Partial<SpendingLimits>
    environment: Environment
    /** The email of the admin who asks. */
    by: string
  },
): Promise<Door | null> {
  const { id, role, limits, environment, by } = wanted
  const team = await listMembers(deps.db, partner.id)
  const scope = { partnerId: partner.id, environment }
  const member = await withLimits(deps.db, scope, memberIn(team, id), deps.clock.now())
  const { needsCode } = judgeLimits(team, member, { environment, limits, by, businessName: partner.name })
  const isOther = changesAdmins(member, role)
  if (role === 'viewer') requireAnotherAdmin(team, member, partner.name)
  if (!isOther && !needsCode) return null
  const words = limitsInWords(limits)
  const title = isOther ? (role === 'admin' ? 'Make somebody an admin' : 'Make an admin a viewer') : RAISES_TITLE
  return {
    action: 'member.change',
    exactly: [member.id, role, ...(words.length === 0 ? [] : [environment, ...words.flat()])],
    title,
    facts: [
      ['Member', { address: member.email }],
      ...(words.length === 0 ? [] : [['Environment', environment] as const, ...words]),
    ],
  }
}

export function changesAdmins(member: Pick<MemberRow, 'role'>, role: MemberRole | null): boolean {
  return role !== null && role !== member.role
}

/** Null for a viewer. Leaving is confirmed too: somebody else may be at the keyboard. */
export async function doorToRemoval(deps: Pick<Deps, 'db'>, partner: Team, id: string): Promise<Door | null> {
  const team = await listMembers(deps.db, partner.id)
  const member = memberIn(team, id)
  if (member.role !== 'admin') return null
  requireAnotherAdmin(team, member, partner.name)
  return {
    action: 'member.remove',
    exactly: [member.id],
    title: 'Remove an admin',
    facts: [['Admin', { address: member.email }]],
  }
}
