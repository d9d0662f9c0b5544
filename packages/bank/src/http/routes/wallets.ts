import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { invalidParameters, unknownId } from '../../core/bank-error.ts'
import { parseUsdc } from '../../core/money.ts'
import { openWallet } from '../../domain/open-wallet.ts'
import { simulateDeposit } from '../../domain/receive-deposit.ts'
import {
  presentBalance,
  presentHistoryEntry,
  presentWallet,
  presentWalletWithBalances,
} from '../../present/present-wallet.ts'
import type { Db } from '../../storage/sql.ts'
import { listMovements } from '../../storage/wallet-movements.ts'
import { type Wallet, findWallet, listWallets, totalBalances } from '../../storage/wallets.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { limitFrom, pageFrom, updatedBetween } from '../read-query.ts'
import { type RouteContext, customerIdFrom, idFrom, listOf } from '../route-context.ts'

const NewWallet = Type.Object({ chain: Type.Enum(['base', 'ethereum', 'solana']) })
const Deposit = Type.Object({ amount: Type.String(), currency: Type.Literal('usdc') })

export function addWalletRoutes(context: RouteContext): void {
  const { app, deps } = context
  const { db } = deps
  addWalletPosts(context)

  app.get('/wallets', async (request) => {
    const wallets = await listWallets(db, { customerId: null }, pageFrom(request))
    return listOf(wallets.map(presentWallet))
  })

  app.get('/wallets/total_balances', async () => (await totalBalances(db)).map(presentBalance))

  app.get('/wallets/:walletId/history', async (request) => {
    const walletId = idFrom(request, 'walletId', 'wallet')
    if ((await findWallet(db, walletId)) === null) throw unknownId('wallet')
    const filter = { limit: limitFrom(request), ...updatedBetween(request) }
    return listOf((await listMovements(db, walletId, filter)).map(presentHistoryEntry))
  })

  app.get('/customers/:customerId/wallets', async (request) => {
    const customerId = await customerIdFrom(db, request)
    return listOf((await listWallets(db, { customerId }, pageFrom(request))).map(presentWallet))
  })

  app.get('/customers/:customerId/wallets/:walletId', async (request) =>
    presentWalletWithBalances(await walletFrom(db, request)),
  )
}

function addWalletPosts(context: RouteContext): void {
  const { deps } = context
  addIdempotentPost(context, {
    path: '/customers/:customerId/wallets',
    body: NewWallet,
    effect: async (tx, { body, request }) => {
      const customerId = idFrom(request, 'customerId', 'customer')
      const wallet = await openWallet(deps, tx, { customerId, chain: body.chain })
      return { status: 201, body: presentWallet(wallet) }
    },
  })

  addIdempotentPost(context, {
    path: '/customers/:customerId/wallets/:walletId/simulate_deposit',
    body: Deposit,
    effect: async (tx, { body, request }) => {
      const wallet = await walletFrom(tx, request)
      const amount = parseUsdc(body.amount)
      if (amount === null || amount === 0n) throw invalidParameters('body', ['amount'])
      await simulateDeposit(deps, tx, wallet, amount)
      return { status: 200, body: presentWalletWithBalances(await walletFrom(tx, request)) }
    },
  })
}

/** The wallet that a path is about, which must belong to the customer in it. The developer's own is its own holder. */
async function walletFrom(db: Db, request: FastifyRequest): Promise<Wallet> {
  const wallet = await findWallet(db, idFrom(request, 'walletId', 'wallet'))
  if (wallet === null || (wallet.customerId ?? wallet.id) !== idFrom(request, 'customerId', 'customer')) {
    throw unknownId('wallet')
  }
  return wallet
}
