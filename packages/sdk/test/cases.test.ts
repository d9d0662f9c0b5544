// The case file, against the real service behind a proxy that loses requests and answers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { ApiError, type Kestrel, KestrelError } from '../src/index.ts'
import type { Fault } from './support/faulty-proxy.ts'
import { BODY, type SdkService, startSdkService } from './support/service.ts'

interface Case {
  readonly name: string
  readonly call: string
  readonly args?: readonly unknown[]
  /** In place of fields of an ordinary payout. */
  readonly body?: Record<string, unknown>
  readonly key?: string
  readonly madeBefore?: Record<string, unknown>
  readonly maxWalletDebitUsdc?: string
  readonly apiKey?: string
  readonly timeoutMs?: number
  readonly maxRetries?: number
  readonly faults: readonly Fault[]
  readonly tries: number
  /** The `object` of the answer, or the error. */
  readonly result: string | Record<string, unknown>
  readonly payouts?: number
}

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as {
  cases: readonly Case[]
}

let service: SdkService
let made = 0
beforeAll(async () => {
  service = await startSdkService()
})
afterAll(() => service.close())

describe('the case file:', () => {
  it.each(cases)('$name', async (each) => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0)
    try {
      const { proxy } = service
      const key = each.key ?? `case-number-${(made += 1)}`
      if (each.madeBefore !== undefined) await create(service.client(), key, each.madeBefore)
      proxy.plan(each.faults)
      const result = await resultOf(each, key)
      expect(result).toEqual(typeof each.result === 'string' ? { object: each.result } : each.result)
      expect(proxy.heard).toHaveLength(each.tries)
      expect(new Set(proxy.heard.map((heard) => JSON.stringify(heard))).size).toBe(Math.min(each.tries, 1))
      if (each.payouts === undefined) return
      proxy.plan([])
      const payouts = await service.client().payouts.list({ idempotency_key: key }).first(5)
      expect(payouts).toHaveLength(each.payouts)
      expect(proxy.heard[0]?.route).toContain('/v1/payouts?')
    } finally {
      chance.mockRestore()
    }
  })
})

function create(kestrel: Kestrel, key: string, fields: Record<string, unknown>, maxWalletDebitUsdc?: string) {
  const { recipient, ...others } = fields
  const bank = (recipient as { bank?: object } | undefined)?.bank
  const whole = bank === undefined ? recipient : { ...BODY.recipient, bank: { ...BODY.recipient.bank, ...bank } }
  // Cases may ask for what the types refuse.
  const body = { ...BODY, ...others, ...(recipient === undefined ? {} : { recipient: whole as typeof BODY.recipient }) }
  const limit = maxWalletDebitUsdc === undefined ? {} : { maxWalletDebitUsdc: maxWalletDebitUsdc as '1.00' }
  return kestrel.payouts.create(body, { idempotencyKey: key, ...limit })
}

async function resultOf(each: Case, key: string): Promise<object> {
  const { timeoutMs, maxRetries, apiKey } = each
  const options = { timeoutMs, maxRetries, apiKey }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const kestrel = service.client(given)
  try {
    const answer = await (each.call === 'payouts.create'
      ? create(kestrel, key, each.body ?? {}, each.maxWalletDebitUsdc)
      : callOf(kestrel, each.call)(...(each.args ?? [])))
    return { object: (answer as { object: string }).object }
  } catch (error) {
    if (!(error instanceof KestrelError)) throw error
    if ('idempotencyKey' in error && ![null, key].includes(error.idempotencyKey as string)) throw error
    const { nothingWasSent } = error
    if (!(error instanceof ApiError)) return { error: error.name, nothingWasSent }
    const { status, code, retryable } = error
    return { error: error.name, status, code, nothingWasSent, retryable }
  }
}

function callOf(kestrel: Kestrel, call: string): (...args: unknown[]) => Promise<unknown> {
  const [resource = '', method = ''] = call.split('.')
  const owner = (kestrel as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>)[
    resource
  ]!
  return (...args) => owner[method]!(...args)
}
