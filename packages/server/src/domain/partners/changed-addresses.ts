import type { TypedFact } from '../../mail/templates/shown-name.ts'
import type { Partner } from '../../storage/partners.ts'

export type Addresses = Pick<Partner, 'billingEmail' | 'contactEmail'>

/** The addresses that a change really changes. */
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

/** The new addresses and those that they replace, for a mail. */
export function addressFacts(changed: ReturnType<typeof changedAddresses>, replaced: 'now' | 'before'): TypedFact[] {
  return changed.flatMap(([name, from, to]): TypedFact[] => [
    [name, { address: to }],
    [`${name} ${replaced}`, from === null ? 'none' : { address: from }],
  ])
}
