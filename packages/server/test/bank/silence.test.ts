// A bank that says nothing for a month. Nothing fails by age alone, nothing is paid twice, and somebody is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { readWalletAccounts } from '../../src/storage/ledger.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const POST = 'POST /v0/transfers'

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
  await test.bank.standStill()
})
afterAll(() => test.close())

/** A payout whose answer was lost; since then the bank says nothing. */
async function anUnansweredPayout(mode: 'reset_before' | 'reset_after'): Promise<string> {
  partner = await test.aConnectedPartner()
  // The recipient is known, so that only the transfer is asked for.
  expect((await createPayout(test, partner)).statusCode).toBe(201)
  await test.bank.control('POST', '/faults', { route: POST, mode })
  const created = await createPayout(test, partner)
  expect(created.json()).toMatchObject({ status: 'pending' })
  await test.bank.control('POST', '/faults', { mode: 'down', times: 1_000_000 })
  return created.json<{ id: string }>().id
}

async function aMonthOfSilence(): Promise<void> {
  for (const milliseconds of [2_000, 10_000, HOUR_MS, 10 * HOUR_MS, 11 * HOUR_MS]) {
    await test.moveClocks(milliseconds)
    await followPayouts(test.deps)
  }
  for (let day = 1; day <= 30; day++) {
    await test.moveClocks(DAY_MS)
    await followPayouts(test.deps)
  }
}

const timesAsked = async (id: string) =>
  (await test.bank.requests(POST)).filter((request) => request.idempotency_key === id).length

const transfersOf = async (id: string) =>
  (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)

async function expectHeld(id: string): Promise<void> {
  expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({
    status: 'pending',
    failure_reason: null,
  })
  expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  const scope = { partnerId: partner.id, environment: 'sandbox' as const }
  expect(await readWalletAccounts(test.deps.db, scope)).toMatchObject({ held: SENT })
}

describe('after a month without a word', () => {
  it('a payout that the bank never had is pending, held, reported, and no longer asked for', async () => {
    const id = await anUnansweredPayout('reset_before')
    const alarms = test.alarms.length
    await aMonthOfSilence()
    await expectHeld(id)
    const asked = await timesAsked(id)
    expect(asked).toBeGreaterThan(2)
    // Back at last: but it has forgotten the key, so asking again might pay again. It is only looked for.
    await test.bank.control('DELETE', '/faults')
    for (let day = 1; day <= 3; day++) await test.pass(DAY_MS)
    expect(await timesAsked(id)).toBe(asked)
    expect(await transfersOf(id)).toEqual([])
    await expectHeld(id)
    expect(test.alarms.slice(alarms)).toContainEqual({
      what: 'a payout is without an answer for longer than the bank remembers',
      about: expect.objectContaining({ payoutId: id, partnerId: partner.id }),
    })
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it('a payout of which nobody could find out anything has raised an alarm while the bank was silent', async () => {
    const id = await anUnansweredPayout('reset_before')
    const alarms = test.alarms.length
    await aMonthOfSilence()
    await expectHeld(id)
    const about = test.alarms.slice(alarms).map((alarm) => alarm.about['payoutId'])
    await test.bank.control('DELETE', '/faults')
    expect(about).toContain(id)
  })

  it.each(['the worker', 'the sweep'])(
    'a payout that the bank had all along is found by %s, and was paid once',
    async (who) => {
      const id = await anUnansweredPayout('reset_after')
      await aMonthOfSilence()
      await expectHeld(id)
      await test.bank.control('DELETE', '/faults')
      await test.moveClocks(DAY_MS)
      if (who === 'the worker') await followPayouts(test.deps)
      else await sweepTransfers(test.deps, 'sandbox')
      expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
      const [transfer, ...more] = await transfersOf(id)
      expect(more).toEqual([])
      await test.bank.control('POST', `/transfers/${transfer?.id}/settle`)
      await sweepTransfers(test.deps, 'sandbox')
      expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'completed' })
      expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
      expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
    },
  )
})

describe('within the time that the bank remembers', () => {
  it('the same request is asked again and again, and pays once', async () => {
    const id = await anUnansweredPayout('reset_before')
    for (const milliseconds of [2_000, 10_000, HOUR_MS, 20 * HOUR_MS]) {
      await test.moveClocks(milliseconds)
      await followPayouts(test.deps)
    }
    expect(await timesAsked(id)).toBe(5)
    await test.bank.control('DELETE', '/faults')
    await test.moveClocks(HOUR_MS)
    await followPayouts(test.deps)
    expect(await transfersOf(id)).toHaveLength(1)
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})
