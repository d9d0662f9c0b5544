import type { Member } from '@kestrel/contract'

import type { listMembers } from '../../domain/members/change-team.ts'

export function presentMember(member: Awaited<ReturnType<typeof listMembers>>[number]): Member {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    last_login_at: member.lastLoginAt?.toISOString() ?? null,
    created_at: member.createdAt.toISOString(),
    invited_by: member.invitedBy,
  }
}
