// A payout as a document: its facts in words, and the link where anybody can check them.
import { assert } from '../../../core/assert.ts'
import { formatUsdcSent } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { grouped } from '../../../core/words.ts'
import type { ReceiptFacts } from '../../../documents/receipt-pdf.ts'
import { findBilledPartner } from '../../../storage/partners.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { receiptTokenOf } from './check-receipt.ts'
import { readPayout } from './read-payout.ts'
import { aboutIt, headlineOf, outcomeOf, pounds } from './receipt-words.ts'

export interface PayoutReceipt {
  readonly payoutId: string
  readonly fileName: string
  readonly pdf: Buffer
}

/** Where receipts are checked is an address that ends before the token. */
export async function readPayoutReceipt(
  deps: Pick<Deps, 'db' | 'reports' | 'operator' | 'studio' | 'secrets'>,
  scope: Scope,
  { id, checkedAt }: { readonly id: string; readonly checkedAt: string },
): Promise<PayoutReceipt> {
  const payout = await readPayout(deps, scope, id)
  const partner = await findBilledPartner(deps.reports, scope.partnerId)
  assert(partner !== null, 'a caller’s partner exists')
  const pdf = await deps.studio.receipt(scope.partnerId, {
    payoutId: payout.id,
    isSandbox: payout.environment === 'sandbox',
    operatorName: deps.operator.name,
    partner: { name: partner.name, logo: partner.logo, color: partner.brandColor },
    headline: headlineOf(payout),
    outcome: outcomeOf(payout),
    createdAt: payout.createdAt,
    about: aboutIt(payout, partner.name),
    costs: costsOf(payout),
    checkedAt: `${checkedAt}${receiptTokenOf(deps.secrets, payout)}`,
  })
  return { payoutId: payout.id, fileName: `payout-${payout.environment}-${payout.id}.pdf`, pdf }
}

function costsOf(payout: Payout): ReceiptFacts['costs'] {
  if (payout.completedAt === null && payout.endedAt !== null) {
    return [['Fee', 'None: it did not arrive, and all that was taken is or will be back in the wallet.']]
  }
  return [
    ['Fee', pounds(payout.fee)],
    ['Of it, taken in the transfer', pounds(payout.feeInTransfer)],
    ['Of it, on the monthly invoice', pounds(payout.feeOnInvoice)],
    ['The wallet sent', `${grouped(formatUsdcSent(payout.walletSends))} USDC`],
    ['Pounds for a dollar', payout.gbpPerUsd],
  ]
}
