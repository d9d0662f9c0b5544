// Whether money moved when a request failed: for people as a sentence, for programs as a yes or no.

export interface MoneyMoved {
  readonly text: string
  /**
   * Whether it is certain that the request sent nothing. Where it met a payout of its idempotency key, or may have, that is
   * not said: whoever reads it would pay again under another key.
   */
  readonly nothingWasSent: boolean
}

export const NOTHING: MoneyMoved = { text: 'No. Nothing was sent and nothing was reserved.', nothingWasSent: true }

export const NOT_ABOUT_MONEY: MoneyMoved = { text: 'No.', nothingWasSent: true }

export const PERHAPS: MoneyMoved = {
  text: 'For a payout: perhaps. Retrying with the same `Idempotency-Key` tells, and never pays twice. For anything else: no.',
  nothingWasSent: false,
}

/** The flag as the documents say it. */
export function inTheSdk({ nothingWasSent }: MoneyMoved): string {
  return `In the SDK, \`nothingWasSent\` is \`${nothingWasSent}\`.`
}
