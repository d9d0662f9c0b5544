// The row as it is after its decision.
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Decision } from './decide-outcome.ts'

/**
 * Every column by itself: two objects of this size put together take Node a hundred times as long. `warnings` where they were
 * found after it was decided.
 */
export function rowAfter(
  { row, decision: { change } }: { row: FollowedPayout; decision: Decision },
  warnings = row.warnings,
): FollowedPayout {
  return {
    partnerId: row.partnerId,
    environment: row.environment,
    id: row.id,
    idempotencyKey: row.idempotencyKey,
    fingerprint: row.fingerprint,
    fingerprintKey: row.fingerprintKey,
    createdVia: row.createdVia,
    createdBy: row.createdBy,
    amount: row.amount,
    reference: row.reference,
    statementReference: row.statementReference,
    recipientName: row.recipientName,
    accountLast4: row.accountLast4,
    recipientSealed: row.recipientSealed,
    recipientFingerprint: row.recipientFingerprint,
    gbpPerUsd: row.gbpPerUsd,
    fee: row.fee,
    feeInTransfer: row.feeInTransfer,
    feeOnInvoice: row.feeOnInvoice,
    walletSends: row.walletSends,
    rail: row.rail,
    createdAt: row.createdAt,
    warnings,
    sendAttempts: row.sendAttempts,
    debitedAt: row.debitedAt,
    toppedUp: row.toppedUp,
    toppingUp: row.toppingUp,
    status: change.status,
    failureReason: change.failureReason,
    bankReason: change.bankReason,
    bankState: change.bankState,
    handedOverAt: change.handedOverAt,
    refundState: change.refundState,
    updatedAt: change.updatedAt,
    completedAt: change.completedAt,
    endedAt: change.endedAt,
    refundedAt: change.refundedAt,
    surfacedAt: change.surfacedAt,
    sendState: change.sendState,
    transferRef: change.transferRef,
    bankAttempt: change.bankAttempt,
    listedBy: change.listedBy,
    unansweredAt: change.unansweredAt,
    bankSent: change.bankSent,
    surplus: change.surplus,
    adjustments: change.adjustments,
    bankUpdatedAt: change.bankUpdatedAt,
    endingsUndone: change.endingsUndone,
    checks: change.checks,
    leaseToken: null,
    leaseUntil: null,
  }
}
