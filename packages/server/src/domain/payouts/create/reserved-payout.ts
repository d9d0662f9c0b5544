import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { PayoutToSend } from '../ask/ask-bank.ts'
import type { Reservation } from './reservation.ts'

type Reserved = Extract<Reservation, { kind: 'reserved' }>

/** What the second and the third step need of a payout that the first has made. */
export type ReservedPayout = PayoutToSend & Pick<NewPayout, 'leaseToken'> & Pick<Reserved, 'asRead'>

/** Field by field: a copy of all that a new payout has takes Node ten times as long. */
export function reservedPayout(payout: NewPayout, made: Reserved): ReservedPayout {
  return {
    id: made.payoutId,
    idempotencyKey: payout.idempotencyKey,
    amount: payout.amount,
    walletSends: payout.walletSends,
    reference: payout.reference,
    statementReference: payout.statementReference,
    rail: payout.rail,
    leaseToken: payout.leaseToken,
    createdAt: made.createdAt,
    bankAttempt: made.bankAttempt,
    sendAttempts: made.sendAttempts,
    listedBy: made.listedBy,
    followsRefusal: made.followsRefusal,
    givenUpAs: made.givenUpAs,
    asRead: made.asRead,
  }
}
