// Only the holder of a payout's lease may record what the bank said. Whoever was too slow changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import type { SubmitAnswer } from '../../src/rail/port.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, get } from '../support/fixtures.ts'
import { PATIENT } from '../storage/owner.ts'
import { type Instance, type WatchedRail, anotherInstance, firstInstance, pause, watchedRail } from './instances.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, payoutsOf, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'

let test: TestApp
let second: Instance
let rail: WatchedRail
let partner: TestPartner
beforeAll(async () => {
  rail = watchedRail({ now: () => test.clock.now() })
  test = await startTestApp({ rail })
  stopTheClock(test)
  second = await anotherInstance(test)
})
beforeEach(async () => {
  rail.asked.length = 0
  rail.answering = null
  partner = await aPartner(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

/** Long enough for every lease to have ended. */
const A_LEASE = 31_000

/** The bank's answers as the test gives them, in the order in which they are asked for. */
function bankThatWaits() {
  const waiting: ((answer: SubmitAnswer) => void)[] = []
  rail.answering = () => new Promise((resolve) => waiting.push(resolve))
  return {
    hasBeenAsked: async (times: number) => {
      await expect.poll(() => waiting.length, PATIENT).toBe(times)
    },
    answer: (nth: number, answer: SubmitAnswer) => waiting[nth]!(answer),
  }
}

/** A transfer as the simulated bank would know it, on its way for ever. */
const onItsWay = (): SubmitAnswer => ({
  kind: 'accepted',
  transfer: {
    transferRef: `sim_hold_${test.clock.now().getTime()}_${rail.asked[0]}`,
    state: 'submitted',
    refund: 'none',
    reason: null,
    bankState: 'told',
    nextChangeAt: null,
  },
})

const statusOf = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status

/** Every answer that a late holder of the lease could bring. None of them may change anything. */
const LATE_ANSWERS: readonly SubmitAnswer[] = [
  { kind: 'rejected', reason: 'too late' },
  { kind: 'not_sent', reason: 'too late' },
  { kind: 'unknown', reason: 'too late' },
  {
    kind: 'accepted',
    transfer: {
      transferRef: 'another',
      state: 'undeliverable',
      refund: 'done',
      reason: null,
      bankState: 'told',
      nextChangeAt: null,
    },
  },
]

describe('a worker that was away for longer than its lease', () => {
  it.each(LATE_ANSWERS)('records nothing when it comes back with $kind', async (late) => {
    const reply = await firstInstance(test).post(partner, anIdempotencyKey(), { reference: 'sandbox:late' })
    const { id } = reply.json<{ id: string }>()
    const bank = bankThatWaits()
    test.clock.advance(2_000)
    const slow = followPayouts(test.deps)
    await bank.hasBeenAsked(1)
    test.clock.advance(A_LEASE)
    const quick = followPayouts(second.deps)
    await bank.hasBeenAsked(2)
    bank.answer(1, onItsWay())
    await quick
    const before = [await statusOf(id), await walletOf(test, partner), await entriesOf(test, partner)]
    expect(before).toEqual([
      'processing',
      { ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS },
      { credit: 1, hold: 1, capture: 1 },
    ])

    bank.answer(0, late)
    await slow
    expect([await statusOf(id), await walletOf(test, partner), await entriesOf(test, partner)]).toEqual(before)
  })

  it('does not take the payout from whoever has it now: that one records as if nothing had been', async () => {
    const reply = await firstInstance(test).post(partner, anIdempotencyKey(), { reference: 'sandbox:late' })
    const { id } = reply.json<{ id: string }>()
    const bank = bankThatWaits()
    test.clock.advance(2_000)
    const slow = followPayouts(test.deps)
    await bank.hasBeenAsked(1)
    test.clock.advance(A_LEASE)
    const quick = followPayouts(second.deps)
    await bank.hasBeenAsked(2)
    bank.answer(0, { kind: 'rejected', reason: 'too late' })
    await slow
    expect(await statusOf(id)).toBe('pending')
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    bank.answer(1, onItsWay())
    await quick
    expect(await statusOf(id)).toBe('processing')
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1 })
  })
})

describe('a request whose lease ended while the bank was asked', () => {
  it.each(LATE_ANSWERS)('shows what the worker made of it, and $kind changes nothing', async (late) => {
    const bank = bankThatWaits()
    const asking = firstInstance(test).post(partner, anIdempotencyKey())
    await bank.hasBeenAsked(1)
    test.clock.advance(A_LEASE)
    const worker = followPayouts(second.deps)
    await bank.hasBeenAsked(2)
    bank.answer(1, onItsWay())
    await worker
    bank.answer(0, late)
    const reply = await asking
    expect([reply.statusCode, reply.json<{ status: string }>().status]).toEqual([201, 'processing'])
    expect(new Set(rail.asked)).toEqual(new Set([reply.json<{ id: string }>().id]))
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1 })
  })

  it.each([{ own: 'accepted' }, { own: 'not_sent' }] as const)(
    'never says that nothing was sent while somebody else is asking (own answer: $own)',
    async ({ own }) => {
      const bank = bankThatWaits()
      const key = anIdempotencyKey()
      const asking = firstInstance(test).post(partner, key)
      await bank.hasBeenAsked(1)
      test.clock.advance(A_LEASE)
      const worker = followPayouts(second.deps)
      await bank.hasBeenAsked(2)
      // The bank has it, or will have it from the worker's request: in neither case may the caller hear 502.
      bank.answer(0, own === 'accepted' ? onItsWay() : { kind: 'not_sent', reason: 'The bank was shut.' })
      // The caller is answered now, or waits for the worker: both are right.
      await pause(50)
      bank.answer(1, onItsWay())
      await worker
      const reply = await asking
      expect([200, 201, 409]).toContain(reply.statusCode)

      const repeated = await second.post(partner, key)
      expect([repeated.statusCode, repeated.json<{ status: string }>().status]).toEqual([200, 'processing'])
      expect(await payoutsOf(test, partner)).toEqual({ count: 1, visible: 1 })
      expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 1, capture: 1 })
    },
  )

  it('still records when nobody has taken the payout over', async () => {
    const bank = bankThatWaits()
    const asking = firstInstance(test).post(partner, anIdempotencyKey())
    await bank.hasBeenAsked(1)
    test.clock.advance(A_LEASE)
    bank.answer(0, onItsWay())
    expect((await asking).statusCode).toBe(201)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })
})

describe('an outcome under a lease that is not the payout’s', () => {
  it('changes nothing, and gives back the payout as it is', async () => {
    const reply = await firstInstance(test).post(partner, anIdempotencyKey(), { reference: 'sandbox:late' })
    const { id } = reply.json<{ id: string }>()
    const scope = { partnerId: partner.id, environment: 'sandbox' as const }
    const before = await walletOf(test, partner)
    const recorded = await recordOutcomes(
      test.deps,
      scope,
      LATE_ANSWERS.map((answer) => ({
        payoutId: id,
        leaseToken: newId(test.clock.now()),
        answer,
        isFirstHand: false,
      })),
    )
    expect(recorded.map(({ isOurs, row }) => ({ isOurs, status: row.status, sendState: row.sendState }))).toEqual(
      LATE_ANSWERS.map(() => ({ isOurs: false, status: 'pending', sendState: 'unknown' })),
    )
    expect(await walletOf(test, partner)).toEqual(before)
  })
})
