import type { OwnSession, Session } from '@kestrel/contract'

import { type Belongings, type listOwnSessions, mayEnd } from '../../domain/access/own-sessions.ts'
import { ownInvitation } from '../../domain/access/redeem-code.ts'
import { sessionOfCaller } from '../access/caller.ts'
import type { Caller } from '../access/caller.ts'
import { presentPublicPartner } from './account.ts'

type ItemOf<F extends (...args: never) => Promise<readonly unknown[]>> = Awaited<ReturnType<F>>[number]

export function presentSession(caller: Caller, { businesses, invitations }: Belongings, publicUrl: string): Session {
  const session = sessionOfCaller(caller)
  const { logo_url = null, brand_color = null } = presentPublicPartner(caller, publicUrl)
  return {
    object: 'session',
    id: session.id,
    email: session.email,
    name: session.name,
    role: session.role,
    partner: {
      id: caller.id,
      slug: caller.slug,
      name: caller.name,
      status: caller.status,
      logo_url,
      brand_color,
      verification_status: caller.verificationStatus,
      created_at: caller.createdAt.toISOString(),
    },
    partners: businesses
      .map(({ slug, name, role, invitedBy }) => ({ slug, name, role, invited_by: invitedBy }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    invitations: invitations.map(ownInvitation),
    expires_at: session.expiresAt.toISOString(),
  }
}

type OwnSessionRow = ItemOf<typeof listOwnSessions>

export function presentOwnSessions(sessions: readonly OwnSessionRow[], currentId: string): OwnSession[] {
  const current = sessions.find(({ id }) => id === currentId)
  return sessions.map((session) => ({
    ...presentOwnSession(session, currentId),
    can_end: session === current || (current !== undefined && mayEnd(current, session)),
  }))
}

function presentOwnSession(session: OwnSessionRow, currentId: string): Omit<OwnSession, 'can_end'> {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    user_agent: session.userAgent,
    ip: session.ip,
    is_current: session.id === currentId,
  }
}
