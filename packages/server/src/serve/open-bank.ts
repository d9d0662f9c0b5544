// Which bank each environment has: the bundled sandbox bank, somebody else's, or none.
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { ProviderOptions } from '../rail/provider/provider-client.ts'
import { startSandboxBank } from './sandbox-bank.ts'

export interface OpenedBank {
  readonly label: string
  readonly detail: string
  readonly notes: readonly string[]
  readonly provider: ProviderOptions | null
  readonly close: () => Promise<void>
}

export async function openBank(config: Config, secrets: Secrets, databaseUrl: string): Promise<OpenedBank> {
  const label = 'Sandbox bank'
  const given = sandboxBank(config, secrets)
  const nothing = { label, notes: [], close: () => Promise.resolve() }
  if (config.sandboxBankUrl === 'none') return { ...nothing, detail: 'none: payouts are simulated', provider: null }
  if (given !== null) return { ...nothing, detail: given.baseUrl, provider: given }
  const bank = await startSandboxBank(config, secrets, databaseUrl)
  const provider = { baseUrl: bank.url, apiKey: secrets.bank.sandboxApiKey }
  return { label, detail: `bundled, ${bank.url}`, notes: bank.notes, provider, close: bank.close }
}

/** A sandbox bank that the operator names; null for the bundled one or none. */
export function sandboxBank(config: Config, secrets: Secrets): ProviderOptions | null {
  const { sandboxBankUrl: baseUrl } = config
  return baseUrl === null || baseUrl === 'none' ? null : { baseUrl, apiKey: secrets.bank.sandboxApiKey }
}

export function liveBank(config: Config, secrets: Secrets): ProviderOptions | null {
  const { liveBankUrl: baseUrl } = config
  const { liveApiKey: apiKey } = secrets.bank
  return baseUrl === null || apiKey === null ? null : { baseUrl, apiKey }
}
