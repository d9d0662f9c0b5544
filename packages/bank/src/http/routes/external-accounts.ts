import { type Static, Type } from 'typebox'

import { BankError, invalidParameters, orRefusal, unknownId } from '../../core/bank-error.ts'
import type { BankDeps } from '../../domain/bank-deps.ts'
import { refuseWithoutPounds } from '../../domain/onboarding.ts'
import {
  checkPayee,
  deleteExternalAccount,
  registerExternalAccounts,
  type NewExternalAccount as RecipientAccount,
} from '../../domain/register-external-account.ts'
import { presentExternalAccount, presentPayeeCheck } from '../../present/present-external-account.ts'
import { findExternalAccount, listExternalAccounts } from '../../storage/external-accounts.ts'
import type { Customer } from '../../storage/customers.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Effect, type PostInput, addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom } from '../read-query.ts'
import { type RouteContext, approvedCustomersOf, customerIdFrom, idFrom, listOf } from '../route-context.ts'

const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))

/** Accounts in the United Kingdom, the only ones that this bank pays to. */
const NewExternalAccount = Type.Object({
  account_type: Type.Literal('gb'),
  currency: Type.Literal('gbp'),
  account_owner_name: Type.String({ minLength: 1, maxLength: 256 }),
  account_owner_type: Type.Optional(Type.Enum(['individual', 'business'])),
  bank_name: Text,
  first_name: Text,
  last_name: Text,
  business_name: Text,
  account: Type.Object({
    sort_code: Type.String({ pattern: '^\\d{6}$' }),
    account_number: Type.String({ pattern: '^\\d{8}$' }),
  }),
  address: Type.Optional(
    Type.Object({
      street_line_1: Type.String({ minLength: 4, maxLength: 35 }),
      street_line_2: Type.Optional(Type.String({ maxLength: 35 })),
      city: Type.String({ minLength: 1 }),
      state: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      postal_code: Type.Optional(Type.String({ minLength: 1 })),
      country: Type.String({ pattern: '^[A-Z]{3}$' }),
    }),
  ),
})

export function addExternalAccountRoutes(context: RouteContext): void {
  const { app, deps, nudge } = context
  const { db, clock } = deps
  addExternalAccountPosts(context)

  app.get('/external_accounts', async (request) => {
    const accounts = await listExternalAccounts(db, { customerId: null }, pageFrom(request))
    return listOf(accounts.map((account) => presentExternalAccount(account, clock.now())))
  })

  app.get('/customers/:customerId/external_accounts', async (request) => {
    const accounts = await listExternalAccounts(
      db,
      { customerId: await customerIdFrom(db, request) },
      pageFrom(request),
    )
    return listOf(accounts.map((account) => presentExternalAccount(account, clock.now())))
  })

  app.get('/customers/:customerId/external_accounts/:externalAccountId', async (request) => {
    const account = await findExternalAccount(db, idFrom(request, 'externalAccountId', 'external account'))
    if (account === null || account.customerId !== idFrom(request, 'customerId', 'customer')) {
      throw unknownId('external account')
    }
    return presentExternalAccount(account, clock.now())
  })

  app.delete('/customers/:customerId/external_accounts/:externalAccountId', async (request) => {
    const ref = {
      customerId: idFrom(request, 'customerId', 'customer'),
      id: idFrom(request, 'externalAccountId', 'external account'),
    }
    const account = await db.inTransaction((tx) => deleteExternalAccount(deps, tx, ref))
    nudge()
    return presentExternalAccount(account, clock.now())
  })
}

function addExternalAccountPosts(context: RouteContext): void {
  const { app, deps, nudge } = context
  addIdempotentPost(context, {
    path: '/customers/:customerId/external_accounts',
    body: NewExternalAccount,
    effect: async (tx, input) => {
      const [outcome] = await registerAll(deps, tx, [input])
      if (outcome instanceof BankError) throw outcome
      return outcome!
    },
    together: { mayJoin: () => true, effects: (tx, inputs) => registerAll(deps, tx, inputs) },
  })

  // The one POST without a key: a second check that runs at the same time is refused instead.
  app.post('/customers/:customerId/external_accounts/:externalAccountId/verify', async (request) => {
    const ref = {
      customerId: idFrom(request, 'customerId', 'customer'),
      id: idFrom(request, 'externalAccountId', 'external account'),
    }
    const account = await deps.db.inTransaction((tx) => checkPayee(deps, tx, ref))
    nudge()
    return presentPayeeCheck(account, deps.clock.now())
  })
}

type Input = PostInput<Static<typeof NewExternalAccount>>

/** One effect or refusal per request. */
async function registerAll(deps: BankDeps, tx: Tx, inputs: readonly Input[]): Promise<(Effect | BankError)[]> {
  const customerOf = await approvedCustomersOf(
    tx,
    inputs.map(({ request }) => request),
  )
  const read = inputs.map((input) => orRefusal(() => readAccount(input.body, customerOf(input.request))))
  const accepted = read.filter((each): each is RecipientAccount => !(each instanceof BankError))
  const outcomes = await registerExternalAccounts(deps, tx, accepted)
  const outcomeOf = new Map(accepted.map((each, index) => [each, outcomes[index]!]))
  return read.map((each) => {
    const outcome = each instanceof BankError ? each : outcomeOf.get(each)!
    if (outcome instanceof BankError) return outcome
    return { status: 201, body: presentExternalAccount(outcome, deps.clock.now()) }
  })
}

function readAccount(body: Input['body'], customer: Customer): RecipientAccount {
  refuseWithoutPounds(customer, 'currency')
  refuseNamelessOwner(body)
  return {
    customerId: customer.id,
    bankName: body.bank_name ?? null,
    accountOwnerName: body.account_owner_name,
    accountOwnerType: body.account_owner_type ?? null,
    firstName: body.first_name ?? null,
    lastName: body.last_name ?? null,
    businessName: body.business_name ?? null,
    sortCode: body.account.sort_code,
    accountNumber: body.account.account_number,
  }
}

function refuseNamelessOwner(body: Static<typeof NewExternalAccount>): void {
  const required =
    body.account_owner_type === 'individual'
      ? (['first_name', 'last_name'] as const)
      : body.account_owner_type === 'business'
        ? (['business_name'] as const)
        : []
  const missing = required.filter((name) => body[name] === undefined)
  if (missing.length > 0) throw invalidParameters('body', missing)
}
