// The bank's decision on a verification, and what it changes for the customer. Endorsements are approved one by one.
import { unknownId } from '../core/bank-error.ts'
import { offersPounds } from '../storage/bank-terms.ts'
import { type Customer, type CustomerStatus, lockCustomer, updateCustomer } from '../storage/customers.ts'
import type { Endorsement, EndorsementName } from '../storage/endorsements.ts'
import { type BankEvent, recordEvents } from '../storage/events.ts'
import { type KycLink, findKycLink, findKycLinkOfCustomer, updateKycLink } from '../storage/kyc-links.ts'
import type { Tx } from '../storage/sql.ts'
import type { BankDeps } from './bank-deps.ts'
import { customerMoved, kycLinkMoved } from './bank-events.ts'

export type VerificationDecision =
  /** Those named, or all that were asked for. */
  | { readonly action: 'approve'; readonly endorsements?: readonly EndorsementName[] }
  | { readonly action: 'revoke'; readonly endorsements: readonly EndorsementName[] }
  /** The bank wants more before it approves an endorsement. */
  | { readonly action: 'ask'; readonly endorsement: EndorsementName; readonly missing: readonly string[] }
  | { readonly action: 'review' }
  | { readonly action: 'pause' }
  | { readonly action: 'accept_tos' }
  | { readonly action: 'reject'; readonly reason: string; readonly developerReason: string }

export async function decideKycLink(
  deps: BankDeps,
  tx: Tx,
  linkId: string,
  decision: VerificationDecision,
): Promise<KycLink> {
  const found = await findKycLink(tx, linkId)
  if (found === null) throw unknownId('kyc link')
  await decideCustomer(deps, tx, found.customerId, decision)
  return (await findKycLink(tx, linkId)) ?? found
}

export async function decideCustomer(
  deps: BankDeps,
  tx: Tx,
  customerId: string,
  decision: VerificationDecision,
): Promise<Customer> {
  const was = await lockCustomer(tx, customerId)
  if (was === null) throw unknownId('customer')
  const link = await findKycLinkOfCustomer(tx, customerId)
  const now = deps.clock.now()
  const events: BankEvent[] = []
  const customer = decidedCustomer(was, decision, { now, hasPounds: await offersPounds(tx) })
  if (link !== null) {
    const decided = { ...decidedLink(link, decision, customer), rejectionReasons: customer.rejectionReasons }
    if (decided.kycStatus !== link.kycStatus || decided.tosStatus !== link.tosStatus) {
      await updateKycLink(tx, decided)
      events.push(kycLinkMoved(link, decided, deps.publicUrl()))
    }
  }
  if (JSON.stringify({ ...customer, updatedAt: 0 }) !== JSON.stringify({ ...was, updatedAt: 0 })) {
    await updateCustomer(tx, customer)
    events.push(customerMoved(was, customer))
  }
  recordEvents(tx, events, now)
  return customer
}

function decidedCustomer(
  was: Customer,
  decision: VerificationDecision,
  { now, hasPounds }: { now: Date; hasPounds: boolean },
): Customer {
  const rejection =
    decision.action === 'reject'
      ? [{ developer_reason: decision.developerReason, reason: decision.reason, created_at: now.toISOString() }]
      : []
  const endorsements = decidedEndorsements(was.endorsements, decision, hasPounds)
  return {
    ...was,
    endorsements,
    status: statusAfter(was.status, decision, endorsements),
    // An approved customer has been through all of it, terms included.
    hasAcceptedTerms: was.hasAcceptedTerms || ['approve', 'accept_tos'].includes(decision.action),
    rejectionReasons: decision.action === 'accept_tos' ? was.rejectionReasons : rejection,
    updatedAt: now,
  }
}

function decidedEndorsements(
  were: readonly Endorsement[],
  decision: VerificationDecision,
  hasPounds: boolean,
): readonly Endorsement[] {
  switch (decision.action) {
    case 'approve': {
      const names =
        decision.endorsements ?? were.filter(({ status }) => status === 'incomplete').map(({ name }) => name)
      const possible = names.filter((name) => name !== 'faster_payments' || hasPounds)
      return withAll(
        were,
        possible.map((name) => ({ name, status: 'approved', missing: [] })),
      )
    }
    case 'revoke':
      return withAll(
        were,
        decision.endorsements.map((name) => ({ name, status: 'revoked', missing: [] })),
      )
    case 'ask':
      return withAll(were, [{ name: decision.endorsement, status: 'incomplete', missing: decision.missing }])
    case 'review':
    case 'pause':
    case 'reject':
    case 'accept_tos':
      return were
  }
}

function withAll(were: readonly Endorsement[], changed: readonly Endorsement[]): readonly Endorsement[] {
  const isChanged = ({ name }: Endorsement) => changed.some((each) => each.name === name)
  return [...were.filter((each) => !isChanged(each)), ...changed]
}

/** Whether somebody is a customer at all hangs on `base`; the others only add to what it may do. */
function statusAfter(
  was: CustomerStatus,
  decision: VerificationDecision,
  endorsements: readonly Endorsement[],
): CustomerStatus {
  const isBase = endorsements.some(({ name, status }) => name === 'base' && status === 'approved')
  switch (decision.action) {
    case 'approve':
      return isBase ? 'active' : was
    case 'ask':
      return isBase ? was : 'incomplete'
    case 'review':
      return 'under_review'
    case 'pause':
      return 'paused'
    case 'reject':
      return 'rejected'
    case 'revoke':
    case 'accept_tos':
      return was
  }
}

const KYC_STATUS = {
  active: 'approved',
  incomplete: 'incomplete',
  not_started: 'not_started',
  paused: 'paused',
  rejected: 'rejected',
  under_review: 'under_review',
} as const satisfies Record<CustomerStatus, KycLink['kycStatus']>

/** The link says how the customer stands as such, and nothing of single endorsements. */
function decidedLink(was: KycLink, { action }: VerificationDecision, customer: Customer): KycLink {
  return {
    ...was,
    kycStatus: action === 'accept_tos' ? was.kycStatus : KYC_STATUS[customer.status],
    tosStatus: customer.hasAcceptedTerms ? 'approved' : was.tosStatus,
    updatedAt: customer.updatedAt,
  }
}
