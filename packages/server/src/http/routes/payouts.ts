import { CreatePayoutRequest, Payout, PayoutCreated, PayoutList, WENT_WRONG } from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { formatPence } from '../../core/money.ts'
import { cancelPayout } from '../../domain/payouts/follow/cancel-payout.ts'
import { createPayout } from '../../domain/payouts/create/create-payout.ts'
import { requireConfirmation } from '../../domain/payouts/create/confirm-payout.ts'
import { listPayouts, readPageVersion } from '../../domain/payouts/read/list-payouts.ts'
import { readPayout } from '../../domain/payouts/read/read-payout.ts'
import { requireIdempotencyKey } from '../../domain/idempotency/key-format.ts'
import { Company } from '../../core/company.ts'
import { onceCertain } from '../access/assumed-caller.ts'
import { callerOf, scopeOf, termsOf } from '../access/authenticate.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, NOT_CHANGED, type Operation, operationSchema } from '../access/operation.ts'
import { costOfPage } from '../access/route-cost.ts'
import { type PayoutListQuery, payoutListQuery, PayoutListQuerySchema } from '../query/payout-query.ts'
import { answersShared } from './shared-answer.ts'
import { maxWalletDebit } from './payout-headers.ts'
import { presentCreatedPayout, presentPayout, presentPayoutPage } from '../present/payout.ts'
import { payoutExampleCurl } from './payout-example.ts'
import type { RouteContext } from './route-context.ts'

export function addPayoutRoutes(context: RouteContext): void {
  addCreate(context)
  addList(context)
  addRead(context)
  addCancel(context)
}

const CREATE: Operation = {
  id: 'createPayout',
  tag: 'Payouts',
  needs: 'admin',
  summary: 'Create a payout',
  description:
    'Pays a person in pounds from the account’s wallet. Sent again with the same `Idempotency-Key`, it answers 200 with the payout as it is now and never pays twice. When the bank does not answer in time the payout is `pending`, and its outcome is found out.',
  headers: Type.Object({
    'idempotency-key': Type.String({
      pattern: '^[A-Za-z0-9_\\-:.]{8,100}$',
      description: 'One key per payout, for example your own order id. It is remembered for ever.',
      examples: ['order-1042'],
    }),
    'max-wallet-debit-usdc': Type.Optional(
      Type.String({
        pattern: '^\\d+\\.\\d{2}$',
        description: 'Refuse the payout if the wallet would send more than this.',
        examples: ['33.30'],
      }),
    ),
  }),
  query: EnvironmentQuery,
  body: CreatePayoutRequest,
  ok: {
    201: { schema: PayoutCreated, description: 'A new payout, with its quote.' },
    200: {
      schema: Payout,
      description: 'The payout that this key made before, with the header `Idempotent-Replayed: true`.',
    },
  },
  errors: [
    'idempotency_key_required',
    'invalid_header',
    'invalid_json',
    'insufficient_funds',
    'idempotency_key_in_progress',
    'invalid_request',
    'corridor_not_enabled',
    'invalid_amount',
    'invalid_recipient',
    'recipient_account_rejected',
    'idempotency_key_reused',
    'rate_moved',
    'payouts_paused',
    'spending_limit_reached',
    'confirm_code_required',
    'code_not_accepted',
    'body_too_large',
    'unsupported_media_type',
    'payout_not_created',
    'bank_unavailable',
  ],
  curl: payoutExampleCurl,
}

function addCreate({ app, deps, publicUrl }: RouteContext): void {
  const company = new Company(deps.clock)
  app.post<{ Body: CreatePayoutRequest }>('/v1/payouts', {
    config: {
      auth: 'key',
      needs: 'admin',
      needsVerification: true,
      action: 'payout.create',
      line: 'bank',
      provesKey: true,
    },
    schema: operationSchema(CREATE, publicUrl),
    // Before the body is read: a missing key is reported whatever the body is.
    onRequest: async (request) => {
      requireIdempotencyKey(request.headers['idempotency-key'] as string | undefined)
      maxWalletDebit(request.headers['max-wallet-debit-usdc'])
    },
    handler: async (request, reply) => {
      const { body } = request
      await company.gather()
      const created = await onceCertain(() => create(deps, request))
      request.activityDetail = created.payout.id
      request.audited = { subject: `£${body.amount_gbp}`, changes: [] }
      if (created.isReplay) {
        reply.header('Idempotent-Replayed', 'true')
        request.milestone = 'replay_seen'
      }
      return reply.code(created.isReplay ? 200 : 201).send(presentCreatedPayout(deps, created))
    },
  })
}

async function create(deps: RouteContext['deps'], request: FastifyRequest<{ Body: CreatePayoutRequest }>) {
  const { session, environment, keyId, spenderId, hasSpendingLimits, by } = callerOf(request)
  const terms = termsOf(request)
  const idempotencyKey = requireIdempotencyKey(request.headers['idempotency-key'] as string | undefined)
  const { body } = request
  if (session !== null && environment === 'live') {
    const wanted = { scope: terms, limits: terms.limits, idempotencyKey, body }
    await requireConfirmation(deps, confirmerOf(request), wanted)
  }
  return createPayout(deps, {
    terms,
    idempotencyKey,
    body,
    createdVia: session === null ? 'api' : 'dashboard',
    createdBy: by,
    requestId: request.id,
    keyId,
    assumed: request.assumed,
    spender: { id: spenderId, isLimited: hasSpendingLimits },
    mostToSend: maxWalletDebit(request.headers['max-wallet-debit-usdc']),
  })
}

function addList({ app, deps, publicUrl }: RouteContext): void {
  const answer = answersShared()
  app.get<{ Querystring: PayoutListQuery }>('/v1/payouts', {
    config: { auth: 'key', action: 'payouts.list', line: 'costly' },
    schema: operationSchema(
      {
        id: 'listPayouts',
        tag: 'Payouts',
        summary: 'List payouts',
        description:
          'The newest first. Give `next_cursor` of one page as `cursor` to get the next. With filters, one page is looked for in 10,000 payouts: it may hold fewer than asked for, or none, and `next_cursor` goes on to those before them. Send the `ETag` of a page back as `If-None-Match`, and the answer is 304 without a body while nothing has changed.',
        query: PayoutListQuerySchema,
        ok: { 200: { schema: PayoutList, description: 'One page of payouts.' }, ...NOT_CHANGED },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/payouts?limit=10&status=completed" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const asked = payoutListQuery(request.query)
      app.chargeMore(request, reply, costOfPage(asked.limit))
      const scope = scopeOf(request)
      const read = async () => {
        const page = await listPayouts(deps, scope, asked)
        return { said: presentPayoutPage(deps, page), version: page.version }
      }
      return answer(request, reply, { read, readVersion: () => readPageVersion(deps, scope, asked) })
    },
  })
}

function addRead({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/v1/payouts/:id', {
    config: { auth: 'key', action: 'payout.read' },
    schema: operationSchema(
      {
        id: 'readPayout',
        tag: 'Payouts',
        summary: 'Read a payout',
        description: 'Poll it to follow a payout: `completed`, `failed`, `cancelled` and `returned` are its ends.',
        query: EnvironmentQuery,
        params: Type.Object({ id: Type.String({ description: 'The id of the payout, a UUID.' }) }),
        ok: { 200: { schema: Payout, description: 'The payout as it is now.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/payouts/$PAYOUT_ID \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const payout = await readPayout(deps, scopeOf(request), request.params.id)
      request.activityDetail = payout.id
      if (WENT_WRONG.has(payout.status)) request.milestone = 'failure_read'
      return presentPayout(deps, payout)
    },
  })
}

function addCancel({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Params: { id: string } }>('/v1/payouts/:id/cancel', {
    config: { auth: 'key', needs: 'admin', needsVerification: true, action: 'payout.cancel', line: 'bank' },
    schema: operationSchema(
      {
        id: 'cancelPayout',
        tag: 'Payouts',
        needs: 'admin',
        query: EnvironmentQuery,
        summary: 'Cancel a payout',
        description:
          'Stops a payout if the bank still can: as long as it has not taken the money from the wallet, which in sandbox takes about half a second and in live is often done at once. After that it answers 409 and nothing changes. Cancelling twice has the effect of cancelling once.',
        params: Type.Object({ id: Type.String({ description: 'The id of the payout, a UUID.' }) }),
        ok: { 200: { schema: Payout, description: 'The payout, cancelled; its money is back in the wallet.' } },
        errors: ['not_found', 'payout_not_cancellable', 'bank_unavailable', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/payouts/$PAYOUT_ID/cancel -X POST \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const payout = await cancelPayout(deps, scopeOf(request), { id: request.params.id, requestId: request.id })
      request.activityDetail = payout.id
      request.audited = { subject: `£${formatPence(payout.amount)}`, changes: [] }
      return presentPayout(deps, payout)
    },
  })
}
