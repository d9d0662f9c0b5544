// Which rail the payouts of an environment go over. There is one bank per environment.
import type { Environment, RailName } from '@kestrel/contract'

/** The rail of the bank: from when a wallet is open there. */
export function bankRail(environment: Environment): RailName {
  return environment === 'live' ? 'provider_production' : 'provider_sandbox'
}

/** The rail that a new wallet begins on: a sandbox pays at once, and live not before there is a bank. */
export function firstRail(environment: Environment): RailName {
  return environment === 'live' ? bankRail(environment) : 'simulated'
}
