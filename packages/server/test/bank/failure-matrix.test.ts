// Every way in which asking the bank can go wrong, met at every moment it can be met: on the first try, on a retry
// with the same key, and by the worker. The bank's own books are the judge: one transfer, or none, as promised; never
// a 502 for money that went; never a hold that is lost.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aPayoutBody, anIdempotencyKey, balanceOf, get } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const ROUTE = 'POST /v0/transfers'

/** Whether the bank acted before its answer was lost. */
const WAYS = [
  { mode: 'hang_before', acted: false },
  { mode: 'hang_after', acted: true },
  { mode: 'reset_before', acted: false },
  { mode: 'reset_after', acted: true },
  { mode: '500_before', acted: false },
  { mode: '500_after', acted: true },
  { mode: '429', acted: false },
  { mode: 'malformed_2xx', acted: true },
  { mode: 'truncated', acted: true },
  { mode: 'wrong_amount', acted: true },
  { mode: 'slow', acted: true },
  { mode: 'down', acted: false },
] as const

type Mode = (typeof WAYS)[number]['mode']

let test: BankApp
beforeAll(async () => {
  test = await startBankApp({ totalTimeoutMs: 1_500 })
})
afterAll(() => test.close())

function breakBank(mode: Mode, times = 1): Promise<unknown> {
  const slow = mode === 'slow' ? { ms: 600 } : {}
  const where = mode === 'down' ? {} : { route: ROUTE }
  return test.bank.control('POST', '/faults', { mode, times, ...where, ...slow })
}

function mendBank(): Promise<unknown> {
  return test.bank.control('DELETE', '/faults')
}

async function send(partner: TestPartner, key: string): Promise<{ status: number; id: string | undefined }> {
  const reply = await test.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
    payload: aPayoutBody(),
  })
  return { status: reply.statusCode, id: reply.json<{ id?: string }>().id }
}

/** A partner that has paid the recipient before, so that only the transfer itself is asked for. */
async function aKnownPartner(): Promise<TestPartner> {
  const partner = await test.aConnectedPartner()
  expect((await send(partner, anIdempotencyKey())).status).toBe(201)
  return partner
}

async function transfersOf(partner: TestPartner): Promise<number> {
  const { wallets, transfers } = await test.bank.books()
  const customer = (
    await test.owner.query<{ customer: string }>(
      {
        name: '',
        text: `select customer_ref as customer from wallets where partner_id = $1 and environment = 'sandbox'`,
      },
      [partner.id],
    )
  )[0]?.customer
  expect(wallets.some((wallet) => wallet.customer_id === customer)).toBe(true)
  // Without the payout that registered the recipient.
  return transfers.filter((each) => (each as { customer_id?: string }).customer_id === customer).length - 1
}

async function statusOf(partner: TestPartner, id: string | undefined): Promise<string | undefined> {
  return id === undefined ? undefined : (await get(test, partner, `/v1/payouts/${id}`)).json().status
}

/** Lets everything come to rest: the worker asks until it knows. */
async function settle(): Promise<void> {
  await mendBank()
  for (let round = 0; round < 4; round++) await test.pass(10_000)
}

describe.each(WAYS)('a bank that fails with $mode', ({ mode, acted }) => {
  it('on the first try: 502 only if nothing was sent, else a payout that ends as one transfer', async () => {
    const partner = await aKnownPartner()
    await breakBank(mode)
    const first = await send(partner, anIdempotencyKey())
    // What the bank may have acted on is never answered with 502.
    expect(acted ? [201] : [201, 502]).toContain(first.status)
    const promised =
      first.status === 201
        ? { transfers: 1, status: 'completed', balance: FLOAT - 2n * SENT }
        : { transfers: 0, status: undefined, balance: FLOAT - SENT }
    expect(await balanceOf(test, partner)).toBe(promised.balance)
    await settle()
    expect(await transfersOf(partner)).toBe(promised.transfers)
    expect(await statusOf(partner, first.id)).toBe(promised.status)
    expect(await balanceOf(test, partner)).toBe(promised.balance)
  })

  it('on a retry with the same key: still one transfer, and the same payout', async () => {
    const partner = await aKnownPartner()
    const key = anIdempotencyKey()
    await breakBank(mode, 2)
    const first = await send(partner, key)
    const second = await send(partner, key)
    await mendBank()
    const third = await send(partner, key)
    expect([200, 201]).toContain(third.status)
    expect([first, second].map((earlier) => earlier.id ?? third.id)).toEqual([third.id, third.id])
    await settle()
    expect(await transfersOf(partner)).toBe(1)
    expect(await statusOf(partner, third.id)).toBe('completed')
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('while the worker asks again: still one transfer, and nothing is given up', async () => {
    const partner = await aKnownPartner()
    await breakBank('reset_before')
    const first = await send(partner, anIdempotencyKey())
    expect(first.status).toBe(201)
    await breakBank(mode, 2)
    await test.pass(2_000).catch(() => undefined)
    await test.pass(4_000).catch(() => undefined)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    expect(['pending', 'processing', 'completed']).toContain(await statusOf(partner, first.id))
    await settle()
    expect(await transfersOf(partner)).toBe(1)
    expect(await statusOf(partner, first.id)).toBe('completed')
  })
})
