// What stops a payout although the request is right: a pause, and the limits of a key or a member. Part of the catalogue.
import { BEFORE_KEY, NOTHING } from './money-moved.ts'

export const LIMITS = {
  payouts_paused: {
    status: 403,
    happened:
      'An admin, a key or the operator has paused all payouts of this environment. `details` says since when, and who.',
    money: NOTHING,
    todo: 'Ask an admin of the business. Once they have resumed payouts in the dashboard, retry with the same `Idempotency-Key`.',
  },
  scope_missing: {
    status: 403,
    happened: 'The API key is not for this. `details.needed` says which scope it lacks.',
    money: BEFORE_KEY,
    todo: 'Use a key that has the scope, or ask an admin to give it to this one.',
  },
  address_not_allowed: {
    status: 403,
    happened: 'The API key may be used from some networks only, and the request came from another.',
    money: BEFORE_KEY,
    todo: 'Call from one of its networks, or ask an admin to add this one. Behind a proxy, `details.address` is what we see.',
  },
  spending_limit_reached: {
    status: 403,
    happened:
      'The API key, or the member, may pay only so much at once, per day or per month in London, and this payout is beyond it.',
    money: NOTHING,
    todo: 'Wait until `details.resets_at`, pay less, or ask an admin to raise the limit; then retry with the same `Idempotency-Key`.',
  },
} as const
