// A worker that is slow, because the bank is or because its machine stood still: it keeps what it is at work on, and sends nothing for a
// payout that another has taken over.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { LEASE_MS, MOST_RENEWALS, RENEWED_EVERY_MS } from '../../src/domain/payouts/follow/kept-leases.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { TestApp } from '../support/app.ts'
import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, anIdempotencyKey, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const RATE = 'GET /v0/exchange_rates'
const POST = 'POST /v0/transfers'
const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const [TOO_LOW, USUAL] = ['0.60', '0.79']

let test: BankApp
let other: TestApp
beforeAll(async () => {
  test = await startBankApp()
  await test.bank.standStill()
  other = await test.anotherInstance()
})
afterAll(() => test.close())
beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  openAll()
})

const rate = (value: string) => test.bank.control('POST', '/rate', { rate: value })
const transfersOf = async (id: string) =>
  (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)
const statusOf = async (partner: TestPartner, id: string) =>
  (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status

interface Doubt {
  readonly partner: TestPartner
  readonly id: string
}

/** Refused once before it was made, so that the list is read before it is sent again; then made, and left without an answer. */
async function aRefusedPayoutInDoubt(): Promise<Doubt> {
  await rate(USUAL)
  const partner = await test.aConnectedPartner()
  const settled = (await createPayout(test, partner)).json<{ id: string }>().id
  await test.bank.control('POST', `/transfers/${(await transfersOf(settled))[0]!.id}/submit`)
  await sweepTransfers(test.deps, 'sandbox')
  const key = { 'idempotency-key': anIdempotencyKey() }
  await rate(TOO_LOW)
  await test.moveClocks(1_000)
  await test.bank.control('POST', '/faults', { route: RATE, mode: '500_before', times: 1 })
  await createPayout(test, partner, {}, key)
  await rate(USUAL)
  await test.moveClocks(31_000)
  await test.bank.control('POST', '/faults', { route: POST, mode: 'reset_before', times: 1 })
  const created = await createPayout(test, partner, {}, key)
  await rate(TOO_LOW)
  await test.moveClocks(2_000)
  await followPayouts(test.deps)
  await test.moveClocks(70 * 60_000)
  return { partner, id: created.json<{ id: string }>().id }
}

interface Gate {
  /** Resolves when somebody reads the list. */
  readonly reached: Promise<void>
  readonly open: () => void
}

/** A test that fails leaves no list closed to the next. */
let openAll = () => {}

/** The bank's list, as one worker sees it, is there once the gate is opened. */
function slowList(app: TestApp): Gate {
  const [reached, opened] = [aSignal(), aSignal()]
  const real = app.deps.rails.provider_sandbox
  const findTransfers: PayoutRail['findTransfers'] = async (sought) => {
    const found = await real.findTransfers(sought)
    reached.give()
    await opened.given
    return found
  }
  Object.assign(app.deps.rails, { provider_sandbox: { ...real, findTransfers } })
  openAll = () => {
    Object.assign(app.deps.rails, { provider_sandbox: real })
    opened.give()
  }
  return { reached: reached.given, open: openAll }
}

function aSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}

/** As much time as passes between two renewals, the next of which is written down. */
async function passARenewal(id: string): Promise<void> {
  await test.moveClocks(RENEWED_EVERY_MS)
  await vi.advanceTimersByTimeAsync(RENEWED_EVERY_MS)
  const now = test.clock.now().getTime()
  await vi.waitFor(
    async () => {
      const [lease] = await sql<{ until: Date }>(
        test,
        'select lease_until as until from payout_follow_ups where payout_id = $1',
        [id],
      )
      expect(lease!.until.getTime()).toBeGreaterThan(now + LEASE_MS - RENEWED_EVERY_MS)
    },
    { timeout: 5_000, interval: 5 },
  )
}

describe('a worker that reads the bank’s list for longer than a lease lasts', () => {
  it('keeps the payout from another worker, and records what it has found', async () => {
    const { partner, id } = await aRefusedPayoutInDoubt()
    const gate = slowList(test)
    const looking = followPayouts(test.deps)
    await gate.reached
    const theirs = vi.spyOn(other.deps.rails.provider_sandbox, 'findTransfers')
    for (let renewal = 0; renewal < 5; renewal++) {
      await passARenewal(id)
      await followPayouts(other.deps)
    }
    expect(theirs).not.toHaveBeenCalled()
    gate.open()
    await looking
    expect(await statusOf(partner, id)).toBe('failed')
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('does so for ten minutes, and no longer', async () => {
    const { partner, id } = await aRefusedPayoutInDoubt()
    const gate = slowList(test)
    const looking = followPayouts(test.deps)
    await gate.reached
    const theirs = vi.spyOn(other.deps.rails.provider_sandbox, 'findTransfers')
    for (let renewal = 0; renewal < MOST_RENEWALS; renewal++) await passARenewal(id)
    await followPayouts(other.deps)
    expect(theirs).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS)
    await test.moveClocks(LEASE_MS)
    await followPayouts(other.deps)
    expect(theirs).toHaveBeenCalled()
    gate.open()
    await looking
    expect(await statusOf(partner, id)).toBe('failed')
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })
})

describe('a worker that stood still for longer than a lease lasts', () => {
  afterEach(async () => void (await test.bank.control('DELETE', '/readings')))

  it.each([true, false])(
    'sends nothing for a payout that another has ended meanwhile, where refusals bind keys: %s',
    async (binds) => {
      await test.bank.control('POST', '/readings', { refusals_bind_keys: binds })
      const { partner, id } = await aRefusedPayoutInDoubt()
      const gate = slowList(test)
      const late = followPayouts(test.deps)
      await gate.reached
      await test.moveClocks(31_000)
      await followPayouts(other.deps)
      expect(await statusOf(partner, id)).toBe('failed')
      // The bank would take it now.
      await rate(USUAL)
      gate.open()
      await late
      expect(await transfersOf(id)).toEqual([])
      expect(await statusOf(partner, id)).toBe('failed')
      expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
      expect(await balanceAtBank(test, partner)).toBe(FLOAT - SENT)
    },
  )
})
