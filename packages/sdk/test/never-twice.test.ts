// Many payouts over a connection that loses three answers in ten: each is made once, and the sum is right.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { Kestrel, type Money, OutcomeUnknownError, gbp, hundredths } from '../src/index.ts'
import { sql } from '../../server/test/support/fixtures.ts'
import { BODY, type SdkService, startSdkService } from './support/service.ts'

const PAYOUTS = Number(process.env['SDK_PAYOUTS'] ?? 150)
const AT_ONCE = 10

let service: SdkService
beforeAll(async () => {
  service = await startSdkService('1000000.00')
})
afterAll(() => service.close())

it('a payout is made exactly once per key, though three answers in ten are lost after the service has acted', async () => {
  // By a sequence, and not by chance: a run that fails can be repeated.
  let requests = 0
  service.proxy.onEach(() => (((requests += 1) * 7) % 10 < 3 ? 'lost_answer' : 'none'))
  const kestrel = service.client({ maxRetries: 2 })
  const amounts = Array.from({ length: PAYOUTS }, (_, index) => gbp(BigInt(100 + index)))
  const waiting = [...amounts.entries()]
  let unknown = 0
  const paid = new Map<string, Money>()
  async function payOn(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [order, amount] = next
      try {
        const key = { idempotencyKey: Kestrel.keyFor('order', order) }
        const payout = await kestrel.payouts.create({ ...BODY, amount_gbp: amount }, key)
        paid.set(payout.id, payout.amount_gbp)
      } catch (error) {
        // What the error says is to be done: the same again, with the same key.
        if (!(error instanceof OutcomeUnknownError) || error.idempotencyKey !== Kestrel.keyFor('order', order))
          throw error
        unknown += 1
        waiting.push(next)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, payOn))

  const sum = (all: Iterable<Money>) => [...all].reduce((total, amount) => total + hundredths(amount), 0n)
  expect(paid.size).toBe(PAYOUTS)
  expect(sum(paid.values())).toBe(sum(amounts))
  const [row] = await sql<{ payouts: string; pence: string }>(
    service.test,
    'select count(*) as payouts, sum(amount_pence) as pence from payouts where partner_id = $1',
    [service.partner.id],
  )
  expect({ payouts: Number(row?.payouts), pence: BigInt(row?.pence ?? 0) }).toEqual({
    payouts: PAYOUTS,
    pence: sum(amounts),
  })
  expect(service.proxy.heard.length).toBeGreaterThan(PAYOUTS * 1.3)
  expect(unknown).toBeLessThan(PAYOUTS)
})
