// Nothing is opened at the bank for a holder that the bank has not approved. In a sandbox approval is asked for here; in
// live it is the bank's alone, and pounds belong to it: a business that could not pay has nothing to open.
import type { Environment } from '@kestrel/contract'

import type { HolderStanding } from '../../../rail/account.ts'
import { type PartnerBank, RailUnavailable } from '../../../rail/port.ts'

/** Throws, with what is missing, when nothing can be opened. */
export async function approvedFor(bank: PartnerBank, environment: Environment, holderRef: string): Promise<void> {
  const standing = await readStanding(bank, environment, holderRef)
  const isEnough = environment === 'live' ? standing.hasPounds : standing.isApproved
  if (isEnough) return
  throw new RailUnavailable(`The bank has not approved this account holder. ${standing.missing.join(' ')}`.trim())
}

async function readStanding(bank: PartnerBank, environment: Environment, holderRef: string): Promise<HolderStanding> {
  const standing = await bank.readHolder(holderRef)
  if (environment === 'live' || standing.hasPounds) return standing
  await bank.approveSandboxHolder(holderRef)
  return bank.readHolder(holderRef)
}
