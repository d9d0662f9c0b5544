// What anybody with a receipt's link is told: that it is of us, and what has become of the payout since. The signature comes first:
// whoever guesses learns nothing, and has no payout looked up.
import { AppError } from '../../../core/errors.ts'
import { readReceiptToken, receiptToken } from '../../../core/receipt-token.ts'
import { findPartnerById } from '../../../storage/partners.ts'
import { findPayout } from '../../../storage/payouts.ts'
import { isSignedByUs, platformKey } from '../../audit/platform-keys.ts'
import type { DataKeys, Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'

/** The last part of the link on a payout's receipt. It stays the same as long as the key that signs does. */
export function receiptTokenOf(secrets: DataKeys, payout: Payout): string {
  const { environment, partnerId, id: payoutId, amount, createdAt } = payout
  return receiptToken(platformKey(secrets), { environment, partnerId, payoutId, amount, createdAt })
}

export interface CheckedReceipt {
  readonly payout: Payout
  readonly businessName: string
}

/** One text for everything that is not a receipt of ours. */
const notOurs = () =>
  new AppError('not_found', 'No receipt of ours fits this link. Take it from the PDF itself, or scan the code again.')

export async function checkReceipt(deps: Pick<Deps, 'db' | 'secrets'>, text: string): Promise<CheckedReceipt> {
  const token = readReceiptToken(text)
  if (token === null) throw notOurs()
  const { keyId, claim, signature, signed } = token
  if (!(await isSignedByUs(deps, keyId, { text: signed, signature }))) throw notOurs()
  const payout = await findPayout(deps.db.lookup, claim, claim.payoutId)
  const partner = await findPartnerById(deps.db, claim.partnerId)
  if (payout === null || partner === null || payout.amount !== claim.amount) throw notOurs()
  return { payout, businessName: partner.name }
}
