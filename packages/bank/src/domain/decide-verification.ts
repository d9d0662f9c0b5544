// The bank's decision on a verification, and what it changes for the customer.
import { unknownId } from '../core/bank-error.ts'
import { type Customer, type CustomerStatus, lockCustomer, updateCustomer } from '../storage/customers.ts'
import { type BankEvent, recordEvents } from '../storage/events.ts'
import { type KycLink, findKycLink, findKycLinkOfCustomer, updateKycLink } from '../storage/kyc-links.ts'
import type { Tx } from '../storage/sql.ts'
import type { BankDeps } from './bank-deps.ts'
import { customerMoved, kycLinkMoved } from './bank-events.ts'

export type VerificationDecision =
  | { readonly action: 'approve' }
  | { readonly action: 'review' }
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
  const customer = decidedCustomer(was, decision, now)
  if (link !== null) {
    const decided = { ...decidedLink(link, decision, now), rejectionReasons: customer.rejectionReasons }
    if (decided.kycStatus !== link.kycStatus || decided.tosStatus !== link.tosStatus) {
      await updateKycLink(tx, decided)
      events.push(kycLinkMoved(link, decided, deps.publicUrl()))
    }
  }
  if (customer.status !== was.status || customer.hasAcceptedTerms !== was.hasAcceptedTerms) {
    await updateCustomer(tx, customer)
    events.push(customerMoved(was, customer))
  }
  await recordEvents(tx, events, now)
  return customer
}

const CUSTOMER_STATUS: Readonly<Record<VerificationDecision['action'], CustomerStatus | null>> = {
  approve: 'active',
  review: 'under_review',
  reject: 'rejected',
  accept_tos: null,
}

function decidedCustomer(was: Customer, decision: VerificationDecision, now: Date): Customer {
  const rejection =
    decision.action === 'reject'
      ? [{ developer_reason: decision.developerReason, reason: decision.reason, created_at: now.toISOString() }]
      : []
  return {
    ...was,
    status: CUSTOMER_STATUS[decision.action] ?? was.status,
    // An approved customer has been through all of it, terms included.
    hasAcceptedTerms: was.hasAcceptedTerms || ['approve', 'accept_tos'].includes(decision.action),
    rejectionReasons: decision.action === 'accept_tos' ? was.rejectionReasons : rejection,
    updatedAt: now,
  }
}

function decidedLink(was: KycLink, decision: VerificationDecision, now: Date): KycLink {
  switch (decision.action) {
    case 'approve':
      return { ...was, kycStatus: 'approved', tosStatus: 'approved', updatedAt: now }
    case 'review':
      return { ...was, kycStatus: 'under_review', updatedAt: now }
    case 'reject':
      return { ...was, kycStatus: 'rejected', updatedAt: now }
    case 'accept_tos':
      return { ...was, tosStatus: 'approved', updatedAt: now }
  }
}
