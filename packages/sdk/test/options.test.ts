// What no timer, no JSON and no header can hold is refused before anything is asked.
import { beforeEach, describe, expect, it } from 'vitest'

import { Kestrel, UsageError } from '../src/index.ts'
import { BODY } from './support/service.ts'

const BAD = [
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { timeoutMs: Infinity },
  { timeoutMs: 2 ** 31 },
  { timeoutMs: 1.5 },
  { maxRetries: -1 },
  { maxRetries: Number.NaN },
  { maxRetries: Infinity },
]

describe('options', () => {
  let asked = 0
  beforeEach(() => void (asked = 0))
  const kestrel = (options: object) =>
    new Kestrel({
      apiKey: 'kp_sandbox_0',
      fetch: async () => {
        asked += 1
        return Response.json({ object: 'balance' })
      },
      ...options,
    })

  it.each(BAD)('%j is refused for the client and for a call', async (options) => {
    expect(() => kestrel(options)).toThrow(UsageError)
    await expect(kestrel({}).balance.retrieve(options)).rejects.toThrow(UsageError)
    expect(asked).toBe(0)
  })

  it.each([Number.NaN, Infinity, -1, 2 ** 31])('%d is no time to wait for a payout', async (timeoutMs) => {
    await expect(kestrel({}).payouts.waitUntilFinal('id', { timeoutMs })).rejects.toThrow(UsageError)
    expect(asked).toBe(0)
  })

  it('the longest time that a timer keeps is one that is waited for', async () => {
    const longest = { timeoutMs: 2 ** 31 - 1, maxRetries: 0 }
    expect(await kestrel(longest).balance.retrieve(longest)).toEqual({ object: 'balance' })
  })

  it.each([
    ['a bigint', { ...BODY, amount_gbp: 2500n }, '30.00'],
    ['a limit with a line break', BODY, '30.00\n'],
    ['a limit in other digits', BODY, '３０.00'],
  ])('%s is refused by name, and no doubt is left', async (_name, body, limit) => {
    const options = { idempotencyKey: 'options-order-1', maxWalletDebitUsdc: limit as '30.00' }
    const paying = kestrel({}).payouts.create(body as typeof BODY, options)
    await expect(paying).rejects.toThrow(UsageError)
    await expect(paying).rejects.toThrow(/BigInt.*gbp\(2500n\)|Max-Wallet-Debit-USDC/)
    expect(asked).toBe(0)
  })
})
