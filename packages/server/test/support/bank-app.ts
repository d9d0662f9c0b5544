// The service with a real bank behind it: adapter, HTTP, sandbox bank, webhooks if wanted.
import type { AddressInfo } from 'node:net'

import type { Clock } from '@kestrel/bank'
import type { Environment } from '@kestrel/contract'

import { connectPause } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { registerWebhook } from '../../src/domain/banking/feeds/register-webhook.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import type { DataKeys } from '../../src/domain/deps.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import type { TraceExporter } from '../../src/export-traces.ts'
import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'
import { RailUnavailable } from '../../src/rail/port.ts'
import type { AlarmName } from '../../src/domain/watch/alarms/alarm-catalogue.ts'
import { findWallet } from '../../src/storage/wallets.ts'
import { type TestApp, startTestApp } from './app.ts'
import { type TestBank, startTestBank } from './bank.ts'
import { type TestPartner, aPartner } from './fixtures.ts'

export interface Alarm {
  readonly what: AlarmName
  readonly about: Readonly<Record<string, unknown>>
}

export interface BankApp extends TestApp {
  readonly bank: TestBank
  /** Every alarm that was raised, the oldest first; by any of the instances. */
  readonly alarms: readonly Alarm[]
  /** A partner whose sandbox is connected. */
  aConnectedPartner(): Promise<TestPartner>
  /** So many of them, connected in one go. */
  connectedPartners(count: number): Promise<readonly TestPartner[]>
  /** A partner that the bank has not heard of yet. */
  anUnconnectedPartner(): Promise<TestPartner>
  /** Moves both clocks and lets the bank do what is due; nothing is brought home. */
  moveClocks(milliseconds: number): Promise<void>
  /** Moves both clocks, lets the bank do what is due, and brings the news home by sweep alone. */
  pass(milliseconds: number): Promise<void>
  /** Opens a real port and tells the bank of it; where it listens. */
  listen(environments?: readonly ('sandbox' | 'live')[]): Promise<string>
  /** A second process on the same database and the same bank; closed with the first. */
  anotherInstance(options?: { secrets: DataKeys }): Promise<TestApp>
}

export async function startBankApp(
  options: {
    totalTimeoutMs?: number
    isLive?: boolean
    bankClock?: Clock
    traces?: TraceExporter
    through?: (bank: TestBank) => Promise<ProviderOptions>
  } = {},
): Promise<BankApp> {
  const bank = await startTestBank(options)
  const provider = options.through === undefined ? bank.provider : await options.through(bank)
  const live = options.isLive === true ? provider : null
  const banks = { sandbox: provider, live }
  const sandboxControls = bank.controls
  const app = await startTestApp({ banks, sandboxControls, traces: options.traces ?? null })
  const others: TestApp[] = []
  const alarms: Alarm[] = []
  keepAlarms(app, alarms)
  const moveClocks = async (milliseconds: number) => {
    for (const each of [app, ...others]) each.clock.advance(milliseconds)
    await bank.control('POST', '/clock/advance', { ms: milliseconds })
  }
  const connectedPartners = async (count: number) => {
    const partners: TestPartner[] = []
    while (partners.length < count) partners.push(await aPartner(app, { email: anEmail() }))
    await untilConnected(app, moveClocks)
    return partners
  }
  return {
    ...app,
    bank,
    alarms,
    aConnectedPartner: async () => (await connectedPartners(1))[0]!,
    connectedPartners,
    anUnconnectedPartner: () => aPartner(app, { email: anEmail() }),
    moveClocks,
    pass: async (milliseconds) => {
      await moveClocks(milliseconds)
      await bringHome(app)
    },
    listen: async (environments = ['sandbox']) => {
      await app.app.listen({ host: '127.0.0.1', port: 0 })
      const url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
      for (const environment of environments) await registerPatiently(app.deps, environment, url)
      return url
    },
    anotherInstance: async (different) => {
      const other = await startTestApp({
        ...different,
        banks,
        sandboxControls,
        database: { ...app.database, drop: () => Promise.resolve() },
      })
      other.clock.advance(app.clock.offsetMs)
      keepAlarms(other, alarms)
      others.push(other)
      return other
    },
    close: async () => {
      for (const other of others) await other.close()
      await app.close()
      await bank.close()
    },
  }
}

let emails = 0

/** The bank has one business per email. */
const anEmail = () => `finance-${process.pid}-${emails++}@thistle.test`

/** As the worker does it, round after round: under a short deadline a busy machine may need a second one. */
async function untilConnected(app: TestApp, moveClocks: BankApp['moveClocks']): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await connectWallets(app.deps, 'sandbox')
      return
    } catch (error) {
      if (!(error instanceof RailUnavailable) || round === 5) throw error
      await moveClocks(connectPause(round))
    }
  }
}

/** What the worker does, once. */
async function bringHome(app: TestApp): Promise<void> {
  for (const environment of ['sandbox', 'live'] as const) {
    await sweepTransfers(app.deps, environment)
    await sweepDeposits(app.deps, environment)
  }
  await handleBankEvents(app.deps)
  await followPayouts(app.deps)
}

function keepAlarms(app: TestApp, alarms: Alarm[]): void {
  const { onAlarm } = app.deps
  Object.assign(app.deps, {
    onAlarm: (what: AlarmName, about: Alarm['about'], isWritten?: 'written') => {
      alarms.push({ what, about })
      onAlarm(what, about, isWritten)
    },
  })
}

/** Where a partner's money lives at the bank. */
export async function accountAtBank(
  test: TestApp,
  partner: Pick<TestPartner, 'id' | 'environment'>,
): Promise<{ holderRef: string; walletRef: string }> {
  const wallet = await findWallet(test.deps.db, { partnerId: partner.id, environment: partner.environment })
  if (wallet?.holderRef == null || wallet.walletRef == null) throw new Error('The wallet is not connected.')
  return { holderRef: wallet.holderRef, walletRef: wallet.walletRef }
}

/** What the bank says a partner's wallet holds, in micro-USDC. */
export async function balanceAtBank(test: BankApp, partner: TestPartner): Promise<bigint> {
  const { walletRef, holderRef } = await accountAtBank(test, partner)
  const { wallets } = await test.bank.books(holderRef)
  return BigInt(wallets.find((wallet) => wallet.id === walletRef)?.balance_micro ?? -1)
}

/** The bank makes a key pair for each, which takes seconds on a machine that has much else to do. */
async function registerPatiently(deps: TestApp['deps'], environment: Environment, url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await registerWebhook(deps, environment, url)
    } catch (error) {
      if (!(error instanceof RailUnavailable) || tries === 5) throw error
    }
  }
}
