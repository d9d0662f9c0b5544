// What a customer may do before it is approved: nothing. What it may do in pounds before those are approved: nothing.
import { type ErrorLocation, invalidParameters } from '../core/bank-error.ts'
import type { Customer } from '../storage/customers.ts'
import type { EndorsementName } from '../storage/endorsements.ts'

export function refuseBeforeApproval(customer: Customer): void {
  if (customer.status === 'active' && isEndorsed(customer, 'base')) return
  throw invalidParameters('path', ['customerID'], 'Customer has not completed onboarding')
}

/** `field` is what of the request says that it is about pounds. */
export function refuseWithoutPounds(customer: Customer, field: string, location: ErrorLocation = 'body'): void {
  if (isEndorsed(customer, 'faster_payments')) return
  throw invalidParameters(location, [field], 'Customer does not have the faster_payments endorsement')
}

function isEndorsed({ endorsements }: Customer, wanted: EndorsementName): boolean {
  return endorsements.some(({ name, status }) => name === wanted && status === 'approved')
}
