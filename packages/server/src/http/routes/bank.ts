// Routes about the bank: how to top up, the start of business verification, and the bank's webhooks.
import { Compliance, type Environment, Funding } from '@kestrel/contract'
import type { FastifyInstance } from 'fastify'

import { notFound } from '../../core/errors.ts'
import { receiveBankEvent } from '../../domain/banking/feeds/bank-events.ts'
import { listDeposits, listTopUps } from '../../domain/banking/feeds/list-deposits.ts'
import { readLiveStanding } from '../../domain/banking/verification/live-standing.ts'
import { listMissingAtBank } from '../../domain/banking/verification/missing-at-bank.ts'
import { startVerification } from '../../domain/banking/verification/verification.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { presentCompliance } from '../present/account.ts'
import { presentFunding } from '../present/funding.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

const LARGEST_MESSAGE_BYTES = 64 * 1024

export async function addBankRoutes(context: RouteContext): Promise<void> {
  addVerification(context)
  addRead(context, {
    tag: 'Account',
    url: '/v1/funding',
    id: 'readFunding',
    action: 'funding.read',
    summary: 'Read how to top up',
    description:
      'The bank details and the address that feed the wallet, and the deposits that have arrived. Both are null until a bank is connected for the account; `missing` says what the bank has not opened.',
    schema: Funding,
    answer: async (request) => {
      const scope = scopeOf(request)
      const [deposits, topUps, missing] = await Promise.all([
        listDeposits(context.deps, scope),
        listTopUps(context.deps, scope),
        listMissingAtBank(context.deps, scope),
      ])
      return presentFunding(callerOf(request), { deposits, topUps, missing })
    },
  })
  await context.app.register(async (scope) => addWebhook(scope, context))
}

function addVerification({ app, deps, publicUrl }: RouteContext): void {
  app.post('/v1/compliance/verification', {
    config: { auth: 'key', needs: 'admin', action: 'verification.start', line: 'bank' },
    schema: operationSchema(
      {
        id: 'startVerification',
        tag: 'Account',
        needs: 'admin',
        query: EnvironmentQuery,
        summary: 'Start business verification',
        description:
          'Gives `continue_url` and `terms_url`, where the business proves who it is and accepts the bank’s terms. It is always about live, whichever key asks, and live opens when the bank approves. Asking again gives the same links, after a rejection too: the bank has one business per contact email. Where it knows the contact email as another business’s, the answer is `invalid_request`; give the account one of its own and ask again.',
        ok: { 200: { schema: Compliance, description: 'Compliance, with the links to go on with.' } },
        errors: ['invalid_request', 'bank_unavailable'],
        curl: (base) => `curl ${base}/v1/compliance/verification -X POST \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const caller = callerOf(request)
      const partner = await startVerification(deps, caller, {
        returnUrl: `${publicUrl}/dashboard/compliance`,
        by: 'partner',
      })
      return presentCompliance({ ...caller, ...partner }, await readLiveStanding(deps, partner))
    },
  })
}

/** The signature is over the raw bytes, so nothing parses them here. */
function addWebhook(scope: FastifyInstance, { deps }: RouteContext): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post<{ Params: { environment: string } }>('/v1/bank/webhooks/:environment', {
    config: { auth: 'none', isSigned: true },
    schema: { hide: true },
    bodyLimit: LARGEST_MESSAGE_BYTES,
    handler: async (request) => {
      const { environment } = request.params
      if (environment !== 'sandbox' && environment !== 'live') throw notFound()
      await receiveBankEvent(deps, environment satisfies Environment, {
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      })
      return { received: true }
    },
  })
}
