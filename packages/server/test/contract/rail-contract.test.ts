import { afterAll } from 'vitest'

import { systemClock } from '../../src/core/clock.ts'
import { connectProvider } from '../../src/rail/provider/connect-provider.ts'
import { createSimulatedRail } from '../../src/rail/simulated-rail.ts'
import { type TestBank, startTestBank } from '../support/bank.ts'
import { aRecipient } from '../support/fixtures.ts'
import { railContract } from './rail-contract.ts'

const { address, ...rest } = aRecipient()
const recipient = { ...rest, type: 'individual', address: { ...address, region: address.city } } as const

railContract('simulated', () =>
  Promise.resolve({ rail: createSimulatedRail(systemClock), account: null, bank: null, recipient, patienceMs: 10_000 }),
)

const banks: TestBank[] = []
afterAll(() => Promise.all(banks.map((bank) => bank.close())))

railContract('our own bank, through the adapter and over HTTP', async () => {
  const testBank = await startTestBank()
  banks.push(testBank)
  const { rail, bank } = connectProvider('provider_sandbox', testBank.provider)
  const holderRef = await bank!.openSandboxHolder({ id: 'contract', name: 'Thistle Market', email: null })
  const account = await bank!.openWallet(holderRef, 'contract')
  return { rail, bank, account, recipient, patienceMs: 20_000 }
})
