// How fast the sandbox's world turns. Everything follows from how long a payment takes to settle, so that a test which
// wants it quicker gets all of it quicker.
export interface Pace {
  readonly submitAfterMs: number
  readonly settleAfterMs: number
  readonly returnAfterMs: number
  readonly refundAfterMs: number
}

export const DEFAULT_SETTLE_AFTER_MS = 2_000

/** With the default: handed over after 0.5 s, settled after 2 s, sent back 2 s later, refunded after another 0.5 s. */
export function paceOf(settleAfterMs: number): Pace {
  const quarter = Math.floor(settleAfterMs / 4)
  return {
    // Nobody who looks should have to wait longer to see that something happens.
    submitAfterMs: Math.min(500, quarter),
    settleAfterMs,
    returnAfterMs: settleAfterMs,
    refundAfterMs: Math.min(500, quarter),
  }
}

/** How long the bank of the story `late` pretends not to have finished. */
export const LATE_BY_MS = 1_500

/** How long a payee check takes. */
export const PAYEE_CHECK_MS = 300
