// Every sandbox story to its end, through the adapter, HTTP and the bank's own books.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { aRecipient, balanceOf, createPayout, get } from '../support/fixtures.ts'

let test: BankApp
beforeAll(async () => {
  test = await startBankApp()
})
afterAll(() => test.close())

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n

describe('a connected sandbox', () => {
  it('is connected with the bank’s float, and says which rail it drives', async () => {
    const partner = await test.aConnectedPartner()
    expect((await get(test, partner, '/v1/account')).json()).toMatchObject({
      rail: 'provider_sandbox',
      funding_wallet: { currency: 'USDC', chain: 'base', address: expect.stringMatching(/^0x/) },
    })
    expect((await get(test, partner, '/v1/balance')).json()).toMatchObject({ usdc: '10000.00', approx_gbp: '7900.00' })
  })

  it('creates a payout that is processing at the bank, and completes when the bank settles it', async () => {
    const partner = await test.aConnectedPartner()
    const created = await createPayout(test, partner)
    expect(created.statusCode).toBe(201)
    expect(created.json()).toMatchObject({ status: 'processing', wallet_sent_usdc: '32.07' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await test.pass(2_500)
    expect((await get(test, partner, `/v1/payouts/${created.json().id}`)).json().status).toBe('completed')
    const { transfers } = await test.bank.books()
    expect(transfers.filter((each) => each.client_reference_id === created.json().id)).toHaveLength(1)
  })

  it.each([
    { story: 'return', end: 'returned', back: true },
    { story: 'fail', end: 'failed', back: true },
    { story: 'cancel', end: 'cancelled', back: true },
    { story: 'hold', end: 'processing', back: false },
    { story: 'late', end: 'completed', back: false },
  ])('sandbox:$story ends as $end', async ({ story, end, back }) => {
    const partner = await test.aConnectedPartner()
    const created = await createPayout(test, partner, { reference: `sandbox:${story}` })
    expect(created.statusCode).toBe(201)
    expect(created.json().status).toBe(story === 'late' ? 'pending' : 'processing')
    await test.pass(3_000)
    await test.pass(10_000)
    const payout = (await get(test, partner, `/v1/payouts/${created.json().id}`)).json()
    expect(payout.status).toBe(end)
    expect(await balanceOf(test, partner)).toBe(back ? FLOAT : FLOAT - SENT)
  })

  it('creates a failed payout for an account ending 0000, with nothing taken', async () => {
    const partner = await test.aConnectedPartner()
    const created = await createPayout(test, partner, { recipient: aRecipient({ account_number: '12340000' }) })
    expect(created.json()).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining('rejected') })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  })

  it.each([
    { story: 'reject', status: 422, code: 'recipient_account_rejected' },
    { story: 'down', status: 502, code: 'payout_not_created' },
  ])('sandbox:$story answers $status $code and leaves nothing anywhere', async ({ story, status, code }) => {
    const partner = await test.aConnectedPartner()
    const before = (await test.bank.books()).transfers.length
    const reply = await createPayout(test, partner, { reference: `sandbox:${story}` })
    expect(reply.json().error.code).toBe(code)
    expect(reply.statusCode).toBe(status)
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect((await test.bank.books()).transfers).toHaveLength(before)
  })
})
