// The team: every member may see it, and admins change it.
import { Invitation, Member, MemberChange, MemberList, MemberRemoved, NewMember } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { changesBetween } from '../../domain/activity/audited.ts'
import { passDoor } from '../../domain/access/doors.ts'
import { changeMember, removeMember } from '../../domain/members/change-team.ts'
import { inviteMember } from '../../domain/members/invitations.ts'
import { doorToInvitation, doorToMemberChange, doorToRemoval } from '../../domain/members/member-doors.ts'
import { listMembers } from '../../domain/members/member-limits.ts'
import type { TeamChange } from '../../domain/access/team-notice.ts'
import { callerOf, scopeOf, sessionOf } from '../access/authenticate.ts'
import { ConfirmCodeHeader, confirmCodeIn } from '../access/confirm-code-header.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import { spendingLimitsIn } from '../present/key.ts'
import { presentList } from '../present/lists.ts'
import { presentInvitation, presentMember } from '../present/member.ts'
import { sessionSample } from '../access/session-samples.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

const BY_ADMINS = { tag: 'Dashboard', auth: 'session', needs: 'admin', query: EnvironmentQuery } as const
const ACCESS = { auth: 'session', needs: 'admin' } as const
const BODY_ERRORS = ['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const
const CODE_ERRORS = ['confirm_code_required', 'code_not_accepted'] as const
const LIMIT_NAMES = ['daily_gbp', 'max_per_payout_gbp', 'monthly_gbp'] as const
const MemberId = Type.Object({ id: Type.String({ description: 'The id of the member, a UUID.' }) })

export function addMemberRoutes(context: RouteContext): void {
  addRead(context, {
    tag: 'Access',
    url: '/v1/members',
    id: 'listMembers',
    action: 'members.list',
    summary: 'List the team',
    description:
      'Who can sign in to the dashboard, as what, and what they may pay there in the environment that is asked about.',
    schema: MemberList,
    answer: async (request) => presentList((await listMembers(context.deps, scopeOf(request))).map(presentMember)),
  })
  addInvite(context)
  addChange(context)
  addRemove(context)
}

export function changeBy(request: FastifyRequest, publicUrl: string): TeamChange {
  return { partner: callerOf(request), by: sessionOf(request).email, publicUrl }
}

type Named = { readonly name: string | null; readonly email: string }
const nameOf = ({ name, email }: Named) => (name === null ? email : `${name} (${email})`)

const INVITE: Operation = {
  ...BY_ADMINS,
  id: 'inviteMember',
  summary: 'Invite somebody to the team',
  description:
    'They get a mail and are members once they have signed in and accepted, within fourteen days. Inviting an admin needs a mailed code, and every admin gets a mail.',
  body: NewMember,
  ok: { 201: { schema: Invitation, description: 'The invitation.' } },
  errors: [...BODY_ERRORS, ...CODE_ERRORS, 'member_exists', 'rate_limited'],
  curl: (base) =>
    sessionSample(base, '/v1/members', { method: 'POST', body: `'{"email": "amara@okafor.test", "role": "viewer"}'` }),
}

function addInvite({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: NewMember }>('/v1/members', {
    config: { ...ACCESS, action: 'member.invite' },
    schema: operationSchema(INVITE, publicUrl),
    handler: async (request, reply) => {
      const { email, name = null, role, confirm_code: code } = request.body
      const door = await doorToInvitation(deps, callerOf(request), { email, role })
      await passDoor(deps, confirmerOf(request), { door, code })
      const invitation = await inviteMember(deps, changeBy(request, publicUrl), { email, name, role })
      request.activityDetail = invitation.id
      request.audited = { subject: email, changes: changesBetween({}, { role }) }
      return reply.code(201).send(presentInvitation(invitation))
    },
  })
}

function addChange({ app, deps, publicUrl }: RouteContext): void {
  app.patch<{ Body: MemberChange; Params: { id: string } }>('/v1/members/:id', {
    config: { ...ACCESS, action: 'member.change' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'changeMember',
        summary: 'Change a member of the team',
        description:
          'A new role counts from the member’s next request on. It needs a mailed code. The limits are for payouts that the member makes in the dashboard, in the environment of the query, and count like those of a key: lowering one counts at once; raising one in live needs a mailed code, and nobody raises their own. Every admin gets a mail, and so does the member.',
        params: MemberId,
        body: MemberChange,
        ok: { 200: { schema: Member, description: 'The member as it is now.' } },
        errors: [...BODY_ERRORS, ...CODE_ERRORS, 'not_found', 'last_admin'],
        curl: (base) =>
          sessionSample(base, '/v1/members/$MEMBER_ID', { method: 'PATCH', body: `'{"daily_gbp": "500.00"}'` }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { name = null, role = null, confirm_code: code } = request.body
      const { id } = request.params
      const { environment } = callerOf(request)
      const limits = spendingLimitsIn(request.body)
      const by = sessionOf(request).email
      const door = await doorToMemberChange(deps, callerOf(request), { id, role, limits, environment, by })
      await passDoor(deps, confirmerOf(request), { door, code })
      const wanted = { id, name, role, limits, environment, isConfirmed: door !== null }
      const { before, member } = await changeMember(deps, changeBy(request, publicUrl), wanted)
      const named = LIMIT_NAMES.filter((each) => each in request.body)
      request.activityDetail = named.length === 0 ? member.id : `${member.id}: ${named.join(', ')}`
      const [was, is] = [presentMember(before), presentMember(member)]
      request.audited = { subject: nameOf(before), changes: changesBetween(was, is) }
      return is
    },
  })
}

function addRemove({ app, deps, publicUrl }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/v1/members/:id', {
    config: { ...ACCESS, action: 'member.remove' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'removeMember',
        summary: 'Remove somebody from the team',
        description:
          'Their sessions for this business end at once. Keys that they made go on. Removing an admin needs a mailed code, in the header `Confirm-Code`; every admin gets a mail, and so do they.',
        params: MemberId,
        headers: ConfirmCodeHeader,
        ok: { 200: { schema: MemberRemoved, description: 'They are no longer a member.' } },
        errors: ['not_found', 'last_admin', 'invalid_request', 'invalid_header', ...CODE_ERRORS],
        curl: (base) => sessionSample(base, '/v1/members/$MEMBER_ID', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request): Promise<MemberRemoved> => {
      const { id } = request.params
      const door = await doorToRemoval(deps, callerOf(request), id)
      await passDoor(deps, confirmerOf(request), { door, code: confirmCodeIn(request.headers['confirm-code']) })
      const member = await removeMember(deps, changeBy(request, publicUrl), { id, isConfirmed: door !== null })
      request.activityDetail = id
      request.audited = { subject: nameOf(member), changes: [] }
      return { id, removed: true }
    },
  })
}
