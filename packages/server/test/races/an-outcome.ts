// What the bank says of a payout that was reserved by hand, as the third step takes it.
import type { Reservation } from '../../src/domain/payouts/create/reservation.ts'
import type { OutcomeOfPayout } from '../../src/domain/payouts/record/outcome-of-payout.ts'
import type { SubmitAnswer } from '../../src/rail/port.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'

const accepted = (id: string): SubmitAnswer => ({
  kind: 'accepted',
  transfer: {
    transferRef: `sim_hold_${id}`,
    clientReference: id,
    state: 'submitted',
    bankState: 'told',
    refund: 'none',
    reason: null,
    nextChangeAt: null,
  },
})

/** Accepted unless told otherwise. */
export const outcomeOf = (payout: NewPayout, made: Reservation, answer = accepted(payout.id)): OutcomeOfPayout => ({
  payoutId: payout.id,
  leaseToken: payout.leaseToken,
  answer,
  isFirstHand: true,
  asRead: made.kind === 'reserved' ? made.asRead : null,
})
