// The faults that a test has asked for, each for a number of times. They live in the process and not in the books: it
// is the network and the program that go wrong, not the bank.
export const ROUTE_FAULTS = [
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  '500_before',
  '500_after',
  'refused_after',
  '429',
  'malformed_2xx',
  'wrong_amount',
  'truncated',
  'slow',
  'down',
] as const
export type RouteFault = (typeof ROUTE_FAULTS)[number]

export const WEBHOOK_FAULTS = ['drop', 'duplicate', 'delay', 'reorder', 'bad_signature', 'stale'] as const
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]

export interface Fault<Mode = RouteFault | WebhookFault> {
  /** `POST /v0/transfers`, with a star for each id; a star alone stands for every route. */
  readonly route: string
  readonly mode: Mode
  readonly ms: number | null
  /** What `refused_after` says, and of which field of the body; both null: that the account is wrong. */
  readonly code: string | null
  readonly key: string | null
  /** How long `429` asks the caller to wait: seconds, or the header as it is sent, such as a date; null: it does not say. */
  readonly retryAfter: number | string | null
}

interface PostedFault extends Fault {
  timesLeft: number
}

export const EVERY_ROUTE = '*'

export class FaultBoard {
  readonly #posted: PostedFault[] = []

  post(fault: Fault, times: number): void {
    this.#posted.push({ ...fault, timesLeft: times })
  }

  clear(): void {
    this.#posted.length = 0
  }

  list(): readonly (Fault & { readonly timesLeft: number })[] {
    return this.#posted.map((fault) => ({ ...fault }))
  }

  /** Takes the oldest fault for this route, and uses it up by one. */
  takeForRequest(route: string): Fault<RouteFault> | null {
    return this.#take(
      (fault): fault is PostedFault & Fault<RouteFault> =>
        isOneOf(ROUTE_FAULTS, fault.mode) && [route, EVERY_ROUTE].includes(fault.route),
    )
  }

  takeForWebhook(): Fault<WebhookFault> | null {
    return this.#take((fault): fault is PostedFault & Fault<WebhookFault> => isOneOf(WEBHOOK_FAULTS, fault.mode))
  }

  #take<F extends PostedFault>(fits: (fault: PostedFault) => fault is F): F | null {
    const fault = this.#posted.find(fits)
    if (fault === undefined) return null
    fault.timesLeft -= 1
    if (fault.timesLeft === 0) this.#posted.splice(this.#posted.indexOf(fault), 1)
    return fault
  }
}

function isOneOf<T extends string>(words: readonly T[], word: string): word is T {
  return (words as readonly string[]).includes(word)
}

/** Makes one form of the ways of writing a path's variables: a test's, the documentation's and the framework's. */
export function routePattern(route: string): string {
  return route.replace(/\{[^}/]+\}|:[^/]+/g, '*')
}
