// Many payouts at once for less money than they need: the wallet is spent to the last cent and never below nothing.
import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, anIdempotencyKey } from '../support/fixtures.ts'
import { type Instance, anotherInstance, firstInstance, idsOf, tally } from './instances.ts'
import { SENDS, UNTOUCHED, entriesOf, payoutsOf, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`wallet-spent-twice.test.ts seed=${SEED}\n`)

/** A small generator of numbers that a seed repeats. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

let test: TestApp
let second: Instance
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  second = await anotherInstance(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

const SETUPS = [
  { where: 'in one process', instances: () => [firstInstance(test)] },
  { where: 'in two processes', instances: () => [firstInstance(test), second] },
]

describe.each(SETUPS)('400 payouts at once from a wallet that covers exactly 50, $where', ({ instances }) => {
  it.each([1, 2, 3])('are paid 50 times and refused 350 times (round %i)', async () => {
    // 50 times 32.07
    const partner = await aPartner(test, { usdc: '1603.50' })
    const over = new AbortController()
    let lowest = 10n ** 18n
    const watching = (async () => {
      while (!over.signal.aborted) {
        const { available } = await walletOf(test, partner)
        if (available! < lowest) lowest = available!
      }
    })()
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        instances()[index % instances().length]!.post(partner, anIdempotencyKey()),
      ),
    )
    over.abort()
    await watching

    expect(tally(replies)).toEqual({ 201: 50, 402: 350 })
    expect(idsOf(replies.filter((reply) => reply.statusCode === 201))).toHaveLength(50)
    expect(lowest).toBeGreaterThanOrEqual(0n)
    expect(await walletOf(test, partner)).toEqual({ ...UNTOUCHED, available: 0n, in_transit: 50n * SENDS })
    expect(await payoutsOf(test, partner)).toEqual({ count: 50, visible: 50 })
    // The float, the test's own correction of it, and 50 of each step.
    expect(await entriesOf(test, partner)).toEqual({ credit: 2, hold: 50, capture: 50 })
  })
})

describe('payouts of many sizes at once', () => {
  it('never take more than there is, whatever the mix, and every refusal moved nothing', async ({ task }) => {
    const draw = numbersFrom(SEED)
    const partner = await aPartner(test, { usdc: '500.00' })
    const amounts = Array.from({ length: 200 }, () => `${1 + draw(60)}.${String(draw(100)).padStart(2, '0')}`)
    const instances = [firstInstance(test), second]
    const replies = await Promise.all(
      amounts.map((amount_gbp, index) => instances[index % 2]!.post(partner, anIdempotencyKey(), { amount_gbp })),
    )
    const paid = replies.filter((reply) => reply.statusCode === 201)
    task.meta.cases = replies.length
    expect(replies.filter((reply) => reply.statusCode !== 201 && reply.statusCode !== 402)).toEqual([])
    expect(paid.length).toBeGreaterThan(0)
    const sent = paid.reduce(
      (sum, reply) => sum + cents(reply.json<{ wallet_sent_usdc: string }>().wallet_sent_usdc),
      0n,
    )
    const wallet = await walletOf(test, partner)
    expect(wallet).toEqual({ ...UNTOUCHED, available: 500_000_000n - sent * 10_000n, in_transit: sent * 10_000n })
    // A payout that was refused needed more than the wallet has left.
    for (const reply of replies.filter((each) => each.statusCode === 402)) {
      const { wallet_sends_usdc } = reply.json<{ error: { details: { wallet_sends_usdc: string } } }>().error.details
      expect(cents(wallet_sends_usdc) * 10_000n).toBeGreaterThan(wallet['available']!)
    }
  })
})

function cents(text: string): bigint {
  return BigInt(text.replace('.', ''))
}
