// The code for every other action that needs one from a session: see domain/access/doors.ts.
import { DoorCodeRequest, DoorCodeSent } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { type Door, askAtDoor } from '../../domain/access/doors.ts'
import { doorToKeyChange, doorToNewKey, doorToRotation } from '../../domain/access/key-doors.ts'
import { judgeResuming } from '../../domain/access/pause-door.ts'
import type { Deps } from '../../domain/deps.ts'
import { doorToInvitation, doorToMemberChange, doorToRemoval } from '../../domain/members/member-doors.ts'
import { doorToAddresses } from '../../domain/access/address-door.ts'
import { callerOf } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import { keyRulesIn, spendingLimitsIn } from '../present/key.ts'
import { settingsIn } from '../present/settings.ts'
import { sessionSample } from '../access/session-samples.ts'
import type { RouteContext } from './route-context.ts'

const ASK: Operation = {
  id: 'askForDoorCode',
  tag: 'Dashboard',
  auth: 'session',
  needs: 'admin',
  summary: 'Ask for a confirm code',
  description:
    'Mails six digits to the member who asks. They confirm exactly what is named here and nothing else, in this session, once, for five minutes and five tries. Live keys and giving them more, making or removing an admin, letting a member pay more in live, the addresses of the business, and letting live payouts go out again need one; for live payouts there is `POST /v1/payouts/confirm-code`. Send it as `confirm_code`, or with `DELETE` in the header `Confirm-Code`. After twenty wrong codes the session ends.',
  query: EnvironmentQuery,
  body: DoorCodeRequest,
  ok: { 202: { schema: DoorCodeSent, description: 'A code is on its way.' } },
  errors: [
    'invalid_json',
    'invalid_request',
    'not_found',
    'key_limit_reached',
    'member_exists',
    'last_admin',
    'body_too_large',
    'unsupported_media_type',
  ],
  curl: (base) =>
    sessionSample(base, '/v1/confirm-codes', {
      method: 'POST',
      body: `'{"action": "key.create", "environment": "live", "label": "orders"}'`,
    }),
}

export function addDoorCodeRoute({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: DoorCodeRequest }>('/v1/confirm-codes', {
    config: { auth: 'session', needs: 'admin', action: 'door_code.create' },
    schema: operationSchema(ASK, publicUrl),
    handler: async (request, reply) => {
      const door = await doorIn(deps, callerOf(request), request.body)
      const { sentTo, expiresAt, confirms } = await askAtDoor(deps, confirmerOf(request), door)
      request.activityDetail = request.body.action
      const sent: DoorCodeSent = {
        object: 'confirm_code',
        sent_to: sentTo,
        expires_at: expiresAt.toISOString(),
        confirms,
      }
      return reply.code(202).send(sent)
    },
  })
}

async function doorIn(deps: Deps, partner: Caller, body: DoorCodeRequest): Promise<Door | null> {
  switch (body.action) {
    case 'key.create': {
      const environment = given(body, 'environment')
      return doorToNewKey(deps, partner, { environment, label: body.label ?? null, rules: keyRulesIn(body) })
    }
    case 'key.change':
      return doorToKeyChange(deps, partner, { keyId: given(body, 'key_id'), changes: keyRulesIn(body) })
    case 'key.rotate': {
      const wanted = { keyId: given(body, 'key_id'), graceSeconds: given(body, 'grace_seconds') }
      return doorToRotation(deps, partner, wanted)
    }
    case 'member.invite':
      return doorToInvitation(deps, partner, { email: given(body, 'email'), role: given(body, 'role') })
    case 'member.change':
      return doorToMemberChange(deps, partner, memberChangeIn(body, partner.by))
    case 'member.remove':
      return doorToRemoval(deps, partner, given(body, 'member_id'))
    case 'payouts.resume':
      return (await judgeResuming(deps, { partnerId: partner.id, environment: given(body, 'environment') })).door
    case 'settings.change': {
      const { billing_email, contact_email } = body
      const addresses = {
        ...(billing_email === undefined ? {} : { billing_email }),
        ...(contact_email === undefined ? {} : { contact_email }),
      }
      return doorToAddresses(partner, settingsIn(addresses))
    }
  }
}

/** Without limits the role is what changes; limits belong to an environment. */
function memberChangeIn(body: DoorCodeRequest, by: string) {
  const id = given(body, 'member_id')
  const limits = spendingLimitsIn(body)
  if (Object.keys(limits).length === 0)
    return { id, role: given(body, 'role'), limits, environment: 'live', by } as const
  return { id, role: body.role ?? null, limits, environment: given(body, 'environment'), by }
}

function given<Name extends keyof DoorCodeRequest>(
  body: DoorCodeRequest,
  name: Name,
): NonNullable<DoorCodeRequest[Name]> {
  const value: DoorCodeRequest[Name] = body[name]
  if (value !== undefined) return value
  throw new AppError('invalid_request', `To confirm ${body.action}, say ${name}.`, {
    details: { fields: [`${name} (needed for ${body.action})`] },
  })
}
