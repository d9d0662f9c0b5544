// Customers and their verification, as the real bank shows them.
import type { Customer, CustomerStatus } from '../storage/customers.ts'
import type { Endorsement } from '../storage/endorsements.ts'
import type { KycLink } from '../storage/kyc-links.ts'

export function presentCustomer(customer: Customer): object {
  const capability = CAPABILITY[customer.status]
  return {
    id: customer.id,
    type: customer.type,
    first_name: customer.firstName ?? undefined,
    last_name: customer.lastName ?? undefined,
    email: customer.email ?? undefined,
    status: customer.status,
    capabilities: {
      payin_crypto: capability,
      payout_crypto: capability,
      payin_fiat: capability,
      payout_fiat: capability,
    },
    has_accepted_terms_of_service: customer.hasAcceptedTerms,
    rejection_reasons: customer.rejectionReasons,
    requirements_due: [],
    future_requirements_due: [],
    endorsements: customer.endorsements.map((each) => presentEndorsement(each, customer)),
    created_at: customer.createdAt,
    updated_at: customer.updatedAt,
  }
}

const CAPABILITY: Readonly<Record<CustomerStatus, 'pending' | 'active' | 'inactive' | 'rejected'>> = {
  active: 'active',
  incomplete: 'pending',
  not_started: 'pending',
  paused: 'inactive',
  under_review: 'pending',
  rejected: 'rejected',
}

function presentEndorsement({ name, status, missing }: Endorsement, customer: Customer): object {
  const isComplete = status === 'approved'
  const terms = customer.hasAcceptedTerms
  return {
    name,
    status,
    additional_requirements: isComplete ? [] : terms ? ['kyc_approval'] : ['kyc_approval', 'tos_acceptance'],
    requirements: {
      complete: terms ? ['terms_of_service'] : [],
      pending: customer.status === 'under_review' ? ['kyc_approval'] : [],
      missing: missing.length === 0 ? {} : { all_of: missing },
      issues: [],
    },
  }
}

export function presentKycLink(link: KycLink, publicUrl: string): object {
  return {
    id: link.id,
    full_name: link.fullName ?? undefined,
    email: link.email,
    type: link.type,
    kyc_link: kycPageOf(link.customerId, publicUrl, { endorsement: null, redirectUri: link.redirectUri }),
    tos_link: tosPageOf(link.customerId, publicUrl),
    kyc_status: link.kycStatus,
    rejection_reasons: link.rejectionReasons,
    tos_status: link.tosStatus,
    // As the real bank: nobody is a customer before verification is approved.
    customer_id: link.kycStatus === 'approved' ? link.customerId : null,
    created_at: link.createdAt,
  }
}

export function kycPageOf(
  customerId: string,
  publicUrl: string,
  { endorsement, redirectUri }: { endorsement: string | null; redirectUri: string | null },
): string {
  const page = new URL(`/verify/${customerId}`, publicUrl)
  if (endorsement !== null) page.searchParams.set('endorsement', endorsement)
  if (redirectUri !== null) page.searchParams.set('redirect-uri', redirectUri)
  return page.href
}

export function tosPageOf(customerId: string, publicUrl: string): string {
  return new URL(`/accept-terms-of-service/${customerId}`, publicUrl).href
}
