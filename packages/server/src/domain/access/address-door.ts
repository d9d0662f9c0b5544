// Guards the addresses for invoices and questions: somebody who receives that mail can speak for the business.
import { type Addresses, addressFacts, changedAddresses } from '../partners/changed-addresses.ts'
import type { Door } from './doors.ts'

/** Null when both addresses stay as they are. */
export function doorToAddresses(
  now: Addresses,
  changes: { billingEmail?: string; contactEmail?: string },
): Door | null {
  const changed = changedAddresses(now, changes)
  if (changed.length === 0) return null
  return {
    action: 'settings.change',
    exactly: changed.flatMap(([name, , to]) => [name, to]),
    title: 'Change the addresses of the business',
    facts: addressFacts(changed, 'now'),
  }
}
