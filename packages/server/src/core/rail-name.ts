// What rails are called: in the database by their own names, and in the API by one of the specification's three words.
import type { Environment, RailKind } from '@kestrel/contract'

/** The name of a rail, as payouts and wallets keep it. Any bank may bring one. */
export type RailName = string

/** The rail of a sandbox that is at no bank yet. */
export const SIMULATED: RailName = 'simulated'

/** What the API says of an account's rail, whichever bank it is. */
export function railKind({ rail, environment }: { rail: RailName; environment: Environment }): RailKind {
  if (environment === 'live') return 'provider_production'
  return rail === SIMULATED ? 'simulated' : 'provider_sandbox'
}
