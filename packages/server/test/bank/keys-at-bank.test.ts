// The bank's keys: one per payout and attempt, the same bytes under one key for as long as it may be repeated, and a new
// attempt only when the last one is proven to have made nothing. With a bank that binds refusals to keys, and one that does not.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, anIdempotencyKey, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const FLOAT = 10_000_000_000n
const [SENT, SENT_AT_81] = [32_070_000n, 31_280_000n]
const POST = 'POST /v0/transfers'
const RATE_LIVES_MS = 31_000

let test: BankApp
let lying: LyingBank
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
beforeEach(async () => {
  partner = await test.aConnectedPartner()
  await createPayout(test, partner)
})
afterEach(async () => {
  lying.refuse(null)
  lying.tellTheTruth()
  await test.bank.control('DELETE', '/faults')
  await test.bank.control('DELETE', '/readings')
  await rate('0.79')
})

const rate = async (to: string) => {
  await test.bank.control('POST', '/rate', { rate: to })
  await test.moveClocks(RATE_LIVES_MS)
}
const fault = (mode: string, more: object = {}) => test.bank.control('POST', '/faults', { route: POST, mode, ...more })
const pay = (key: string, at: Pick<BankApp, 'request'> = test) =>
  createPayout(at as BankApp, partner, {}, { 'idempotency-key': key })
const idOf = async (key: string) =>
  (await sql<{ id: string }>(test, 'select id from payouts where idempotency_key = $1', [key]))[0]!.id
const orders = (id: string) => lying.wire.filter(({ key }) => key === id || key?.startsWith(`${id}:`) === true)
const made = async (id: string) => (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)

/** Every order of one key was the same to the byte, and there was one transfer unless said otherwise. */
async function expectSameBytes(id: string, keys: readonly string[], transfers = 1): Promise<void> {
  const seen = orders(id)
  expect([...new Set(seen.map(({ key }) => key))]).toEqual(keys)
  for (const key of keys) expect(new Set(seen.filter((each) => each.key === key).map(({ body }) => body)).size).toBe(1)
  expect(
    new Set(seen.map(({ body }) => (JSON.parse(body) as { client_reference_id: string }).client_reference_id)),
  ).toEqual(new Set([id]))
  expect(await made(id)).toHaveLength(transfers)
}

describe.each([{ refusals_bind_keys: true }, { refusals_bind_keys: false }])('with a bank where %j', (reading) => {
  beforeEach(() => test.bank.control('POST', '/readings', reading))

  it('a retry after a refusal is sent under a new key, and not as another body under the old one', async () => {
    const key = anIdempotencyKey()
    // The bank's rate has moved since it was asked for it: it refuses what no longer buys the pounds.
    lying.lieAbout('/exchange_rates', ([rates]) => [{ ...rates, sell_rate: '0.79' }])
    await rate('0.70')
    expect((await pay(key)).statusCode).toBe(502)
    lying.tellTheTruth()
    const id = await idOf(key)
    await rate('0.81')
    const again = await pay(key)
    expect([again.statusCode, again.json()]).toMatchObject([201, { id, status: 'processing' }])
    const keys = orders(id).map((each) => each.key)
    expect(keys).toHaveLength(2)
    expect([keys[0], keys[1] === id]).toEqual([id, false])
    await expectSameBytes(id, keys as string[])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - SENT_AT_81)
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - SENT - SENT_AT_81)
  })

  it('a payout in doubt is repeated to the byte, in another process, at another rate, however often', async () => {
    const key = anIdempotencyKey()
    await fault('500_before', { times: 4 })
    expect((await pay(key)).json()).toMatchObject({ status: 'pending' })
    const id = await idOf(key)
    await rate('0.81')
    const other = await test.anotherInstance()
    for (const each of [test, other, test]) {
      await test.moveClocks(10 * 60_000)
      while ((await followPayouts(each.deps)) > 0);
    }
    expect(orders(id).length).toBeGreaterThanOrEqual(3)
    await test.bank.control('DELETE', '/faults')
    await test.moveClocks(10 * 60_000)
    while ((await followPayouts(other.deps)) > 0);
    await expectSameBytes(id, [id])
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})

describe('a request that the bank turned away at its door', () => {
  it('is repeated to the byte under its key while the rate is the same', async () => {
    const key = anIdempotencyKey()
    await fault('429')
    expect((await pay(key)).statusCode).toBe(502)
    expect((await pay(key)).statusCode).toBe(201)
    const id = await idOf(key)
    expect(orders(id)).toHaveLength(2)
    await expectSameBytes(id, [id])
  })

  it('is another attempt at another rate, and never another body under its key', async () => {
    const key = anIdempotencyKey()
    await fault('429')
    expect((await pay(key)).statusCode).toBe(502)
    await rate('0.81')
    expect((await pay(key)).statusCode).toBe(201)
    const id = await idOf(key)
    await expectSameBytes(id, [id, `${id}:2`])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - SENT_AT_81)
  })

  it('and made all the same is found before another attempt is sent', async () => {
    const key = anIdempotencyKey()
    // The gateway answers 429 for an order that the bank has carried out.
    lying.refuse(({ method, path }) =>
      method === 'POST' && path === '/transfers' ? { status: 429, isAfter: true } : null,
    )
    expect((await pay(key)).statusCode).toBe(502)
    lying.refuse(null)
    const id = await idOf(key)
    await rate('0.81')
    const again = await pay(key)
    expect([again.statusCode, again.json()]).toMatchObject([201, { id, status: 'processing' }])
    expect([orders(id).length, (await made(id)).length]).toEqual([1, 1])
    expect(await balanceAtBank(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})

describe('answers about keys', () => {
  it('leave a payout in doubt whatever their code says, and give nothing back', async () => {
    const key = anIdempotencyKey()
    await fault('500_before')
    await pay(key)
    const id = await idOf(key)
    // The bank has the key with another request, as a restored database would have used it.
    await test.bank.query(
      `insert into idempotency_keys (api_key_hash, key, fingerprint, status, body, created_at)
       select api_key_hash, $1, fingerprint, 201, '{}', now() from idempotency_keys limit 1`,
      [id],
    )
    await test.moveClocks(2_000)
    while ((await followPayouts(test.deps)) > 0);
    expect(orders(id).length).toBeGreaterThanOrEqual(2)
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'pending' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    expect(await made(id)).toEqual([])
  })

  it.each([true, false])('that they are too old leave the order to the bank’s list (made: %s)', async (isMade) => {
    await sweepTransfers(test.deps, 'sandbox')
    const key = anIdempotencyKey()
    await fault(isMade ? 'reset_after' : 'reset_before')
    expect((await pay(key)).json()).toMatchObject({ status: 'pending' })
    const id = await idOf(key)
    // The bank's day is over, and ours is not: it repeats no answer under this key any more.
    await test.bank.query(
      isMade
        ? `update idempotency_keys set created_at = created_at - interval '2 days' where key = $1`
        : `insert into idempotency_keys (api_key_hash, key, fingerprint, status, body, created_at)
           select api_key_hash, $1, fingerprint, 201, '{}', now() - interval '2 days' from idempotency_keys limit 1`,
      [id],
    )
    for (let round = 0; round < 3; round++) {
      await test.moveClocks(30 * 60_000)
      while ((await followPayouts(test.deps)) > 0);
    }
    await expectSameBytes(id, [id], isMade ? 1 : 0)
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'pending' })
    await sweepTransfers(test.deps, 'sandbox')
    const status = isMade ? 'processing' : 'pending'
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})
