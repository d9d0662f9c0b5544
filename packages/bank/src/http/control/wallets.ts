import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { conflict, invalidParameters, unknownId } from '../../core/bank-error.ts'
import { newId } from '../../core/ids.ts'
import { type MicroUsdc, type Pence, parsePence, parseSignedMicro, parseUsdc } from '../../core/money.ts'
import { receiveBankDeposit, receiveOnchainDeposit } from '../../domain/receive-deposit.ts'
import { settleEverythingDue } from '../../domain/settle-due-transfers.ts'
import { presentWalletWithBalances } from '../../present/present-wallet.ts'
import { violates } from '../../storage/database.ts'
import type { Db } from '../../storage/sql.ts'
import { bringForward, hasWaitingTransfers } from '../../storage/transfers.ts'
import { hasMovement, postMovements } from '../../storage/wallet-movements.ts'
import { type Wallet, findWallet, lockWallets } from '../../storage/wallets.ts'
import { type RouteContext, idFrom } from '../route-context.ts'

const Credit = Type.Object({
  source: Type.Enum(['bank', 'onchain']),
  amount: Type.Optional(Type.String()),
  amount_gbp: Type.Optional(Type.String()),
})

// Three months: more than any story waits for.
const Sooner = Type.Object({ ms: Type.Integer({ minimum: 0, maximum: 7_776_000_000 }) })

const Adjustment = Type.Object({
  amount_micro: Type.String(),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
  // With a cause it is made once, however often it is asked for.
  cause: Type.Optional(Type.String({ format: 'uuid' })),
})

interface CreditBody {
  readonly source: 'bank' | 'onchain'
  readonly amount?: string
  readonly amount_gbp?: string
}

export function addWalletControls({ app, deps, nudge }: RouteContext): void {
  const { db } = deps

  // A deposit that really arrives: by bank transfer at the virtual account, on chain at the liquidation address.
  app.post<{ Body: CreditBody }>('/wallets/:walletId/credit', { schema: { body: Credit } }, async (request) => {
    const { source } = request.body
    const { credited, received } = amountsOf(request.body)
    const answer = await db.inTransaction(async (tx) => {
      const wallet = await walletFrom(tx, request)
      if (source === 'onchain' && credited === null) throw invalidParameters('body', ['amount'])
      const { depositId } =
        source === 'onchain' && credited !== null
          ? await receiveOnchainDeposit(deps, tx, wallet, credited)
          : await receiveBankDeposit(deps, tx, wallet, { credited, received })
      return { deposit_id: depositId, wallet: presentWalletWithBalances(await walletFrom(tx, request)) }
    })
    nudge()
    return answer
  })

  // The clock of one wallet: what its transfers wait for comes sooner, and nobody else's time moves.
  app.post<{ Body: { ms: number } }>('/wallets/:walletId/advance', { schema: { body: Sooner } }, async (request) => {
    const moved = await db.inTransaction(async (tx) => {
      const { id } = await walletFrom(tx, request)
      return bringForward(tx, { id, ms: request.body.ms, now: deps.clock.now() })
    })
    // When this answers, every transfer that became due has moved.
    await settleEverythingDue(deps)
    nudge()
    return { transfers: moved, is_waiting: await hasWaitingTransfers(db, idFrom(request, 'walletId', 'wallet')) }
  })

  // Money that appears or goes missing without a trace in the API: reconciliation must find it.
  app.post<{ Body: { amount_micro: string; reason: string; cause?: string } }>(
    '/wallets/:walletId/adjust',
    { schema: { body: Adjustment } },
    async (request) => {
      const amount = parseSignedMicro(request.body.amount_micro)
      if (amount === null || amount === 0n) throw invalidParameters('body', ['amount_micro'])
      const { reason: note, cause = newId() } = request.body
      const wallet = await adjust(deps, request, { amount, note, cause })
      return presentWalletWithBalances(wallet)
    },
  )
}

async function adjust(
  deps: RouteContext['deps'],
  request: FastifyRequest,
  { amount, note, cause }: { amount: MicroUsdc; note: string; cause: string },
): Promise<Wallet> {
  try {
    return await deps.db.inTransaction(async (tx) => {
      const { id: walletId } = await walletFrom(tx, request)
      await lockWallets(tx, [walletId])
      if (await hasMovement(tx, { walletId, kind: 'adjustment', cause })) return walletFrom(tx, request)
      postMovements(tx, [{ walletId, kind: 'adjustment', cause, amount, note }], deps.clock.now())
      return walletFrom(tx, request)
    })
  } catch (error) {
    if (!violates(error, 'wallet_is_never_negative')) throw error
    throw conflict('wallet_too_low', 'The wallet does not hold that much.')
  }
}

function amountsOf(body: CreditBody): { credited: MicroUsdc | null; received: Pence | null } {
  const credited = body.amount === undefined ? null : parseUsdc(body.amount)
  const received = body.amount_gbp === undefined ? null : parsePence(body.amount_gbp)
  const wrong = [
    ...(body.amount !== undefined && (credited === null || credited === 0n) ? ['amount'] : []),
    ...(body.amount_gbp !== undefined && (received === null || received === 0n) ? ['amount_gbp'] : []),
    ...(body.amount === undefined && body.amount_gbp === undefined ? ['amount'] : []),
  ]
  if (wrong.length > 0) throw invalidParameters('body', wrong)
  return { credited, received }
}

async function walletFrom(db: Db, request: FastifyRequest): Promise<Wallet> {
  const wallet = await findWallet(db, idFrom(request, 'walletId', 'wallet'))
  if (wallet === null) throw unknownId('wallet')
  return wallet
}
