import type { Partner } from '../../storage/partners.ts'

export type Addresses = Pick<Partner, 'billingEmail' | 'contactEmail'>

/** What of the addresses a change really changes. */
export function changedAddresses(
  now: Addresses,
  changes: { billingEmail?: string; contactEmail?: string },
): (readonly [name: string, from: string | null, to: string])[] {
  const pairs = [
    ['Billing email', now.billingEmail, changes.billingEmail],
    ['Contact email', now.contactEmail, changes.contactEmail],
  ] as const
  return pairs.flatMap(([name, from, to]) => (to === undefined || to === from ? [] : [[name, from, to] as const]))
}
