// Which bank serves which environment, and over which rails payouts go, or went before.
import type { Environment } from '@kestrel/contract'

import type { Clock } from './core/clock.ts'
import type { BankCall } from './rail/bank-call.ts'
import type { PartnerBank, PayoutRail } from './rail/port.ts'
import { connectProvider } from './rail/provider/connect-provider.ts'
import type { ProviderOptions } from './rail/provider/provider-client.ts'
import { createSimulatedRail } from './rail/simulated-rail.ts'

export interface BankOptions {
  /** The bank, by environment; null where there is none. */
  readonly banks?: Readonly<Record<Environment, ProviderOptions | null>>
  /** Another bank in an environment's place. What went over the provider's rail before is followed there. */
  readonly otherBanks?: Partial<Readonly<Record<Environment, ConnectedBank>>>
  /** Whether requests to banks that belong to no trace begin one. */
  readonly areCallsTraced?: boolean
  /** Hears of each request to a bank. */
  readonly onBankCall?: (environment: Environment, call: BankCall) => void
}

/** A bank that is connected: both halves of the port. */
export interface ConnectedBank {
  readonly rail: PayoutRail
  readonly bank: PartnerBank | null
}

/** The bank of each environment, and the rails that payouts go over, or went over before. */
export function connectBanks({
  clock,
  banks,
  otherBanks,
  areCallsTraced = false,
  onBankCall = () => undefined,
}: BankOptions & { readonly clock: Clock }) {
  const watched = (environment: Environment, bank: ProviderOptions | null | undefined): ProviderOptions | null =>
    bank == null ? null : { ...bank, isTraced: areCallsTraced, onCall: (call) => onBankCall(environment, call) }
  const sandbox = connectProvider('provider_sandbox', watched('sandbox', banks?.sandbox))
  const live = connectProvider('provider_production', watched('live', banks?.live))
  const used: Readonly<Record<Environment, ConnectedBank>> = { sandbox, live, ...otherBanks }
  return {
    rails: {
      simulated: createSimulatedRail(clock),
      provider_sandbox: sandbox.rail,
      provider_production: live.rail,
      [used.sandbox.rail.name]: used.sandbox.rail,
      [used.live.rail.name]: used.live.rail,
    },
    bankRails: { sandbox: used.sandbox.rail.name, live: used.live.rail.name },
    banks: { sandbox: used.sandbox.bank, live: used.live.bank },
  }
}
