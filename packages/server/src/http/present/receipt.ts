import type { ReceiptCheck } from '@kestrel/contract'

import { formatPence } from '../../core/money.ts'
import type { CheckedReceipt } from '../../domain/payouts/read/check-receipt.ts'

export function presentReceipt({ payout, businessName }: CheckedReceipt): ReceiptCheck {
  return {
    object: 'receipt',
    payout_id: payout.id,
    environment: payout.environment,
    business_name: businessName,
    recipient_name: payout.recipientName,
    account_last4: payout.accountLast4,
    amount_gbp: formatPence(payout.amount),
    reference: payout.reference,
    status: payout.status,
    // As the receipt has it: of one that was cancelled, only that nothing was paid.
    failure_reason: payout.status === 'cancelled' ? null : payout.failureReason,
    created_at: payout.createdAt.toISOString(),
    completed_at: payout.completedAt?.toISOString() ?? null,
    ended_at: payout.endedAt?.toISOString() ?? null,
  }
}
