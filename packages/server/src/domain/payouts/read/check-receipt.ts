// What anybody with a receipt's link is told: that it is of us, and what has become of the payout since. The signature comes first:
// whoever guesses learns nothing, and has no payout looked up.
import { notFound } from '../../../core/errors.ts'
import { readReceiptToken, receiptToken } from '../../../core/receipt-token.ts'
import { findPartnerById } from '../../../storage/partners.ts'
import { isSignedByUs, platformKey } from '../../audit/platform-keys.ts'
import type { DataKeys, Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { readPayout } from './read-payout.ts'

/** The last part of the link on a payout's receipt. It stays the same as long as the key that signs does. */
export function receiptTokenOf(secrets: DataKeys, payout: Payout): string {
  const { environment, partnerId, id: payoutId, amount, createdAt } = payout
  return receiptToken(platformKey(secrets), { environment, partnerId, payoutId, amount, createdAt })
}

export interface CheckedReceipt {
  readonly payout: Payout
  readonly businessName: string
}

/** Everything that is not a receipt of ours gives the same 404. */
export async function checkReceipt(deps: Pick<Deps, 'db' | 'secrets'>, text: string): Promise<CheckedReceipt> {
  const token = readReceiptToken(text)
  if (token === null) throw notFound()
  const { keyId, claim, signature, signed } = token
  if (!(await isSignedByUs(deps, keyId, { text: signed, signature }))) throw notFound()
  const payout = await readPayout(deps, claim, claim.payoutId)
  const partner = await findPartnerById(deps.db, claim.partnerId)
  if (partner === null || payout.amount !== claim.amount) throw notFound()
  return { payout, businessName: partner.name }
}
