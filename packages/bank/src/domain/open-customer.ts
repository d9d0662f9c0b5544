// How a business becomes a customer: by its details, or through a hosted verification. Nobody is approved by that.
import { refused } from '../core/bank-error.ts'
import { newId } from '../core/ids.ts'
import { presentKycLink } from '../present/present-customer.ts'
import { type Customer, findCustomerByEmail, insertCustomer } from '../storage/customers.ts'
import type { Endorsement, EndorsementName } from '../storage/endorsements.ts'
import { recordEvents } from '../storage/events.ts'
import { type KycLink, findKycLinkOfCustomer, insertKycLink } from '../storage/kyc-links.ts'
import type { Tx } from '../storage/sql.ts'
import type { BankDeps } from './bank-deps.ts'
import { customerCreated, kycLinkCreated } from './bank-events.ts'

export interface NewCustomer {
  readonly type: 'individual' | 'business'
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  /** Null when the request does not say. */
  readonly endorsements: readonly EndorsementName[] | null
}

/** The real bank tries for these two when the request names none. Pounds have to be asked for. */
const ASKED_FOR_BY_DEFAULT: readonly EndorsementName[] = ['base', 'sepa']

export async function createCustomer(deps: BankDeps, tx: Tx, input: NewCustomer): Promise<Customer> {
  const now = deps.clock.now()
  const customer = newCustomer(input, now, 'incomplete')
  if (!(await insertCustomer(tx, customer))) {
    throw refused('bad_customer_request', 'A customer with this email already exists', { name: 'email' })
  }
  recordEvents(tx, [customerCreated(customer)], now)
  return customer
}

export interface NewKycLink {
  readonly type: 'individual' | 'business'
  readonly fullName: string | null
  readonly email: string
  readonly endorsements: readonly EndorsementName[] | null
  readonly redirectUri: string | null
}

export async function startVerification(deps: BankDeps, tx: Tx, input: NewKycLink): Promise<KycLink> {
  const now = deps.clock.now()
  const { type, email, endorsements } = input
  const customer = newCustomer({ type, email, endorsements, ...namesOf(input) }, now, 'not_started')
  const link: KycLink = {
    id: newId(),
    customerId: customer.id,
    type,
    fullName: input.fullName,
    email,
    redirectUri: input.redirectUri,
    kycStatus: 'not_started',
    tosStatus: 'pending',
    rejectionReasons: [],
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertCustomer(tx, customer))) throw await knownEmail(deps, tx, email)
  await insertKycLink(tx, link)
  recordEvents(tx, [customerCreated(customer), kycLinkCreated(link, deps.publicUrl())], now)
  return link
}

async function knownEmail(deps: BankDeps, tx: Tx, email: string): Promise<Error> {
  const customer = await findCustomerByEmail(tx, email)
  const link = customer === null ? null : await findKycLinkOfCustomer(tx, customer.id)
  const existing = link === null ? {} : { existing_kyc_link: presentKycLink(link, deps.publicUrl()) }
  return refused('duplicate_record', 'A KYC link has already been created for this email', existing)
}

/** A business has its whole name as its first name, as in the real bank's own example. */
function namesOf(input: NewKycLink): { firstName: string | null; lastName: string | null } {
  if (input.fullName === null) return { firstName: null, lastName: null }
  if (input.type === 'business') return { firstName: input.fullName, lastName: '_' }
  const [first = input.fullName, ...rest] = input.fullName.split(' ')
  return { firstName: first, lastName: rest.length === 0 ? '_' : rest.join(' ') }
}

function newCustomer(input: NewCustomer, now: Date, status: Customer['status']): Customer {
  const { type, firstName, lastName, email } = input
  const names = new Set(input.endorsements ?? ASKED_FOR_BY_DEFAULT)
  return {
    id: newId(),
    type,
    firstName,
    lastName,
    email,
    status,
    hasAcceptedTerms: false,
    rejectionReasons: [],
    endorsements: [...names].map((name): Endorsement => ({ name, status: 'incomplete', missing: [] })),
    createdAt: now,
    updatedAt: now,
  }
}
