// A payout's statuses, and the named sets of them by which anything decides. A set says yes or no for every status, so a
// seventh status does not compile before each set has decided about it. No schema library is imported here: the dashboard
// takes these values into the browser.

export const PAYOUT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'returned'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

type Decided = Readonly<Record<PayoutStatus, boolean>>

const setOf = (decided: Decided): ReadonlySet<PayoutStatus> =>
  new Set(PAYOUT_STATUSES.filter((status) => decided[status]))

/** Nobody knows yet how it ends. */
export const UNDER_WAY = setOf({
  pending: true,
  processing: true,
  completed: false,
  failed: false,
  cancelled: false,
  returned: false,
})

/** The recipient has the money, or is to have it. */
export const PAID_OR_UNDER_WAY = setOf({
  pending: true,
  processing: true,
  completed: true,
  failed: false,
  cancelled: false,
  returned: false,
})

/** The money did not stay with the recipient, and goes back to the wallet. */
export const UNDONE = setOf({
  pending: false,
  processing: false,
  completed: false,
  failed: true,
  cancelled: true,
  returned: true,
})

/** The recipient never had the money, so nothing is charged. */
export const NEVER_PAID = setOf({
  pending: false,
  processing: false,
  completed: false,
  failed: true,
  cancelled: true,
  returned: false,
})

/** Undone, and nobody asked for that: somebody should look at it. */
export const WENT_WRONG = setOf({
  pending: false,
  processing: false,
  completed: false,
  failed: true,
  cancelled: false,
  returned: true,
})
