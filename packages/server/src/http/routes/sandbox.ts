// What only a sandbox can do: choose how a payout ends, and top up with test money.
import { AdvanceRequest, Advanced, Payout, SandboxReset, SimulateRequest, TopUp, TopUpRequest } from '@kestrel/contract'
import { Type } from 'typebox'

import { formatUsdcHeld } from '../../core/money.ts'
import { called } from '../../domain/activity/audited.ts'
import { rehearseInvoice } from '../../domain/billing/rehearse-invoice.ts'
import { advanceSandbox } from '../../domain/banking/sandbox/advance.ts'
import { resetSandbox } from '../../domain/banking/sandbox/reset.ts'
import { simulateOutcome } from '../../domain/banking/sandbox/simulate.ts'
import { simulateTopUp } from '../../domain/banking/sandbox/top-up.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { AGGREGATE } from '../access/route-cost.ts'
import { presentRehearsal } from '../present/billing.ts'
import { presentPayout } from '../present/payout.ts'
import type { RouteContext } from './route-context.ts'

/** For sandbox keys, and for admins who are signed in. */
const ACCESS = { auth: 'key', needs: 'admin', sandboxOnly: true } as const
const SHARED = { tag: 'Sandbox', needs: 'admin', query: EnvironmentQuery } as const
const BODY_ERRORS = [
  'not_found',
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
] as const

export function addSandboxRoutes(context: RouteContext): void {
  addSimulate(context)
  addTopUp(context)
  addAdvance(context)
  addReset(context)
}

function addSimulate({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Params: { id: string }; Body: SimulateRequest }>('/v1/sandbox/payouts/:id/simulate', {
    config: { ...ACCESS, action: 'payout.simulate' },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'simulatePayout',
        summary: 'Simulate how a payout ends',
        description:
          'Tells the sandbox bank what to do with a payout that is on its way, or to return one that has arrived. With a `reason` the payout fails with that `failure_code`. A payout that is told how to end goes no further by itself.',
        params: Type.Object({ id: Type.String({ description: 'The id of the payout, a UUID.' }) }),
        body: SimulateRequest,
        ok: { 200: { schema: Payout, description: 'The payout as it is now.' } },
        errors: ['simulation_unavailable', 'bank_unavailable', ...BODY_ERRORS],
        curl: (base) =>
          sample(base, '/v1/sandbox/payouts/$PAYOUT_ID/simulate', '{"outcome": "fail", "reason": "account_closed"}'),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const payout = await simulateOutcome(deps, scopeOf(request), request.params.id, request.body)
      request.activityDetail = payout.id
      request.audited = { subject: called(request.body.outcome), changes: [] }
      return presentPayout(deps, payout)
    },
  })
}

function addTopUp({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: TopUpRequest }>('/v1/sandbox/top-up', {
    config: { ...ACCESS, action: 'wallet.top_up', line: 'bank' },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'topUpSandbox',
        summary: 'Top up with test money',
        description: 'Tells the sandbox bank of a deposit. It is in the wallet when the bank says so.',
        body: TopUpRequest,
        ok: { 202: { schema: TopUp, description: 'The sandbox bank has been told.' } },
        errors: ['simulation_unavailable', 'bank_unavailable', ...BODY_ERRORS],
        curl: (base) => sample(base, '/v1/sandbox/top-up', '{"usdc": "500.00", "source": "bank"}'),
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { usdc, source } = request.body
      await simulateTopUp(deps, scopeOf(request), { usdc, source })
      request.audited = { subject: `${usdc} USDC of test money`, changes: [] }
      return reply.code(202).send({ object: 'top_up', usdc, source } satisfies TopUp)
    },
  })
}

function addAdvance({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: AdvanceRequest }>('/v1/sandbox/advance', {
    // A thousand payouts may be read from the bank for it, in a line of its own.
    config: { ...ACCESS, action: 'sandbox.advance', ...AGGREGATE },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'advanceSandbox',
        summary: 'Let time pass',
        description:
          'Lets time pass for the payouts of this sandbox, and for nobody else’s: what waits at the sandbox bank happens now, such as settlement, a return or a refund. What happens bears the real time. A payout with the reference `sandbox:hold` waits on. Over the simulated rail every story goes to its end. With `close_month` the answer has the invoice that this month would give in live, as it stands then.',
        body: AdvanceRequest,
        ok: { 200: { schema: Advanced, description: 'What came of it.' } },
        errors: ['simulation_unavailable', 'bank_unavailable', ...BODY_ERRORS],
        curl: (base) => sample(base, '/v1/sandbox/advance', '{"seconds": 60}'),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { seconds, close_month: closes = false } = request.body
      const scope = scopeOf(request)
      const payouts = await advanceSandbox(deps, scope, seconds)
      request.activityDetail = `${seconds} seconds${closes ? ', and the month closed' : ''}`
      const invoice = closes ? presentRehearsal(await rehearseInvoice(deps, scope.partnerId)) : undefined
      return { object: 'advance', seconds, payouts, ...(invoice && { invoice }) } satisfies Advanced
    },
  })
}

function addReset({ app, deps, publicUrl }: RouteContext): void {
  app.post('/v1/sandbox/reset', {
    config: { ...ACCESS, action: 'sandbox.reset', ...AGGREGATE },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'resetSandbox',
        summary: 'Reset the sandbox',
        description:
          'Back to the beginning: payouts under way are cancelled, a pause ends, what was paid counts against no limit, and the wallet holds what it began with, by a movement of its own. Nothing is deleted: payouts, statements and events stay, and so do keys, members, limits and endpoints. Asking twice has the effect of asking once.',
        ok: { 200: { schema: SandboxReset, description: 'How the sandbox is now.' } },
        errors: ['simulation_unavailable', 'bank_unavailable', 'not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/sandbox/reset -X POST \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request): Promise<SandboxReset> => {
      const { by, ...partner } = callerOf(request)
      const url = `${publicUrl}/dashboard/payouts`
      const { balance, ended, left } = await resetSandbox(deps, { partner, environment: 'sandbox', by, url })
      request.activityDetail = ended === 0 ? null : `${ended} cancelled`
      return {
        object: 'sandbox_reset',
        usdc: formatUsdcHeld(balance),
        payouts_cancelled: ended,
        payouts_under_way: left,
      }
    },
  })
}

function sample(base: string, path: string, body: string): string {
  return `curl ${base}${path} \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
}
