import type { Invitation, Member } from '@kestrel/contract'

import type { listInvitations } from '../../domain/members/invitations.ts'
import type { listMembers } from '../../domain/members/member-limits.ts'
import { limitsOf } from '../../domain/spending/spender-limits.ts'
import { presentSpendingLimits, presentSpent } from './key.ts'

export function presentMember(member: Awaited<ReturnType<typeof listMembers>>[number]): Member {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    last_login_at: member.lastLoginAt?.toISOString() ?? null,
    created_at: member.createdAt.toISOString(),
    invited_by: member.invitedBy,
    ...presentSpendingLimits(limitsOf(member.spending)),
    ...presentSpent(member.spending),
  }
}

export function presentInvitation(invitation: Awaited<ReturnType<typeof listInvitations>>[number]): Invitation {
  return {
    id: invitation.id,
    email: invitation.email,
    name: invitation.name,
    role: invitation.role,
    last_login_at: null,
    created_at: invitation.createdAt.toISOString(),
    invited_by: invitation.invitedBy,
    expires_at: invitation.expiresAt.toISOString(),
    mailed_at: invitation.mailedAt?.toISOString() ?? null,
  }
}
