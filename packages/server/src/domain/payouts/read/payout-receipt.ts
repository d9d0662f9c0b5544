// A payout as a document: its facts in words.
import { formatPence, formatUsdcSent } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { grouped, momentInWords } from '../../../core/words.ts'
import { assert } from '../../../core/assert.ts'
import type { ReceiptFacts } from '../../../documents/receipt-pdf.ts'
import { findBilledPartner } from '../../../storage/partners.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { readPayout } from './read-payout.ts'

export interface PayoutReceipt {
  readonly payoutId: string
  readonly fileName: string
  readonly pdf: Buffer
}

export async function readPayoutReceipt(
  deps: Pick<Deps, 'db' | 'reports' | 'operator' | 'studio'>,
  scope: Scope,
  id: string,
): Promise<PayoutReceipt> {
  const payout = await readPayout(deps, scope, id)
  const partner = await findBilledPartner(deps.reports, scope.partnerId)
  assert(partner !== null, 'a caller’s partner exists')
  const pdf = await deps.studio.receipt(scope.partnerId, {
    payoutId: payout.id,
    isSandbox: payout.environment === 'sandbox',
    operatorName: deps.operator.name,
    partner: { name: partner.name, logo: partner.logo, color: partner.brandColor },
    headline: `£${pounds(payout.amount)} to ${payout.recipientName}`,
    outcome: outcomeOf(payout),
    createdAt: payout.createdAt,
    about: aboutIt(payout, partner.name),
    costs: costsOf(payout),
  })
  return { payoutId: payout.id, fileName: `payout-${payout.environment}-${payout.id}.pdf`, pdf }
}

const pounds = (amount: Payout['amount']) => grouped(formatPence(amount))

function outcomeOf({ status, completedAt, endedAt, failureReason }: Payout): string {
  const why = failureReason === null ? '' : ` ${failureReason}`
  switch (status) {
    case 'completed':
      return `Completed on ${momentInWords(completedAt!)}.`
    case 'returned':
      return `Came back on ${momentInWords(endedAt!)}.${why}`
    case 'failed':
      return `Failed on ${momentInWords(endedAt!)}.${why}`
    case 'cancelled':
      return `Cancelled on ${momentInWords(endedAt!)}. Nothing was paid.`
    case 'pending':
    case 'processing':
      return 'On its way: the bank has not confirmed it yet.'
  }
}

function aboutIt(payout: Payout, businessName: string): ReceiptFacts['about'] {
  return [
    ['From', businessName],
    ['To', `${payout.recipientName}, account ending ${payout.accountLast4}`],
    ['Amount', `£${pounds(payout.amount)}`],
    ['Sent by', 'Faster Payments'],
    ...(payout.reference === null ? [] : ([['Reference', payout.reference]] as const)),
    ['Created', momentInWords(payout.createdAt)],
    ...(payout.completedAt === null ? [] : ([['Completed', momentInWords(payout.completedAt)]] as const)),
    ['Payout id', payout.id],
  ]
}

function costsOf(payout: Payout): ReceiptFacts['costs'] {
  if (payout.completedAt === null && payout.endedAt !== null) {
    return [['Fee', 'None: it did not arrive, and all that was taken is or will be back in the wallet.']]
  }
  return [
    ['Fee', `£${pounds(payout.fee)}`],
    ['Of it, taken in the transfer', `£${pounds(payout.feeInTransfer)}`],
    ['Of it, on the monthly invoice', `£${pounds(payout.feeOnInvoice)}`],
    ['The wallet sent', `${grouped(formatUsdcSent(payout.walletSends))} USDC`],
    ['Pounds for a dollar', payout.gbpPerUsd],
  ]
}
