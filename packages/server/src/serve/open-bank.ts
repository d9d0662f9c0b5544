// The bank of each environment: the bundled sandbox bank, another one, or none.
// Not the bank itself, which is a process of its own.
import { EXCESS_WALLET_ID } from '@kestrel/bank/ids'

import type { Config } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import type { Secrets } from '../config/secrets.ts'
import type { ProviderOptions } from '../rail/provider/provider-client.ts'
import type { ControlOptions } from '../rail/provider/sandbox-control-client.ts'
import { startSandboxBank } from './sandbox-bank.ts'

export interface OpenedBank {
  readonly label: string
  readonly detail: string
  readonly notes: readonly string[]
  readonly provider: ProviderOptions | null
  readonly controls: ControlOptions | null
  readonly close: () => Promise<void>
}

export async function openBank(config: Config, secrets: Secrets, databaseUrl: string): Promise<OpenedBank> {
  const label = 'Sandbox bank'
  const given = sandboxBank(config, secrets)
  const nothing = { label, notes: [], close: () => Promise.resolve(), controls: null }
  if (config.sandboxBankUrl === 'none') return { ...nothing, detail: 'none: payouts are simulated', provider: null }
  if (given !== null) return { ...nothing, detail: given.baseUrl, provider: given }
  const bank = await startSandboxBank(config, secrets, databaseUrl)
  const provider = bundledBank(bank.url, secrets)
  const controls = { url: bank.url, key: secrets.bank.controlKey }
  return { label, detail: `bundled, ${bank.url}`, notes: bank.notes, provider, controls, close: bank.close }
}

/** In the bundled bank the operator's own wallet has the same id everywhere. */
export function bundledBank(baseUrl: string, secrets: Secrets): ProviderOptions {
  const excess = { holderRef: EXCESS_WALLET_ID, walletRef: EXCESS_WALLET_ID }
  return { baseUrl, apiKey: secrets.bank.sandboxApiKey, excess }
}

/** A sandbox bank that the operator names; null for the bundled one or none. */
export function sandboxBank(config: Config, secrets: Secrets): ProviderOptions | null {
  const { sandboxBankUrl: baseUrl, sandboxExcessWallet: excess } = config
  return baseUrl === null || baseUrl === 'none' ? null : { baseUrl, apiKey: secrets.bank.sandboxApiKey, excess }
}

/**
 * The controls of a sandbox bank that runs as a process of its own. Its key must be configured: the one that was made
 * for the bundled bank must not reach any other.
 */
export function sandboxControls(config: Config, env: Env): ControlOptions | null {
  const { sandboxBankUrl: url } = config
  const key = env['BANK_CONTROL_KEY'] ?? ''
  return url === null || url === 'none' || key === '' ? null : { url, key }
}

export function liveBank(config: Config, secrets: Secrets): ProviderOptions | null {
  const { liveBankUrl: baseUrl, liveExcessWallet: excess } = config
  const { liveApiKey: apiKey } = secrets.bank
  return baseUrl === null || apiKey === null ? null : { baseUrl, apiKey, excess }
}
