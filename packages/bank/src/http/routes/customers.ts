import { Type } from 'typebox'

import { unknownId } from '../../core/bank-error.ts'
import { decideCustomer } from '../../domain/decide-verification.ts'
import { createCustomer } from '../../domain/open-customer.ts'
import { kycPageOf, presentCustomer, tosPageOf } from '../../present/present-customer.ts'
import { findCustomer, listCustomers } from '../../storage/customers.ts'
import { ENDORSEMENT_NAMES } from '../../storage/endorsements.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom, textFrom, wordFrom } from '../read-query.ts'
import { type RouteContext, customerIdFrom, idFrom, listOf } from '../route-context.ts'

/** What a customer may be approved for. */
export const Endorsements = Type.Optional(Type.Array(Type.Enum([...ENDORSEMENT_NAMES])))

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }))

/** The few fields that the sandbox bank keeps; the real bank has many more, all optional. */
const NewCustomer = Type.Object({
  type: Type.Optional(Type.Enum(['individual', 'business'])),
  first_name: Name,
  last_name: Name,
  business_legal_name: Name,
  email: Name,
  endorsements: Endorsements,
})

const Anything = Type.Unknown()

export function addCustomerRoutes(context: RouteContext): void {
  const { app, deps } = context
  const { db } = deps

  addIdempotentPost(context, {
    path: '/customers',
    body: NewCustomer,
    effect: async (tx, { body }) => {
      const { type = 'individual', business_legal_name: businessName } = body
      const customer = await createCustomer(deps, tx, {
        type,
        firstName: body.first_name ?? businessName ?? null,
        lastName: body.last_name ?? (businessName === undefined ? null : '_'),
        email: body.email ?? null,
        endorsements: body.endorsements ?? null,
      })
      return { status: 201, body: presentCustomer(customer) }
    },
  })

  addIdempotentPost(context, {
    path: '/customers/:customerId/simulate_kyc_approval',
    body: Anything,
    effect: async (tx, { request }) => {
      const id = idFrom(request, 'customerId', 'customer')
      return { status: 200, body: presentCustomer(await decideCustomer(deps, tx, id, { action: 'approve' })) }
    },
  })

  app.get('/customers', async (request) => {
    const customers = await listCustomers(db, { email: textFrom(request, 'email') }, pageFrom(request))
    return listOf(customers.map(presentCustomer))
  })

  app.get('/customers/:customerId', async (request) => {
    const customer = await findCustomer(db, idFrom(request, 'customerId', 'customer'))
    if (customer === null) throw unknownId('customer')
    return presentCustomer(customer)
  })

  app.get('/customers/:customerId/kyc_link', async (request) => {
    const id = await customerIdFrom(db, request)
    const endorsement = wordFrom(request, 'endorsement', ENDORSEMENT_NAMES)
    return { url: kycPageOf(id, deps.publicUrl(), { endorsement, redirectUri: textFrom(request, 'redirect_uri') }) }
  })

  app.get('/customers/:customerId/tos_acceptance_link', async (request) => ({
    url: tosPageOf(await customerIdFrom(db, request), deps.publicUrl()),
  }))
}
