// Whether money moved when a request failed: for people as a sentence, for programs as a yes or no.

export interface MoneyMoved {
  readonly text: string
  /**
   * Whether it is certain that the request sent nothing. Where it met a payout of its idempotency key, or may have, that is
   * not said: whoever reads it would pay again under another key.
   */
  readonly nothingWasSent: boolean
  /**
   * Whether it is answered before the idempotency key is looked up, to a request that may be right: it then says nothing about
   * an earlier request with the key. What is wrong with the request itself is not meant: the earlier one was refused for it too.
   */
  readonly comesBeforeKey?: true
}

export const NOTHING: MoneyMoved = { text: 'No. Nothing was sent and nothing was reserved.', nothingWasSent: true }

export const NOT_ABOUT_MONEY: MoneyMoved = { text: 'No.', nothingWasSent: true }

export const BEFORE_KEY: MoneyMoved = {
  text: 'Not by this request. It was refused before its `Idempotency-Key`, if it has one, was looked up: an earlier request with that key may have paid.',
  nothingWasSent: true,
  comesBeforeKey: true,
}

export const PERHAPS: MoneyMoved = {
  text: 'For a payout: perhaps. Retrying with the same `Idempotency-Key` tells, and never pays twice. For anything else: no.',
  nothingWasSent: false,
}

/** The flag as the documents say it. */
export function inTheSdk({ nothingWasSent, comesBeforeKey }: MoneyMoved): string {
  const forPayouts = comesBeforeKey === true ? ', and `false` for `payouts.create`' : ''
  return `In the SDK, \`nothingWasSent\` is \`${nothingWasSent}\`${forPayouts}.`
}
