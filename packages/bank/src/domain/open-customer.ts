// How a business becomes a customer: at once through the sandbox's own route, or through a hosted verification.
import { newId } from '../core/ids.ts'
import { type Customer, insertCustomer } from '../storage/customers.ts'
import { recordEvents } from '../storage/events.ts'
import { type KycLink, insertKycLink } from '../storage/kyc-links.ts'
import type { Tx } from '../storage/sql.ts'
import type { BankDeps } from './bank-deps.ts'
import { customerCreated, kycLinkCreated } from './bank-events.ts'

export interface NewCustomer {
  readonly type: 'individual' | 'business'
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
}

/** Customers made through the API are active at once: the sandbox asks nobody for papers. */
export async function createActiveCustomer(deps: BankDeps, tx: Tx, input: NewCustomer): Promise<Customer> {
  const now = deps.clock.now()
  const customer = newCustomer(input, now, { status: 'active', hasAcceptedTerms: true })
  await insertCustomer(tx, customer)
  await recordEvents(tx, [customerCreated(customer)], now)
  return customer
}

export interface NewKycLink {
  readonly type: 'individual' | 'business'
  readonly fullName: string | null
  readonly email: string
  readonly redirectUri: string | null
}

export async function startVerification(deps: BankDeps, tx: Tx, input: NewKycLink): Promise<KycLink> {
  const now = deps.clock.now()
  const person = { type: input.type, email: input.email, ...namesOf(input) }
  const customer = newCustomer(person, now, { status: 'not_started', hasAcceptedTerms: false })
  const link: KycLink = {
    id: newId(),
    customerId: customer.id,
    type: input.type,
    fullName: input.fullName,
    email: input.email,
    redirectUri: input.redirectUri,
    kycStatus: 'not_started',
    tosStatus: 'pending',
    rejectionReasons: [],
    createdAt: now,
    updatedAt: now,
  }
  await insertCustomer(tx, customer)
  await insertKycLink(tx, link)
  await recordEvents(tx, [customerCreated(customer), kycLinkCreated(link, deps.publicUrl())], now)
  return link
}

/** A business has its whole name as its first name, as in the real bank's own example. */
function namesOf(input: NewKycLink): { firstName: string | null; lastName: string | null } {
  if (input.fullName === null) return { firstName: null, lastName: null }
  if (input.type === 'business') return { firstName: input.fullName, lastName: '_' }
  const [first = input.fullName, ...rest] = input.fullName.split(' ')
  return { firstName: first, lastName: rest.length === 0 ? '_' : rest.join(' ') }
}

function newCustomer(input: NewCustomer, now: Date, start: Pick<Customer, 'status' | 'hasAcceptedTerms'>): Customer {
  const { type, firstName, lastName, email } = input
  return {
    id: newId(),
    type,
    firstName,
    lastName,
    email,
    ...start,
    rejectionReasons: [],
    createdAt: now,
    updatedAt: now,
  }
}
