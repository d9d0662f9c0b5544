// The switch that stops all payouts of an account. A key can set it too: a program that sees something wrong stops itself.
// Letting payouts go out again is for people, in live with a mailed code.
import { PayoutPause } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'

import { passDoor } from '../../domain/access/doors.ts'
import { judgeResuming } from '../../domain/access/pause-door.ts'
import { type Switching, pausePayouts, resumePayouts, switchedTo } from '../../domain/partners/pause-payouts.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { ConfirmCodeHeader, confirmCodeIn } from '../access/confirm-code-header.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { sessionSample } from '../access/session-samples.ts'
import { presentPause } from '../present/payout-pause.ts'
import type { RouteContext } from './route-context.ts'

export function addPayoutPauseRoutes(context: RouteContext): void {
  addPause(context)
  addResume(context)
}

function switching(request: FastifyRequest, publicUrl: string): Switching {
  const { id, name, slug, environment, by } = callerOf(request)
  return {
    partner: { id, name, slug },
    environment,
    by,
    url: `${publicUrl}/dashboard/payouts?environment=${environment}`,
  }
}

function addPause({ app, deps, publicUrl }: RouteContext): void {
  app.post('/v1/payouts/pause', {
    config: { auth: 'key', needs: 'admin', action: 'payouts.pause' },
    schema: operationSchema(
      {
        id: 'pausePayouts',
        tag: 'Payouts',
        needs: 'admin',
        query: EnvironmentQuery,
        summary: 'Pause all payouts',
        description:
          'Once this has answered, no new payout is made in this environment, by any key or member, until an admin resumes. `POST /v1/payouts` answers 403 `payouts_paused`; a repeated request whose payout exists is answered as ever. Payouts that were under way go on, and quotes and reads too. Pausing twice has the effect of pausing once. Every admin gets a mail.',
        ok: { 200: { schema: PayoutPause, description: 'Payouts are paused.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl ${base}/v1/payouts/pause -X POST \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const pause = await pausePayouts(deps, switching(request, publicUrl))
      if (pause.isNew) request.audited = switchedTo(pause)
      return presentPause(callerOf(request), pause)
    },
  })
}

function addResume({ app, deps, publicUrl }: RouteContext): void {
  app.post('/v1/payouts/resume', {
    config: { auth: 'session', needs: 'admin', action: 'payouts.resume' },
    schema: operationSchema(
      {
        id: 'resumePayouts',
        tag: 'Dashboard',
        auth: 'session',
        needs: 'admin',
        query: EnvironmentQuery,
        headers: ConfirmCodeHeader,
        summary: 'Resume payouts',
        description:
          'Payouts are made again from now on. In live this needs a mailed code, in the header `Confirm-Code`. Every admin gets a mail.',
        ok: { 200: { schema: PayoutPause, description: 'Payouts go out again.' } },
        errors: ['invalid_header', 'invalid_request', 'confirm_code_required', 'code_not_accepted'],
        curl: (base) => sessionSample(base, '/v1/payouts/resume', { method: 'POST' }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const code = confirmCodeIn(request.headers['confirm-code'])
      const { door, pause } = await judgeResuming(deps, scopeOf(request))
      await passDoor(deps, confirmerOf(request), { door, code })
      const isResumed = await resumePayouts(deps, switching(request, publicUrl), { only: pause })
      if (isResumed) request.audited = switchedTo(null)
      return presentPause(callerOf(request), null)
    },
  })
}
