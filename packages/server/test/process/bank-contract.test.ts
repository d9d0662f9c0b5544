// `npm run bank:contract` as the operator runs it, against the bundled bank in the dress of one that never settles.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'

const ROOT = join(import.meta.dirname, '../../../..')

let bank: TestBank
beforeAll(async () => {
  bank = await startTestBank()
})
afterAll(() => bank.close())

function runContract(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/bank-contract.mjs'], {
    cwd: ROOT,
    // Not as a part of the run that this test is in.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, said: stripVTControlCharacters(said).replaceAll('\r', '') })),
  )
}

describe('npm run bank:contract', () => {
  it('says what the account can do, pays once, and skips with the reason what the sandbox never does', async () => {
    await bank.standStill()
    const { baseUrl, apiKey } = bank.provider
    const { code, said } = await runContract({
      BANK_CONTRACT_URL: baseUrl,
      BANK_CONTRACT_KEY: apiKey,
      BANK_CONTRACT_SETTLES: 'no',
    })
    expect(said).toContain('✔ Pounds by Faster Payments (the endorsement faster_payments)')
    expect(said).toMatch(/↓.*settles the payment, or says plainly why not.*BANK_CONTRACT_SETTLES says/)
    expect(said).toMatch(/✓.*takes the same payment again without paying again/)
    expect(said).not.toContain(apiKey)
    expect({ code, transfers: (await bank.books()).transfers.length }).toEqual({ code: 0, transfers: 1 })
  })

  it('fails in words when something is missing, and pays nothing', async () => {
    const before = (await bank.books()).transfers.length
    await bank.control('POST', '/terms', { not_enabled: ['fixed_outputs'] })
    const { baseUrl, apiKey } = bank.provider
    const { code, said } = await runContract({ BANK_CONTRACT_URL: baseUrl, BANK_CONTRACT_KEY: apiKey })
    expect(code).toBe(1)
    expect(said).toContain('The bank would not take it: Fixed outputs are not enabled for this developer.')
    expect(said).toContain('Not tried, for want of: A payment of an exact amount in pounds')
    expect(said).not.toMatch(/Cannot read properties|undefined/)
    expect((await bank.books()).transfers).toHaveLength(before)
  })

  it.each([
    { env: {}, says: 'Set BANK_CONTRACT_URL and BANK_CONTRACT_KEY' },
    { env: { BANK_CONTRACT_URL: 'the bank', BANK_CONTRACT_KEY: 'sk-test' }, says: 'must be an address such as' },
    {
      env: { BANK_CONTRACT_URL: 'https://api.bridge.xyz/v0', BANK_CONTRACT_KEY: 'sk' },
      says: 'This is a live account',
    },
    { env: { BANK_CONTRACT_URL: 'https://bank.invalid/v0', BANK_CONTRACT_KEY: 'sk-live-x' }, says: 'This is a live' },
  ])('asks nobody: $says', async ({ env, says }) => {
    const { code, said } = await runContract(env)
    expect(code).toBe(1)
    expect(said).toContain(says)
  })
})
