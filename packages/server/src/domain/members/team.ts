// A team's members, locked while somebody changes them.
import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type MemberRow, listMembers } from '../../storage/members.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'

/** The team, which stays so until the transaction ends. The member who changes it must still be an admin. */
export async function lockedTeam(tx: Tx, partner: Pick<Partner, 'id' | 'name'>, by: string): Promise<MemberRow[]> {
  await lockPartner(tx, partner.id)
  const team = await listMembers(tx, partner.id)
  if (team.some(({ email, role }) => email === by && role === 'admin')) return team
  throw new AppError('api_key_required', `You are no longer an admin of ${partner.name}. Nothing was done.`)
}

export function memberIn(team: readonly MemberRow[], id: string): MemberRow {
  const member = isUuid(id) ? team.find((each) => each.id === id) : undefined
  if (member === undefined) throw notFound()
  return member
}

export function requireAnotherAdmin(team: readonly MemberRow[], member: MemberRow, businessName: string): void {
  if (member.role !== 'admin' || team.some(({ id, role }) => role === 'admin' && id !== member.id)) return
  throw new AppError(
    'last_admin',
    `${member.email} is the only admin of ${businessName}. Make somebody else one first.`,
  )
}
