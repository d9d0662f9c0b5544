// Invitations: admins list, repeat and withdraw them; the invited person accepts or declines.
import { Invitation, InvitationDeclined, InvitationList, InvitationWithdrawn, Session } from '@kestrel/contract'
import { Type } from 'typebox'

import { acceptInvitation, declineInvitation } from '../../domain/access/own-sessions.ts'
import { listInvitations, sendInvitationAgain, withdrawInvitation } from '../../domain/members/invitations.ts'
import { callerOf, sessionOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { presentList } from '../present/lists.ts'
import { presentInvitation } from '../present/member.ts'
import { sessionSample } from '../access/session-samples.ts'
import { addRead } from './add-read.ts'
import { changeBy } from './members.ts'
import type { RouteContext } from './route-context.ts'
import { presentMoved } from './session.ts'

const BY_ADMINS = { tag: 'Dashboard', auth: 'session', needs: 'admin', query: EnvironmentQuery } as const
const ACCESS = { auth: 'session', needs: 'admin' } as const
/** Any signed-in person may answer, even if the business that they are in is suspended. */
const OWN = { auth: 'session', evenSuspended: true } as const
const InvitationId = Type.Object({ id: Type.String({ description: 'The id of the invitation, a UUID.' }) })

export function addInvitationRoutes(context: RouteContext): void {
  addRead(context, {
    tag: 'Access',
    url: '/v1/invitations',
    id: 'listInvitations',
    action: 'invitations.list',
    summary: 'List invitations',
    description: 'Invitations to the team that have not been answered yet.',
    schema: InvitationList,
    answer: async (request) =>
      presentList((await listInvitations(context.deps, callerOf(request).id)).map(presentInvitation)),
  })
  addSendAgain(context)
  addWithdraw(context)
  addAccept(context)
  addDecline(context)
}

function addSendAgain({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Params: { id: string } }>('/v1/invitations/:id/send', {
    config: { ...ACCESS, action: 'invitation.send' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'sendInvitation',
        summary: 'Send an invitation again',
        description:
          'The mail once more, and for a viewer another fourteen days to accept. An admin’s invitation keeps its term: for a longer one, withdraw it and invite again, with a code. An address gets few such mails per day.',
        params: InvitationId,
        ok: { 200: { schema: Invitation, description: 'The invitation as it is now.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => sessionSample(base, '/v1/invitations/$INVITATION_ID/send', { method: 'POST' }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const invitation = await sendInvitationAgain(deps, changeBy(request, publicUrl), request.params.id)
      request.activityDetail = invitation.id
      request.audited = { subject: invitation.email, changes: [] }
      return presentInvitation(invitation)
    },
  })
}

function addWithdraw({ app, deps, publicUrl }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/v1/invitations/:id', {
    config: { ...ACCESS, action: 'invitation.withdraw' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        params: InvitationId,
        ok: { 200: { schema: InvitationWithdrawn, description: 'It can no longer be accepted.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => sessionSample(base, '/v1/invitations/$INVITATION_ID', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request): Promise<InvitationWithdrawn> => {
      const { id } = request.params
      const { email } = await withdrawInvitation(deps, changeBy(request, publicUrl), id)
      request.activityDetail = id
      request.audited = { subject: email, changes: [] }
      return { id, withdrawn: true }
    },
  })
}

function addAccept(context: RouteContext): void {
  const { app, deps, publicUrl } = context
  app.post<{ Params: { id: string } }>('/v1/auth/invitations/:id/accept', {
    config: { ...OWN, action: 'invitation.accept' },
    schema: operationSchema(
      {
        tag: 'Dashboard',
        auth: 'session',
        id: 'acceptInvitation',
        summary: 'Accept an invitation',
        description: 'Makes the signed-in person a member, and turns the session to that business.',
        params: InvitationId,
        ok: { 200: { schema: Session, description: 'The session, looking at the business.' } },
        errors: ['not_found'],
        curl: (base) => sessionSample(base, '/v1/auth/invitations/$OWN_INVITATION_ID/accept', { method: 'POST' }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { id: session, email } = sessionOf(request)
      await acceptInvitation(deps, { id: session, email }, { id: request.params.id, publicUrl })
      request.activityDetail = request.params.id
      return presentMoved(request, context)
    },
  })
}

function addDecline({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Params: { id: string } }>('/v1/auth/invitations/:id/decline', {
    config: { ...OWN, action: 'invitation.decline' },
    schema: operationSchema(
      {
        tag: 'Dashboard',
        auth: 'session',
        id: 'declineInvitation',
        summary: 'Decline an invitation',
        params: InvitationId,
        ok: { 200: { schema: InvitationDeclined, description: 'It is gone.' } },
        errors: ['not_found'],
        curl: (base) => sessionSample(base, '/v1/auth/invitations/$OWN_INVITATION_ID/decline', { method: 'POST' }),
      },
      publicUrl,
    ),
    handler: async (request): Promise<InvitationDeclined> => {
      const { id } = request.params
      await declineInvitation(deps, sessionOf(request).email, id)
      request.activityDetail = id
      return { id, declined: true }
    },
  })
}
