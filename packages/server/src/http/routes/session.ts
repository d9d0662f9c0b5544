// The browser's session, and the same person's other ones.
import { OwnSessionList, Session, SessionChange, SessionRevoked, SignedOut } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { authenticateSession } from '../../domain/access/authenticate-session.ts'
import {
  chooseBusiness,
  endOtherSession,
  endSession,
  listOwnSessions,
  readBelongings,
} from '../../domain/access/own-sessions.ts'
import { callerOf, sessionOf } from '../access/authenticate.ts'
import { callerInSession } from '../access/caller.ts'
import { operationSchema } from '../access/operation.ts'
import { presentList } from '../present/lists.ts'
import { presentOwnSessions, presentSession } from '../present/session.ts'
import { clearSessionCookie, readSessionCookie } from '../access/session-cookie.ts'
import { sessionSample } from '../access/session-samples.ts'
import type { RouteContext } from './route-context.ts'

const SIGNED_IN = { tag: 'Dashboard', auth: 'session' } as const
/** Every signed-in person may see it and sign out, even if the business is suspended. */
const ACCESS = { auth: 'session', evenSuspended: true } as const

export function addSessionRoutes(context: RouteContext): void {
  addRead(context)
  addChange(context)
  addSignOut(context)
  addList(context)
  addRevoke(context)
}

function addRead({ app, deps, publicUrl }: RouteContext): void {
  app.get('/v1/auth/session', {
    config: { ...ACCESS, action: 'session.read' },
    schema: operationSchema(
      {
        ...SIGNED_IN,
        id: 'readSession',
        summary: 'Read the session',
        ok: { 200: { schema: Session, description: 'Who is signed in, and for which business.' } },
        errors: [],
        curl: (base) => sessionSample(base, '/v1/auth/session'),
      },
      publicUrl,
    ),
    handler: async (request) => {
      return presentSession(callerOf(request), await readBelongings(deps, sessionOf(request).email), publicUrl)
    },
  })
}

/** The session after it turned to another business. */
export async function presentMoved(request: FastifyRequest, { deps, publicUrl }: RouteContext): Promise<Session> {
  const token = readSessionCookie(request, publicUrl) ?? ''
  const caller = callerInSession(await authenticateSession(deps, token, 'sandbox'))
  return presentSession(caller, await readBelongings(deps, sessionOf(request).email), publicUrl)
}

function addChange(context: RouteContext): void {
  const { app, deps, publicUrl } = context
  app.patch<{ Body: SessionChange }>('/v1/auth/session', {
    config: { ...ACCESS, action: 'session.change' },
    schema: operationSchema(
      {
        ...SIGNED_IN,
        id: 'changeSession',
        summary: 'Turn to another business',
        body: SessionChange,
        ok: { 200: { schema: Session, description: 'The session, looking at the other business.' } },
        errors: ['not_found', 'invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'],
        curl: (base) =>
          sessionSample(base, '/v1/auth/session', { method: 'PATCH', body: `'{"partner": "thistle-market"}'` }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { id, email } = sessionOf(request)
      await chooseBusiness(deps, { id, email }, request.body.partner)
      return presentMoved(request, context)
    },
  })
}

function addSignOut({ app, deps, publicUrl }: RouteContext): void {
  app.delete('/v1/auth/session', {
    config: { ...ACCESS, action: 'session.end' },
    schema: operationSchema(
      {
        ...SIGNED_IN,
        id: 'signOut',
        summary: 'Sign out',
        description: 'The session ends at once, everywhere, and the cookie is taken back.',
        ok: { 200: { schema: SignedOut, description: 'Signed out.' } },
        errors: [],
        curl: (base) => sessionSample(base, '/v1/auth/session', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request, reply): Promise<SignedOut> => {
      const { id, email } = sessionOf(request)
      await endSession(deps, email, id)
      clearSessionCookie(reply, publicUrl)
      return { object: 'session', signed_out: true }
    },
  })
}

function addList({ app, deps, publicUrl }: RouteContext): void {
  app.get('/v1/auth/sessions', {
    config: { ...ACCESS, action: 'sessions.list' },
    schema: operationSchema(
      {
        ...SIGNED_IN,
        id: 'listSessions',
        summary: 'List your sessions',
        ok: { 200: { schema: OwnSessionList, description: 'The sessions of this person, the last used first.' } },
        errors: [],
        curl: (base) => sessionSample(base, '/v1/auth/sessions'),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { id, email } = sessionOf(request)
      return presentList(presentOwnSessions(await listOwnSessions(deps, email), id))
    },
  })
}

function addRevoke({ app, deps, publicUrl }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/v1/auth/sessions/:id', {
    config: { ...ACCESS, action: 'session.revoke' },
    schema: operationSchema(
      {
        ...SIGNED_IN,
        id: 'revokeSession',
        summary: 'End one of your sessions',
        description:
          'Ends the session of this request, or one that signed in before it: the latest sign-in has the last proof of the mailbox. For a later one, sign in again and end it from there (409 `session_is_newer`).',
        params: Type.Object({ id: Type.String({ description: 'The id of the session, a UUID.' }) }),
        ok: { 200: { schema: SessionRevoked, description: 'It has ended, from its next request on.' } },
        errors: ['not_found', 'session_is_newer'],
        curl: (base) => sessionSample(base, '/v1/auth/sessions/$SESSION_ID', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request): Promise<SessionRevoked> => {
      const { id } = request.params
      await endOtherSession(deps, sessionOf(request), id)
      request.activityDetail = id
      return { id, revoked: true }
    },
  })
}
