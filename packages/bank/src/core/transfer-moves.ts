// Which state of a transfer may follow which. The database has the same table as a guard; a test compares the two.
export const TRANSFER_MOVES = {
  awaiting_funds: ['payment_submitted', 'in_review', 'underfunded', 'undeliverable', 'canceled'],
  pending: ['payment_submitted', 'in_review', 'underfunded', 'undeliverable', 'canceled'],
  in_review: ['payment_submitted', 'underfunded', 'undeliverable', 'canceled'],
  underfunded: ['payment_submitted', 'canceled'],
  payment_submitted: ['payment_processed', 'in_review', 'undeliverable', 'returned'],
  payment_processed: ['returned'],
  undeliverable: ['refunded'],
  returned: ['refunded'],
  refunded: [],
  canceled: [],
} as const

export type TransferState = keyof typeof TRANSFER_MOVES

export const TRANSFER_STATES = Object.keys(TRANSFER_MOVES) as readonly TransferState[]

export function mayMove(from: TransferState, to: TransferState): boolean {
  return (TRANSFER_MOVES[from] as readonly TransferState[]).includes(to)
}

/** The states in which the money is back in the wallet. */
export function givesMoneyBack(state: TransferState): boolean {
  return state === 'refunded' || state === 'canceled'
}
