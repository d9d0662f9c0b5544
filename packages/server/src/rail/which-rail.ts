// Which rail the payouts of an account go over. There is one bank per environment; compose.ts says which, and its name.
import type { Environment } from '@kestrel/contract'

import { type RailName, SIMULATED } from '../core/rail-name.ts'
import { missingRail } from './missing-rail.ts'
import type { PayoutRail } from './port.ts'

export interface Rails {
  /** Every rail of this process, by its name: also those that payouts went over before. */
  readonly rails: Readonly<Record<RailName, PayoutRail>>
  /** The rail of each environment's bank: where wallets are opened. */
  readonly bankRails: BankRails
}

export type BankRails = Readonly<Record<Environment, RailName>>

/** A payout may be on a rail that this process does not have: nothing is sent over it, and nothing is known of it. */
export function railNamed({ rails }: Pick<Rails, 'rails'>, name: RailName): PayoutRail {
  return rails[name] ?? missingRail(name)
}

/** The rail of the environment's bank. */
export function railOfBank(deps: Rails, environment: Environment): PayoutRail {
  return railNamed(deps, deps.bankRails[environment])
}

/** The rail that a new wallet begins on: a sandbox pays at once, and live not before there is a bank. */
export function firstRail(bankRails: BankRails, environment: Environment): RailName {
  return environment === 'live' ? bankRails.live : SIMULATED
}
