// A payout's row as the first step has written it, so that nobody need read it for the third.
import { microUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { StoredWarning } from './payout-recipients.ts'
import type { NewPayout } from './payout-reservations.ts'
import type { FollowedPayout } from './payouts.ts'

/** Every column by itself: an object put together from others takes Node a hundred times as long, at this size. */
export function payoutAsReserved(
  { partnerId, environment }: Scope,
  payout: NewPayout,
  written: { now: Date; leaseUntil: Date; warnings: readonly StoredWarning[] | null },
): FollowedPayout {
  return {
    partnerId,
    environment,
    id: payout.id,
    idempotencyKey: payout.idempotencyKey,
    fingerprint: payout.fingerprint,
    fingerprintKey: payout.fingerprintKey,
    createdVia: payout.createdVia,
    createdBy: payout.createdBy,
    amount: payout.amount,
    reference: payout.reference,
    statementReference: payout.statementReference,
    recipientName: payout.recipientName,
    accountLast4: payout.accountLast4,
    recipientSealed: payout.recipientSealed,
    recipientFingerprint: payout.recipientFingerprint,
    gbpPerUsd: payout.gbpPerUsd,
    fee: payout.fee,
    feeInTransfer: payout.feeInTransfer,
    feeOnInvoice: payout.feeOnInvoice,
    walletSends: payout.walletSends,
    rail: payout.rail,
    createdAt: written.now,
    updatedAt: written.now,
    warnings: written.warnings,
    leaseToken: payout.leaseToken,
    leaseUntil: written.leaseUntil,
    // What the columns have that are not written when a payout is asked for.
    checks: 0,
    status: 'pending',
    failureReason: null,
    bankReason: null,
    bankState: null,
    handedOverAt: null,
    refundState: 'none',
    completedAt: null,
    endedAt: null,
    refundedAt: null,
    surfacedAt: null,
    sendState: 'sending',
    sendAttempts: 1,
    transferRef: null,
    bankAttempt: 1,
    listedBy: null,
    debitedAt: null,
    unansweredAt: null,
    bankSent: null,
    surplus: null,
    toppedUp: microUsdc(0n),
    toppingUp: null,
    adjustments: 0,
    bankUpdatedAt: null,
    endingsUndone: 0,
  }
}
