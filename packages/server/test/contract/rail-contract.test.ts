import { afterAll } from 'vitest'

import { systemClock } from '../../src/core/clock.ts'
import { parseUsdc } from '../../src/core/money.ts'
import { connectProvider } from '../../src/rail/provider/connect-provider.ts'
import { createSimulatedRail } from '../../src/rail/simulated-rail.ts'
import { type TestBank, startTestBank } from '../support/bank.ts'
import { aRecipient } from '../support/fixtures.ts'
import { bankContract } from './bank-contract.ts'
import { openPaperBank } from './paper-bank.ts'
import { railContract } from './rail-contract.ts'

const { address, ...rest } = aRecipient()
const recipient = { ...rest, type: 'individual', address: { ...address, region: address.city } } as const

railContract('simulated', () =>
  Promise.resolve({ rail: createSimulatedRail(systemClock), account: null, bank: null, recipient, patienceMs: 10_000 }),
)

let ourBank: Promise<TestBank> | null = null
afterAll(async () => (await ourBank)?.close())

const connectOurBank = async () => connectProvider('provider_sandbox', (await (ourBank ??= startTestBank())).provider)

railContract('our own bank, through the adapter and over HTTP', async () => {
  const { rail, bank } = await connectOurBank()
  const holderRef = await bank!.openSandboxHolder({ id: 'contract', name: 'Thistle Market' }, 'contract')
  await bank!.approveSandboxHolder(holderRef)
  const account = await bank!.openWallet(holderRef, 'contract')
  return { rail, bank, account, recipient, patienceMs: 20_000 }
})

bankContract('our own bank, through the adapter and over HTTP', async () => (await connectOurBank()).bank!)

const openPaper = () => openPaperBank('paper_sandbox', () => new Date(), 1_000)

railContract('a bank on paper', async () => {
  const { rail, bank } = openPaper()
  const holderRef = await bank.openSandboxHolder({ id: 'contract', name: 'Thistle Market' }, 'contract')
  const account = await bank.openWallet(holderRef, 'contract')
  await bank.addTestMoney(account, parseUsdc('100.00')!, 'contract')
  return { rail, bank, account, recipient, patienceMs: 10_000 }
})

bankContract('a bank on paper', async () => openPaper().bank)
