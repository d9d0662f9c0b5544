import type { PayoutCreated, PayoutList, Payout as PublicPayout } from '@kestrel/contract'

import { formatPence, formatUsdcSent } from '../../core/money.ts'
import type { Deps } from '../../domain/deps.ts'
import type { CreatedPayout } from '../../domain/payouts/create/create-payout.ts'
import { failureOf } from '../../domain/payouts/record/failure-reasons.ts'
import { refundedAt } from '../../domain/payouts/read/refunded-at.ts'
import { isCancelable } from '../../domain/payouts/read/is-cancelable.ts'
import type { PayoutPage } from '../../domain/payouts/read/list-payouts.ts'
import type { Payout } from '../../domain/payouts/payout.ts'
import { presentQuote } from './quote.ts'
import { presentWarning } from './warning.ts'

export function presentPayout(deps: Pick<Deps, 'rails'>, payout: Payout): PublicPayout {
  const failure = failureOf(payout)
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
    failure_code: failure.code,
    retry: failure.retry,
    cancelable: isCancelable(deps, payout),
    idempotency_key: payout.idempotencyKey,
    created_at: payout.createdAt.toISOString(),
    updated_at: payout.updatedAt.toISOString(),
    completed_at: payout.completedAt?.toISOString() ?? null,
    refunded_at: refundedAt(payout)?.toISOString() ?? null,
    created_via: payout.createdVia,
    warnings: (payout.warnings ?? []).map(presentWarning),
  }
}

export function presentCreatedPayout(deps: Pick<Deps, 'rails'>, created: CreatedPayout): PayoutCreated {
  const payout = presentPayout(deps, created.payout)
  return created.isReplay ? payout : Object.assign(payout, { quote: presentQuote(created.quote) })
}

export function presentPayoutPage(deps: Pick<Deps, 'rails'>, page: PayoutPage): PayoutList {
  return {
    object: 'list',
    data: page.payouts.map((payout) => presentPayout(deps, payout)),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
