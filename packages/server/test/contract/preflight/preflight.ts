// Looks for everything that payments need, one after the other: approves and funds a customer of the sandbox, and tries a
// payment that is not made, by the adapter's own requests. Never throws: what goes wrong is a finding.
import type { PartnerBank, PayoutRail } from '../../../src/rail/port.ts'
import { createProviderBank } from '../../../src/rail/provider/provider-bank.ts'
import type { ProviderOptions } from '../../../src/rail/provider/provider-client.ts'
import { createProviderRail } from '../../../src/rail/provider/provider-rail.ts'
import type { RecipientDetails, WalletAtBank } from '../../../src/rail/transfer.ts'
import type { Capability } from './capabilities.ts'
import type { Finding } from './report.ts'
import {
  findAddress,
  findCustomer,
  findKey,
  findMoney,
  findPounds,
  findRecipient,
  findTopUp,
  findWallet,
  tryDry,
} from './seek.ts'
import { TalkingClient } from './talking-client.ts'

export interface Preflight {
  readonly rail: PayoutRail
  readonly bank: PartnerBank
  readonly account: WalletAtBank | null
  readonly findings: readonly Finding[]
}

export interface PreflightOptions {
  readonly provider: ProviderOptions
  /** Distinguishes this run's customer from all others. */
  readonly name: string
  /** What the operator has at the bank already; null: it is opened. */
  readonly customer: string | null
  readonly wallet: string | null
  readonly recipient: RecipientDetails
  /** How long test money may take to be in the wallet. */
  readonly patienceMs: number
}

/** What was found, and how that is told. */
export interface Found<T> {
  readonly found: T
  readonly said: string
}

export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const client = new TalkingClient(options.provider)
  const bank = createProviderBank(client, null)
  const rail = createProviderRail('provider_sandbox', client)
  const findings: Finding[] = []
  const look = looker(client, findings)
  const key = `contract:${options.name}`

  const isThere = await look('address', [], () => findAddress(client, options.provider.baseUrl))
  const isIn = await look('key', [isThere], () => findKey(client))
  const rate = await look('rate', [isIn], async () => {
    const { rate: found } = await rail.readRate()
    const said = `${found.text} pounds for a dollar. A sandbox’s rates are fixtures and may be old: live has its own.`
    return { found, said }
  })
  const customer = await look('customer', [isIn], () => findCustomer({ bank, client }, options))
  const pounds = await look('pounds', [customer], () => findPounds(client, customer!))
  const account = await look('wallet', [customer], () => findWallet(bank, customer!.id, options))
  const money = await look('money', [account], () => findMoney(bank, account!, options))
  // Both are asked for in one breath: each is judged by its own answers.
  await look('liquidation_address', [account], () => findTopUp({ bank, client }, account!, { key, kind: 'chain' }))
  await look('virtual_account', [account], () => findTopUp({ bank, client }, account!, { key, kind: 'bank' }))
  const { recipient } = options
  const known = await look('recipient', [account, pounds], () => findRecipient(rail, account!, { recipient, key }))
  await look('fixed_outputs', [known, money, rate], () => tryDry(client, { rail, account, recipient }))
  return { rail, bank, account, findings }
}

/** Looks for one thing and keeps what it found; gives null when it is missing, or when what it needs is. */
function looker(client: TalkingClient, findings: Finding[]) {
  return async <T>(
    capability: Capability,
    needs: readonly unknown[],
    seek: () => Promise<Found<T>>,
  ): Promise<T | null> => {
    if (needs.includes(null)) {
      findings.push({ capability, verdict: 'not looked at', said: 'It needs what is missing above.', exchanges: [] })
      return null
    }
    const sought = await seek().catch((error: unknown) => ({
      found: null,
      said: error instanceof Error ? error.message : String(error),
    }))
    const exchanges = client.takeExchanges().map(({ line }) => line)
    const verdict = sought.found === null ? 'missing' : 'there'
    findings.push({ capability, verdict, said: client.withoutKey(sought.said), exchanges })
    return sought.found
  }
}
