// One key, many requests at once, in one process and in two: one payout, one request to the bank, one debit.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, anIdempotencyKey } from '../support/fixtures.ts'
import {
  type Instance,
  type WatchedRail,
  anotherInstance,
  firstInstance,
  idsOf,
  pause,
  tally,
  watchedRail,
} from './instances.ts'
import { FLOAT, SENDS, UNTOUCHED, entriesOf, payoutsOf, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'

let test: TestApp
let rail: WatchedRail
let second: Instance
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

const SETUPS = [
  { where: 'in one process', instances: () => [firstInstance(test)] },
  { where: 'in two processes', instances: () => [firstInstance(test), second] },
]

/** The same request this many times at once, dealt out to the instances in turn. */
function atOnce(instances: readonly Instance[], count: number, key: string, body = {}) {
  return Promise.all(
    Array.from({ length: count }, (_, index) => instances[index % instances.length]!.post(partner, key, body)),
  )
}

describe.each(SETUPS)('twenty identical requests at once, $where', ({ instances }) => {
  it('make one payout: one is answered 201, the others 200 with the same id, and the bank is asked once', async () => {
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(idsOf(replies)).toHaveLength(1)
    expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === 'true')).toHaveLength(19)
    expect(rail.asked).toEqual(idsOf(replies))
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    expect(await payoutsOf(test, partner)).toEqual({ count: 1, visible: 1 })
  })

  it('wait for a bank that takes 50 ms, and are all answered', async () => {
    rail.answering = async (request) => {
      await pause(50)
      return { kind: 'accepted', transfer: accepted(request.clientReference) }
    }
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(rail.asked).toEqual(idsOf(replies))
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })

  it('are each told 502 by a bank that takes nothing, one after another, and nothing stays held', async () => {
    rail.answering = async () => {
      await pause(5)
      return { kind: 'not_sent', reason: 'The bank is shut.' }
    }
    const key = anIdempotencyKey()
    const replies = await atOnce(instances(), 20, key)
    expect(tally(replies)).toEqual({ 502: 20 })
    expect(new Set(replies.map((reply) => reply.json().error.code))).toEqual(new Set(['payout_not_created']))
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    expect(await payoutsOf(test, partner)).toEqual({ count: 1, visible: 0 })
    // The payout that was not created is asked for under one id, whoever asks.
    expect(new Set(rail.asked).size).toBe(1)
    expect(await entriesOf(test, partner)).toEqual({ credit: 1, hold: 20, release: 20 })

    rail.answering = null
    const again = await firstInstance(test).post(partner, key)
    expect(again.statusCode).toBe(201)
    expect(again.json().id).toBe(rail.asked[0])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })

  it('go on when the first of them fails while the others wait: the next one makes the payout', async () => {
    rail.answering = async (request, nth) => {
      await pause(50)
      if (nth === 1) return { kind: 'not_sent', reason: 'The bank is shut.' }
      return { kind: 'accepted', transfer: accepted(request.clientReference) }
    }
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 502: 1, 201: 1, 200: 18 })
    const created = replies.filter((reply) => reply.statusCode !== 502)
    expect(idsOf(created)).toHaveLength(1)
    expect(rail.asked).toEqual([...idsOf(created), ...idsOf(created)])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })

  it('make one pending payout when the bank does not say, and its money stays held', async () => {
    rail.answering = async () => {
      await pause(20)
      return { kind: 'unknown', reason: 'The bank did not answer.' }
    }
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(new Set(replies.map((reply) => reply.json().status))).toEqual(new Set(['pending']))
    expect(rail.asked).toEqual(idsOf(replies))
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    rail.answering = null
    test.clock.advance(3_000)
    await test.follow()
  })

  it('make one pending payout when the adapter breaks, which proves nothing either', async () => {
    rail.answering = async () => {
      await pause(20)
      throw new Error('socket hang up')
    }
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(new Set(replies.map((reply) => reply.json().status))).toEqual(new Set(['pending']))
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, held: SENDS })
    rail.answering = null
    test.clock.advance(3_000)
    await test.follow()
  })

  it('are each told 422 by a bank that refuses the account, and nothing stays held', async () => {
    rail.answering = async () => {
      await pause(5)
      return { kind: 'rejected', reason: 'No such account.' }
    }
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 422: 20 })
    expect(new Set(replies.map((reply) => reply.json().error.code))).toEqual(new Set(['recipient_account_rejected']))
    expect(await walletOf(test, partner)).toEqual(UNTOUCHED)
    expect((await payoutsOf(test, partner)).visible).toBe(0)
  })

  it('are each told 402 by an empty wallet, the bank is not asked, and the key stays free', async () => {
    partner = await aPartner(test, { usdc: '32.06' })
    const key = anIdempotencyKey()
    const replies = await atOnce(instances(), 20, key)
    expect(tally(replies)).toEqual({ 402: 20 })
    expect(rail.asked).toEqual([])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: 32_060_000n })
    expect(await payoutsOf(test, partner)).toEqual({ count: 0, visible: 0 })
  })

  it('are paid once from a wallet that has enough for one', async () => {
    partner = await aPartner(test, { usdc: '32.07' })
    const replies = await atOnce(instances(), 20, anIdempotencyKey())
    expect(tally(replies)).toEqual({ 201: 1, 200: 19 })
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: 0n, in_transit: SENDS })
  })
})

describe.each(SETUPS)('twenty different requests at once with one key, $where', ({ instances }) => {
  it('make one payout, and the others are told that the key is another’s and which field differs', async () => {
    const key = anIdempotencyKey()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const recipient = aRecipient({ account_number: String(20_000_001 + index) })
        return instances()[index % instances().length]!.post(partner, key, { recipient })
      }),
    )
    expect(tally(replies)).toEqual({ 201: 1, 422: 19 })
    const created = replies.find((reply) => reply.statusCode === 201)!
    for (const reply of replies.filter((each) => each.statusCode === 422)) {
      expect(reply.json().error).toMatchObject({
        code: 'idempotency_key_reused',
        details: { payout_id: created.json().id, fields: ['recipient.bank.account_number'] },
      })
    }
    expect(rail.asked).toEqual([created.json().id])
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
  })
})

describe('thirty-three repeats at once while the first request is with the bank', () => {
  it('are one too many: one is told 409 at once, thirty-two wait and are answered, and one payout is made', async () => {
    let answer!: () => void
    const answered = new Promise<void>((resolve) => (answer = resolve))
    rail.answering = async (request) => {
      await answered
      return { kind: 'accepted', transfer: accepted(request.clientReference) }
    }
    const key = anIdempotencyKey()
    const first = firstInstance(test).post(partner, key)
    await vi.waitFor(() => expect(rail.asked).toHaveLength(1), { timeout: 10_000 })
    const repeats = Array.from({ length: 33 }, () => firstInstance(test).post(partner, key))
    // The bank has not answered, so whoever is answered now did not wait for it.
    const refused = await Promise.race(repeats)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'idempotency_key_in_progress'])
    expect(refused.headers['retry-after']).toBe('1')
    answer()
    const replies = await Promise.all([first, ...repeats])
    expect(tally(replies)).toEqual({ 201: 1, 200: 32, 409: 1 })
    expect(rail.asked).toHaveLength(1)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    // Nobody waits any more, so the key has its thirty-two places back.
    expect(tally(await atOnce([firstInstance(test)], 40, key))).toEqual({ 200: 40 })
  })
})

describe('a storm of repeats', () => {
  it('over two processes, 40 keys twenty times each, makes 40 payouts and no failure', async ({ task }) => {
    rail.answering = async (request) => {
      await pause(10)
      return { kind: 'accepted', transfer: accepted(request.clientReference) }
    }
    const keys = Array.from({ length: 40 }, anIdempotencyKey)
    const instances = [firstInstance(test), second]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, round) =>
        keys.map((key, index) => instances[(round + index) % 2]!.post(partner, key)),
      ).flat(),
    )
    task.meta.cases = replies.length
    expect(tally(replies)).toEqual({ 201: 40, 200: 760 })
    expect(idsOf(replies)).toHaveLength(40)
    expect(rail.asked).toHaveLength(40)
    expect(new Set(rail.asked).size).toBe(40)
    const sent = SENDS * 40n
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: FLOAT - sent, in_transit: sent })
  })

  it('by two partners and in the order of nobody keeps the partners apart', async () => {
    const other = await aPartner(test)
    const key = anIdempotencyKey()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => firstInstance(test).post(index % 2 === 0 ? partner : other, key)),
    )
    expect(tally(replies)).toEqual({ 201: 2, 200: 18 })
    expect(idsOf(replies)).toHaveLength(2)
    for (const each of [partner, other]) {
      expect(await walletOf(test, each)).toEqual({ ...UNTOUCHED, available: FLOAT - SENDS, in_transit: SENDS })
    }
  })
})

/** A transfer that is on its way and stays so, as far as the simulated bank is asked about it. */
function accepted(id: string) {
  const transferRef = `sim_hold_${Date.now()}_${id}`
  return {
    transferRef,
    state: 'submitted',
    refund: 'none',
    reason: null,
    bankState: 'told',
    nextChangeAt: null,
  } as const
}
