import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { BankError, invalidParameters, orRefusal, unknownId } from '../../core/bank-error.ts'
import { isUuid } from '../../core/ids.ts'
import { microUsdc, parsePence, parseUsdc } from '../../core/money.ts'
import { TRANSFER_STATES } from '../../core/transfer-moves.ts'
import { checkOrder, createTransfer, createTransfers } from '../../domain/create-transfer.ts'
import { type TransferOrder, missingCapabilities } from '../../domain/judge-order.ts'
import type { BankDeps } from '../../domain/bank-deps.ts'
import { showTransfer } from '../../domain/show-transfer.ts'
import { ShownTransfers } from '../../domain/shown-transfers.ts'
import { stopTransfer } from '../../domain/steer-transfer.ts'
import { type TopUpOrder, topUpTransfer } from '../../domain/top-up-transfer.ts'
import { presentTopUp } from '../../present/present-transfer.ts'
import type { Tx } from '../../storage/sql.ts'
import { findTopUps } from '../../storage/top-ups.ts'
import type { Transfer } from '../../storage/transfers.ts'
import { type Effect, type PostInput, addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom, textFrom, updatedBetween, wordFrom } from '../read-query.ts'
import { type RouteContext, customerIdFrom, idFrom } from '../route-context.ts'

/**
 * The two kinds of transfers that we need: USDC out of a wallet here, an exact amount of pounds into an account; and USDC
 * out of a wallet into such a transfer that has become too small.
 */
const NewTransfer = Type.Object({
  client_reference_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  on_behalf_of: Type.Optional(Type.String({ minLength: 1 })),
  amount: Type.Optional(Type.String()),
  developer_fee: Type.Optional(Type.String()),
  dry_run: Type.Optional(Type.Boolean()),
  source: Type.Object({
    payment_rail: Type.Literal('bridge_wallet'),
    currency: Type.Literal('usdc'),
    bridge_wallet_id: Type.String(),
    amount: Type.Optional(Type.String()),
  }),
  destination: Type.Object({
    payment_rail: Type.Enum(['faster_payments', 'bridge_transfer']),
    currency: Type.Enum(['gbp', 'usdc']),
    external_account_id: Type.Optional(Type.String()),
    amount: Type.Optional(Type.String()),
    bridge_transfer_id: Type.Optional(Type.String()),
    // What Faster Payments carries, and no character more.
    reference: Type.Optional(Type.String({ maxLength: 18, pattern: `^[a-zA-Z0-9 /\\-?:().,'+#=!"%&*<>;{@]*$` })),
  }),
})

// States that the real bank has and this bank never reaches: filtering by them is no mistake.
const FILTER_STATES = [
  ...TRANSFER_STATES,
  'funds_received',
  'kyc_required',
  'kyc_in_review',
  'developer_kyb_required',
  'error',
] as const

export function addTransferRoutes(context: RouteContext): void {
  const { app, deps, nudge } = context
  const { db } = deps
  const shown = new ShownTransfers(deps)

  addIdempotentPost(context, {
    path: '/transfers',
    body: NewTransfer,
    effect: async (tx, { body, idempotencyKey }) => {
      if (body.destination.payment_rail === 'bridge_transfer') {
        return { status: 201, body: presentTopUp(await topUpTransfer(deps, tx, readTopUp(body))) }
      }
      const order = readOrder(body, idempotencyKey)
      if (body.dry_run === true) return { status: 201, body: await tryDry(tx, order) }
      return effectOf(deps, await createTransfer(deps, tx, order))
    },
    together: {
      mayJoin: (body) =>
        body.destination.payment_rail === 'faster_payments' &&
        body.dry_run !== true &&
        !deps.readings.is('client_references_are_unique'),
      effects: (tx, inputs) => createAll(deps, tx, inputs),
    },
  })

  app.get('/transfers', async (request, reply) => sendText(reply, await list(context, shown, request, null)))

  app.get('/customers/:customerId/transfers', async (request, reply) =>
    sendText(reply, await list(context, shown, request, await customerIdFrom(db, request))),
  )

  app.get('/transfers/:transferId', async (request, reply) => {
    const id = idFrom(request, 'transferId', 'transfer')
    const text = await shown.find(id)
    if (text !== null) return sendText(reply, text)
    const [topUp] = await findTopUps(db, [id])
    if (topUp === undefined) throw unknownId('transfer')
    return presentTopUp(topUp)
  })

  app.delete('/transfers/:transferId', async (request) => {
    const id = idFrom(request, 'transferId', 'transfer')
    const transfer = await db.inTransaction((tx) => stopTransfer(deps, tx, id))
    nudge()
    return showTransfer(deps, transfer)
  })
}

function effectOf(deps: BankDeps, transfer: Transfer): Effect {
  const { visibleFrom, createdAt } = transfer
  const answer = { status: 201, body: showTransfer(deps, transfer) } as const
  return visibleFrom > createdAt ? { ...answer, answersFrom: visibleFrom } : answer
}

async function createAll(
  deps: BankDeps,
  tx: Tx,
  inputs: readonly PostInput<Static<typeof NewTransfer>>[],
): Promise<(Effect | BankError)[]> {
  const read = inputs.map(({ body, idempotencyKey }) => orRefusal(() => readOrder(body, idempotencyKey)))
  const orders = read.filter((each): each is TransferOrder => !(each instanceof BankError))
  const outcomes = await createTransfers(deps, tx, orders)
  const outcomeOf = new Map(orders.map((order, index) => [order, outcomes[index]!]))
  return read.map((each) => {
    const outcome = each instanceof BankError ? each : outcomeOf.get(each)!
    return outcome instanceof BankError ? outcome : effectOf(deps, outcome)
  })
}

/** Nothing is made. What the bank has not switched on is said in the notes. */
async function tryDry(tx: Tx, order: TransferOrder): Promise<object> {
  const { terms } = await checkOrder(tx, order)
  const notes = missingCapabilities(terms).map(({ note }) => note)
  return { state: notes.length === 0 ? 'valid' : 'invalid', notes }
}

function readTopUp({ source, destination, amount }: Static<typeof NewTransfer>): TopUpOrder {
  const added = amount === undefined ? null : parseUsdc(amount)
  const transferId = destination.bridge_transfer_id ?? ''
  const wrong = [
    ...(isUuid(source.bridge_wallet_id) ? [] : ['source.bridge_wallet_id']),
    ...(destination.currency === 'usdc' ? [] : ['destination.currency']),
    ...(isUuid(transferId) ? [] : ['destination.bridge_transfer_id']),
    ...(added === null || added === 0n ? ['amount'] : []),
  ]
  if (wrong.length > 0 || added === null) throw invalidParameters('body', wrong)
  return { walletId: source.bridge_wallet_id, transferId, amount: added }
}

function readOrder(body: Static<typeof NewTransfer>, idempotencyKey: string): TransferOrder {
  const { source, destination } = body
  const [customerId, externalAccountId] = [body.on_behalf_of ?? '', destination.external_account_id ?? '']
  const receive = parsePence(destination.amount ?? '')
  const offered = source.amount === undefined ? null : parseUsdc(source.amount)
  const developerFee = body.developer_fee === undefined ? microUsdc(0n) : parseUsdc(body.developer_fee)
  const wrong = [
    ...(isUuid(customerId) ? [] : ['on_behalf_of']),
    ...(isUuid(source.bridge_wallet_id) ? [] : ['source.bridge_wallet_id']),
    ...(source.amount !== undefined && offered === null ? ['source.amount'] : []),
    ...(destination.currency === 'gbp' ? [] : ['destination.currency']),
    ...(isUuid(externalAccountId) ? [] : ['destination.external_account_id']),
    ...(receive === null || receive === 0n ? ['destination.amount'] : []),
    ...(developerFee === null ? ['developer_fee'] : []),
  ]
  if (wrong.length > 0 || receive === null || developerFee === null) throw invalidParameters('body', wrong)
  return {
    idempotencyKey,
    clientReferenceId: body.client_reference_id ?? null,
    customerId,
    walletId: source.bridge_wallet_id,
    externalAccountId,
    destination: receive,
    offered,
    developerFee,
    reference: destination.reference === undefined || destination.reference === '' ? null : destination.reference,
  }
}

async function list(
  { deps }: RouteContext,
  shown: ShownTransfers,
  request: FastifyRequest,
  customerId: string | null,
): Promise<string> {
  const filter = {
    customerId,
    clientReferenceId: textFrom(request, 'client_reference_id'),
    state: wordFrom(request, 'state', FILTER_STATES),
    ...updatedBetween(request),
  }
  const texts = await shown.list(filter, pageFrom(request, deps.readings))
  return `{"count":${texts.length},"data":[${texts.join(',')}]}`
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}
