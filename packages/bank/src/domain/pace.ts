// How fast the sandbox's world runs. All times follow from how long a payment takes to settle, so a test that shortens
// that one shortens all of them.
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
    // Nobody should wait longer than this to see that something happens.
    submitAfterMs: Math.min(500, quarter),
    settleAfterMs,
    returnAfterMs: settleAfterMs,
    refundAfterMs: Math.min(500, quarter),
  }
}

/** In the story `late`, how long the bank pretends not to have finished. */
export const LATE_BY_MS = 1_500

/** How long a payee check takes. */
export const PAYEE_CHECK_MS = 300
