// What every route is made with, and the few things that routes have in common.
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { unknownId } from '../core/bank-error.ts'
import { isUuid } from '../core/ids.ts'
import type { BankDeps } from '../domain/bank-deps.ts'
import { refuseBeforeApproval } from '../domain/onboarding.ts'
import { type Customer, findCustomer, findCustomers } from '../storage/customers.ts'
import type { Db } from '../storage/sql.ts'

export interface RouteContext {
  readonly app: FastifyInstance
  readonly deps: BankDeps
  /** Wakes the loop: something was written that it should look at now. */
  readonly nudge: () => void
}

/** An id from the path. A text that is no id at all is answered like an id that does not exist. */
export function idFrom(request: FastifyRequest, parameter: string, noun: string): string {
  const id = (request.params as Readonly<Record<string, string>>)[parameter] ?? ''
  if (!isUuid(id)) throw unknownId(noun)
  return id
}

/** The customer that a path is about, who must exist. */
export async function customerIdFrom(db: Db, request: FastifyRequest): Promise<string> {
  return (await customerFrom(db, request)).id
}

/** The same, who must be approved: nobody else is given anything. */
export async function approvedCustomerFrom(db: Db, request: FastifyRequest): Promise<Customer> {
  return (await approvedCustomersOf(db, [request]))(request)
}

/** The same for several requests that are read together: the returned function says whom one is about, or refuses it. */
export async function approvedCustomersOf(
  db: Db,
  requests: readonly FastifyRequest[],
): Promise<(request: FastifyRequest) => Customer> {
  const asked = requests.map(({ params }) => (params as { customerId: string }).customerId).filter(isUuid)
  const customers = new Map((await findCustomers(db, [...new Set(asked)])).map((each) => [each.id, each]))
  return (request) => {
    const customer = customers.get(idFrom(request, 'customerId', 'customer'))
    if (customer === undefined) throw unknownId('customer')
    refuseBeforeApproval(customer)
    return customer
  }
}

async function customerFrom(db: Db, request: FastifyRequest): Promise<Customer> {
  const customer = await findCustomer(db, idFrom(request, 'customerId', 'customer'))
  if (customer === null) throw unknownId('customer')
  return customer
}

export function listOf(data: readonly object[]): object {
  return { count: data.length, data }
}

/** For routes whose body may be left out. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}
