// The bank of each environment: the bundled sandbox bank, another one, or none.
// Not the bank itself, which is a process of its own.
import { EXCESS_WALLET_ID } from '@kestrel/bank/ids'

import type { Config } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import type { Secrets } from '../config/secrets.ts'
import type { ProviderOptions } from '../rail/provider/provider-client.ts'
import type { ControlOptions } from '../rail/provider/sandbox-control-client.ts'
import { beginSandboxBank } from './sandbox-bank.ts'

export interface OpenedBank {
  readonly label: string
  readonly detail: string
  readonly notes: readonly string[]
}

/** A bank that is on its way; the service may be put together meanwhile, and asks it nothing before it is open. */
export interface BegunBank {
  readonly provider: ProviderOptions | null
  readonly controls: ControlOptions | null
  readonly open: (databaseUrl: string) => Promise<OpenedBank>
  readonly close: () => Promise<void>
}

const LABEL = 'Sandbox bank'

export function beginBank(config: Config, secrets: Secrets): BegunBank {
  const given = sandboxBank(config, secrets)
  const close = () => Promise.resolve()
  const opened = (detail: string) => Promise.resolve({ label: LABEL, detail, notes: [] })
  if (config.sandboxBankUrl === 'none') {
    return { provider: null, controls: null, open: () => opened('none: payouts are simulated'), close }
  }
  if (given !== null) return { provider: given, controls: null, open: () => opened(config.sandboxBankUrl!), close }
  const bank = beginSandboxBank(config, secrets)
  let url: string | null = null
  const address = () => {
    if (url === null) throw new Error('The sandbox bank is not open yet.')
    return url
  }
  return {
    provider: { ...bundledBank('', secrets), findBaseUrl: address },
    controls: { url: address, key: secrets.bank.controlKey },
    open: async (databaseUrl) => {
      const { url: found, notes } = await bank.open(databaseUrl)
      url = found
      return { label: LABEL, detail: `bundled, ${found}`, notes }
    },
    close: bank.close,
  }
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
