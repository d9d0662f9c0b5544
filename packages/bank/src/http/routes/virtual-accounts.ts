import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { invalidParameters, unknownId } from '../../core/bank-error.ts'
import { isUuid, newId } from '../../core/ids.ts'
import { refuseWithoutPounds } from '../../domain/onboarding.ts'
import { presentVirtualAccount, presentVirtualAccountEvent } from '../../present/present-deposit.ts'
import { offersPounds } from '../../storage/bank-terms.ts'
import type { Customer } from '../../storage/customers.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import {
  DEPOSIT_STEPS,
  type EventFilter,
  type VirtualAccount,
  findVirtualAccount,
  insertVirtualAccount,
  listVirtualAccountEvents,
  listVirtualAccounts,
} from '../../storage/virtual-accounts.ts'
import { findWallet } from '../../storage/wallets.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom, textFrom, updatedBetween, wordFrom } from '../read-query.ts'
import { type RouteContext, approvedCustomerFrom, customerIdFrom, idFrom, listOf } from '../route-context.ts'

const NewVirtualAccount = Type.Object({
  source: Type.Object({ currency: Type.Literal('gbp') }),
  destination: Type.Object({
    currency: Type.Literal('usdc'),
    payment_rail: Type.Enum(['base', 'ethereum', 'solana']),
    bridge_wallet_id: Type.String(),
  }),
  developer_fee_percent: Type.Optional(Type.String({ pattern: '^\\d{1,2}(\\.\\d+)?$' })),
})

/** No bank has this sort code. */
const SANDBOX_SORT_CODE = '999999'

// Kinds of activity that the real bank has and this bank never shows: filtering by them is no mistake.
const EVENT_TYPES = [
  ...DEPOSIT_STEPS,
  'funds_scheduled',
  'in_review',
  'refund',
  'microdeposit',
  'account_update',
  'deactivation',
  'activation',
] as const

export function addVirtualAccountRoutes(context: RouteContext): void {
  const { app, deps } = context
  const { db } = deps
  addVirtualAccountPost(context)

  app.get('/virtual_accounts', async (request) => {
    return listOf((await listVirtualAccounts(db, { customerId: null }, pageFrom(request))).map(presentVirtualAccount))
  })

  app.get('/virtual_accounts/history', async (request) => history(context, request, null))

  app.get('/customers/:customerId/virtual_accounts', async (request) => {
    const customerId = await customerIdFrom(db, request)
    return listOf((await listVirtualAccounts(db, { customerId }, pageFrom(request))).map(presentVirtualAccount))
  })

  app.get('/customers/:customerId/virtual_accounts/:virtualAccountId', async (request) =>
    presentVirtualAccount(await virtualAccountFrom(db, request)),
  )

  app.get('/customers/:customerId/virtual_accounts/:virtualAccountId/history', async (request) =>
    history(context, request, (await virtualAccountFrom(db, request)).id),
  )
}

function addVirtualAccountPost(context: RouteContext): void {
  const { deps } = context
  addIdempotentPost(context, {
    path: '/customers/:customerId/virtual_accounts',
    body: NewVirtualAccount,
    effect: async (tx, { body, request }) => {
      const customer = await approvedCustomerFrom(tx, request)
      refuseWithoutPounds(customer, 'source.currency')
      await refuseWhereNotOffered(tx)
      const walletId = body.destination.bridge_wallet_id
      const wallet = isUuid(walletId) ? await findWallet(tx, walletId) : null
      if (wallet === null || wallet.customerId !== customer.id) {
        throw invalidParameters('body', ['destination.bridge_wallet_id'], 'Unknown wallet id')
      }
      if (wallet.chain !== body.destination.payment_rail) {
        throw invalidParameters(
          'body',
          ['destination.payment_rail'],
          'The payment rail must be the chain of the wallet.',
        )
      }
      const id = newId()
      await insertVirtualAccount(tx, {
        id,
        customerId: customer.id,
        walletId,
        accountHolderName: holderName(customer),
        sortCode: SANDBOX_SORT_CODE,
        developerFeePercent: body.developer_fee_percent ?? '0.0',
        createdAt: deps.clock.now(),
      })
      const account = await findVirtualAccount(tx, id)
      if (account === null) throw unknownId('virtual account')
      // 200 and not 201, as the real bank's OpenAPI document says.
      return { status: 200, body: presentVirtualAccount(account) }
    },
  })
}

async function refuseWhereNotOffered(tx: Tx): Promise<void> {
  if (await offersPounds(tx)) return
  throw invalidParameters('body', ['source.currency'], 'gbp virtual accounts are not enabled for this developer')
}

function holderName(customer: Customer): string {
  const names = [customer.firstName, customer.lastName].filter((name) => name !== null && name !== '_')
  return names.length === 0 ? 'Sandbox customer' : names.join(' ')
}

async function history(
  { deps }: RouteContext,
  request: FastifyRequest,
  virtualAccountId: string | null,
): Promise<object> {
  const filter: EventFilter = {
    virtualAccountId,
    depositId: textFrom(request, 'deposit_id'),
    eventType: wordFrom(request, 'event_type', EVENT_TYPES),
    ...updatedBetween(request),
  }
  const events = await listVirtualAccountEvents(deps.db, filter, pageFrom(request, deps.readings))
  return listOf(events.map((event) => presentVirtualAccountEvent(event, deps.publicUrl())))
}

async function virtualAccountFrom(db: Db, request: FastifyRequest): Promise<VirtualAccount> {
  const account = await findVirtualAccount(db, idFrom(request, 'virtualAccountId', 'virtual account'))
  if (account === null || account.customerId !== idFrom(request, 'customerId', 'customer')) {
    throw unknownId('virtual account')
  }
  return account
}
