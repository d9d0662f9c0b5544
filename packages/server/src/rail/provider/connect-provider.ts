import type { PartnerBank, PayoutRail } from '../port.ts'
import { unconnectedRail } from '../unconnected-rail.ts'
import { createProviderBank } from './provider-bank.ts'
import { ProviderClient, type ProviderOptions } from './provider-client.ts'
import { type ProviderRailName, createProviderRail, providerTraits } from './provider-rail.ts'

/** Both halves of the port on one client. Without credentials: a rail that sends nothing, and no bank. */
export function connectProvider(
  name: ProviderRailName,
  options: ProviderOptions | null,
): { rail: PayoutRail; bank: PartnerBank | null } {
  if (options === null) return { rail: { ...unconnectedRail, ...providerTraits(name) }, bank: null }
  const client = new ProviderClient(options)
  return { rail: createProviderRail(name, client), bank: createProviderBank(client, options.excess ?? null) }
}
