import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { invalidParameters, unknownId } from '../../core/bank-error.ts'
import { isUuid, newAddress, newId } from '../../core/ids.ts'
import { presentDrain, presentLiquidationAddress } from '../../present/present-deposit.ts'
import {
  type LiquidationAddress,
  findLiquidationAddress,
  insertLiquidationAddress,
  listDrains,
  listLiquidationAddresses,
} from '../../storage/liquidation-addresses.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import { type Wallet, findWallet } from '../../storage/wallets.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom, updatedBetween } from '../read-query.ts'
import { type RouteContext, approvedCustomerFrom, customerIdFrom, idFrom, listOf } from '../route-context.ts'

const NewLiquidationAddress = Type.Object({
  chain: Type.Enum(['arbitrum', 'avalanche_c_chain', 'base', 'ethereum', 'optimism', 'polygon', 'solana']),
  currency: Type.Literal('usdc'),
  bridge_wallet_id: Type.String(),
  destination_payment_rail: Type.Optional(Type.String()),
  destination_currency: Type.Optional(Type.String()),
  return_address: Type.Optional(Type.String({ minLength: 1 })),
})

export function addLiquidationAddressRoutes(context: RouteContext): void {
  const { app, deps } = context
  const { db } = deps
  addLiquidationAddressPost(context)

  app.get('/liquidation_addresses', async (request) => {
    const addresses = await listLiquidationAddresses(db, { customerId: null }, pageFrom(request))
    return listOf(addresses.map(presentLiquidationAddress))
  })

  app.get('/liquidation_addresses/drains', async (request) => drains(context, request, null))

  app.get('/customers/:customerId/liquidation_addresses', async (request) => {
    const customerId = await customerIdFrom(db, request)
    return listOf(
      (await listLiquidationAddresses(db, { customerId }, pageFrom(request))).map(presentLiquidationAddress),
    )
  })

  app.get('/customers/:customerId/liquidation_addresses/:liquidationAddressId', async (request) =>
    presentLiquidationAddress(await addressFrom(db, request)),
  )

  app.get('/customers/:customerId/liquidation_addresses/:liquidationAddressId/drains', async (request) =>
    drains(context, request, (await addressFrom(db, request)).id),
  )
}

function addLiquidationAddressPost(context: RouteContext): void {
  const { deps } = context
  addIdempotentPost(context, {
    path: '/customers/:customerId/liquidation_addresses',
    body: NewLiquidationAddress,
    effect: async (tx, { body, request }) => {
      const { id: customerId } = await approvedCustomerFrom(tx, request)
      const wallet = await walletOf(tx, customerId, body.bridge_wallet_id)
      refuseOtherDestination(wallet, body)
      const now = deps.clock.now()
      const address: LiquidationAddress = {
        id: newId(),
        customerId,
        walletId: wallet.id,
        walletAddress: wallet.address,
        walletChain: wallet.chain,
        chain: body.chain,
        currency: body.currency,
        address: newAddress(body.chain),
        returnAddress: body.return_address ?? null,
        createdAt: now,
        updatedAt: now,
      }
      const existingId = await insertLiquidationAddress(tx, address)
      if (existingId !== null) {
        const message = 'A liquidation address with the same chain, currency and destination already exists.'
        throw invalidParameters('body', ['chain', 'currency', 'bridge_wallet_id'], message)
      }
      return { status: 201, body: presentLiquidationAddress(address) }
    },
  })
}

/** A request that does not say where to means a bank account in dollars, as at the real bank: not a wallet. */
function refuseOtherDestination(
  wallet: Wallet,
  {
    destination_payment_rail: rail = 'ach',
    destination_currency: currency = 'usd',
  }: Static<typeof NewLiquidationAddress>,
): void {
  const wrong = [
    ...(rail === wallet.chain ? [] : ['destination_payment_rail']),
    ...(currency === 'usdc' ? [] : ['destination_currency']),
  ]
  if (wrong.length === 0) return
  throw invalidParameters('body', wrong, `A wallet on ${wallet.chain} cannot be paid in ${currency} by ${rail}.`)
}

async function walletOf(tx: Tx, customerId: string, walletId: string): Promise<Wallet> {
  const wallet = isUuid(walletId) ? await findWallet(tx, walletId) : null
  if (wallet === null || wallet.customerId !== customerId) {
    throw invalidParameters('body', ['bridge_wallet_id'], 'Unknown wallet id')
  }
  return wallet
}

async function drains(
  { deps }: RouteContext,
  request: FastifyRequest,
  liquidationAddressId: string | null,
): Promise<object> {
  const filter = { liquidationAddressId, ...updatedBetween(request) }
  const found = await listDrains(deps.db, filter, pageFrom(request, deps.readings))
  return listOf(found.map((drain) => presentDrain(drain, deps.publicUrl())))
}

async function addressFrom(db: Db, request: FastifyRequest): Promise<LiquidationAddress> {
  const address = await findLiquidationAddress(db, idFrom(request, 'liquidationAddressId', 'liquidation address'))
  if (address === null || address.customerId !== idFrom(request, 'customerId', 'customer')) {
    throw unknownId('liquidation address')
  }
  return address
}
