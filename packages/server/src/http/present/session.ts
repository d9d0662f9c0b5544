import type { OwnSession, Session } from '@kestrel/contract'

import type { Belongings, listOwnSessions } from '../../domain/access/own-sessions.ts'
import { ownInvitation } from '../../domain/access/redeem-code.ts'
import { sessionOfCaller } from '../caller.ts'
import type { Caller } from '../caller.ts'
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
    },
    partners: businesses
      .map(({ slug, name, role, invitedBy }) => ({ slug, name, role, invited_by: invitedBy }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    invitations: invitations.map(ownInvitation),
    expires_at: session.expiresAt.toISOString(),
  }
}

export function presentOwnSession(session: ItemOf<typeof listOwnSessions>, currentId: string): OwnSession {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    user_agent: session.userAgent,
    ip: session.ip,
    is_current: session.id === currentId,
  }
}
