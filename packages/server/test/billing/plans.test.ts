// Prices are data with a day from which they hold, and what was made before that day keeps the old ones.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { parsePence, pence } from '../../src/core/money.ts'
import type { Plan } from '../../src/core/plan.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { listPlans, setPlan } from '../../src/domain/partners/set-plan.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, setBalance } from '../support/fixtures.ts'
import { type LiveBank, aLiveBank, chargesOf, paid } from './live-bank.ts'

let test: TestApp
let bank: LiveBank
let live: TestPartner
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  bank = aLiveBank(() => test.clock.now())
  test = await startTestApp({ liveRail: bank })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})
beforeEach(async () => {
  bank.says = { state: 'settled' }
  test.clock.set('2026-06-10T12:00:00Z')
  live = await inLive(test, await aPartner(test), '1000.00')
})

const DEARER = { payoutFixed: pence(1_99n), networkCost: pence(1_00n), exceptionCost: pence(10_00n) }
const now = { from: null, changes: DEARER }
const owed = async (id: string) =>
  Object.fromEntries(
    (await chargesOf(test, live)).filter(({ cause }) => cause === id).map(({ kind, amount }) => [kind, amount]),
  )

describe('a new plan', () => {
  it('holds from its day in London on, and shows in the account', async () => {
    await setPlan(test.deps, live.slug, {
      from: new Date('2026-06-30T23:00:00Z'),
      changes: { payoutFixed: pence(49n), monthlyAccount: pence(9_00n) },
    })
    const prices = async () => (await get(test, live, '/v1/account')).json().prices
    test.clock.set('2026-06-30T22:59:59Z')
    expect(await prices()).toMatchObject({ payout: '0.99 GBP + 1.00%', monthly_account: '15.00 GBP' })
    test.clock.set('2026-06-30T23:00:00Z')
    expect(await prices()).toMatchObject({ payout: '0.49 GBP + 1.00%', monthly_account: '9.00 GBP' })
  })

  it('leaves what it does not name as it was on that day', async () => {
    await setPlan(test.deps, live.slug, { from: new Date('2026-07-01T00:00:00Z'), changes: { networkCost: pence(3n) } })
    await setPlan(test.deps, live.slug, { from: new Date('2026-08-01T00:00:00Z'), changes: { bankFixed: pence(10n) } })
    const { plans } = await listPlans(test.deps, live.slug)
    expect(plans.map(({ networkCost, bankFixed }) => [networkCost, bankFixed])).toEqual([
      [2n, 20n],
      [3n, 20n],
      [3n, 10n],
    ])
  })

  it('is taken over by plans that begin later, except in what they were made for', async () => {
    const on = (text: string, changes: Partial<Plan>) =>
      setPlan(test.deps, live.slug, { from: new Date(`${text}T00:00:00Z`), changes })
    await on('2026-12-01', { monthlyAccount: pence(9_00n) })
    await on('2027-02-01', { payoutFixed: pence(79n) })
    await setPlan(test.deps, live.slug, {
      from: null,
      changes: { payoutFixed: pence(50n), monthlyAccount: pence(12_00n) },
    })
    const { plans } = await listPlans(test.deps, live.slug)
    expect(plans.map(({ payoutFixed, monthlyAccount }) => [payoutFixed, monthlyAccount])).toEqual([
      [50n, 12_00n],
      [50n, 9_00n],
      [79n, 9_00n],
    ])
  })

  it('loses nothing when two are set at once', async () => {
    const from = new Date('2026-07-01T00:00:00Z')
    await Promise.all([
      setPlan(test.deps, live.slug, { from, changes: { networkCost: pence(3n) } }),
      setPlan(test.deps, live.slug, { from, changes: { bankFixed: pence(10n) } }),
    ])
    const { plans } = await listPlans(test.deps, live.slug)
    expect(plans.at(-1)).toMatchObject({ networkCost: 3n, bankFixed: 10n })
  })

  it.each(['payoutBasisPoints', 'bankBasisPoints', 'networkMarkupBasisPoints', 'exceptionMarkupBasisPoints'])(
    'has no %s above the whole',
    async (name) => {
      const more = { from: null, changes: { [name]: 10_001n } }
      await expect(setPlan(test.deps, live.slug, more)).rejects.toThrow('more than 100.00% is no price')
      expect((await listPlans(test.deps, live.slug)).plans).toHaveLength(1)
    },
  )

  it.each(['payoutFixed', 'monthlyAccount', 'businessVerification', 'networkCost', 'exceptionCost'] as const)(
    'has no %s that could not be billed',
    async (name) => {
      const set = (price: string) =>
        setPlan(test.deps, live.slug, { from: null, changes: { [name]: parsePence(price)! } })
      await expect(set('1000000.01')).rejects.toThrow('More than 1000000.00 GBP is no price')
      expect((await listPlans(test.deps, live.slug)).plans).toHaveLength(1)
      await set('1000000.00')
      test.clock.advance(1_000)
      await setBalance(test, live, '9000000.00')
      const id = await paid(test, live, '20000.00')
      expect((await get(test, live, `/v1/payouts/${id}`)).json().status).toBe('completed')
      test.clock.set('2026-07-01T06:00:00Z')
      await issueInvoices(test.deps, parseMonth('2026-06')!)
      expect((await get(test, live, '/v1/invoices')).json().data).toHaveLength(1)
    },
  )

  it('cannot begin in the past', async () => {
    const yesterday = { from: new Date('2026-06-09T23:00:00Z'), changes: DEARER }
    await expect(setPlan(test.deps, live.slug, yesterday)).rejects.toThrow('A plan begins now or on a day to come')
    expect((await listPlans(test.deps, live.slug)).plans).toHaveLength(1)
  })

  it('never touches a payout that is running', async () => {
    const created = (await createPayout(test, live, { amount_gbp: '25.00' })).json()
    test.clock.advance(1_000)
    await setPlan(test.deps, live.slug, now)
    test.clock.advance(5_000)
    await test.follow()
    expect(await owed(created.id)).toEqual({ payout_fees: '0.91', network_fees: '0.022' })
    const { fee_gbp, wallet_sent_usdc } = (await get(test, live, `/v1/payouts/${created.id}`)).json()
    expect({ fee_gbp, wallet_sent_usdc }).toEqual({ fee_gbp: '1.24', wallet_sent_usdc: created.wallet_sent_usdc })
  })

  it('never touches a payout that has completed, not even when it comes back', async () => {
    const id = await paid(test, live)
    await setPlan(test.deps, live.slug, now)
    bank.says = { state: 'returned', refund: 'done' }
    test.clock.advance(400_000)
    await test.follow()
    expect(await owed(id)).toEqual({ payout_fees: '0.91', network_fees: '0.022', bank_exceptions: '3.00' })
  })

  it('is what the next payout costs', async () => {
    await setPlan(test.deps, live.slug, now)
    test.clock.advance(1_000)
    expect(await owed(await paid(test, live))).toEqual({ payout_fees: '1.91', network_fees: '1.10' })
  })

  it('never touches an invoice that was cut', async () => {
    test.clock.set('2026-07-01T06:00:00Z')
    await issueInvoices(test.deps, parseMonth('2026-06')!)
    const before = (await get(test, live, '/v1/invoices')).json()
    await setPlan(test.deps, live.slug, { from: null, changes: { monthlyAccount: pence(99_00n) } })
    expect((await get(test, live, '/v1/invoices')).json()).toEqual(before)
    expect((await get(test, live, '/v1/usage')).json().invoice_so_far.total_gbp).toBe('99.00')
    expect((await get(test, live, '/v1/usage?month=2026-06')).json().invoice_so_far.total_gbp).toBe('54.00')
  })
})
