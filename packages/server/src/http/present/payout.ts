import type { PayoutCreated, PayoutList, Payout as PublicPayout } from '@kestrel/contract'

import { formatPence, formatUsdcSent } from '../../core/money.ts'
import type { CreatedPayout } from '../../domain/payouts/create/create-payout.ts'
import type { PayoutPage } from '../../domain/payouts/read/list-payouts.ts'
import type { Payout } from '../../domain/payouts/payout.ts'
import { presentQuote } from './quote.ts'
import { presentWarning } from './warning.ts'

export function presentPayout(payout: Payout): PublicPayout {
  return {
    id: payout.id,
    object: 'payout',
    environment: payout.environment,
    status: payout.status,
    reference: payout.reference,
    statement_reference: payout.statementReference,
    country: 'GB',
    amount_gbp: formatPence(payout.amount),
    fee_gbp: formatPence(payout.fee),
    wallet_sent_usdc: formatUsdcSent(payout.walletSends),
    recipient: { name: payout.recipientName, account_last4: payout.accountLast4 },
    failure_reason: payout.failureReason,
    created_at: payout.createdAt.toISOString(),
    updated_at: payout.updatedAt.toISOString(),
    created_via: payout.createdVia,
    warnings: (payout.warnings ?? []).map(presentWarning),
  }
}

export function presentCreatedPayout(created: CreatedPayout): PayoutCreated {
  const payout = presentPayout(created.payout)
  return created.isReplay ? payout : { ...payout, quote: presentQuote(created.quote) }
}

export function presentPayoutPage(page: PayoutPage): PayoutList {
  return {
    object: 'list',
    data: page.payouts.map(presentPayout),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
