// A bank that is busy (429), and says for how long or does not: payouts are created, stopped and followed no sooner than it
// asks, and nothing moves meanwhile. What it asks for is bounded.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aRecipient, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const SENT = 32_070_000n
const POST = 'POST /v0/transfers'
const GET = 'GET /v0/transfers/{transferId}'
const DELETE = 'DELETE /v0/transfers/{transferId}'
const RECIPIENTS = 'POST /v0/customers/{customerId}/external_accounts'
const RATES = 'GET /v0/exchange_rates'

const WAITS: readonly [string, number | string | null, number][] = [
  ['not how long', null, 0],
  ['a second', 1, 1],
  ['half a minute', 30, 30],
  ['a date that is far', 'Thu, 01 Jan 2099 00:00:00 GMT', 300],
  ['a date that is over', 'Thu, 01 Jan 1998 00:00:00 GMT', 0],
  ['more than anybody waits', '99999999999999', 300],
  ['nonsense', 'in a while', 0],
]

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
  await test.bank.standStill()
  partner = await test.aConnectedPartner()
})
afterAll(() => test.close())
afterEach(() => test.bank.control('DELETE', '/faults'))

const busy = (route: string, retry_after: number | string | null, times = 1) =>
  test.bank.control('POST', '/faults', { route, mode: '429', retry_after, times })
const transferOf = async (id: string) =>
  (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)
const statusOf = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status

/** How many seconds after a moment the payout is looked at. */
async function dueAfter(moment: Date, id: string): Promise<number> {
  const text = 'select next_check_at as at from payout_follow_ups where payout_id = $1'
  const [row] = await sql<{ at: Date }>(test, text, [id])
  return Math.round((row!.at.getTime() - moment.getTime()) / 1_000)
}

describe.each(WAITS)('a bank that is busy and says %s', (_says, header, seconds) => {
  it.each([
    ['the payment', POST, {}],
    ['the recipient', RECIPIENTS, { recipient: 'new' }],
  ])(
    'when it is asked for %s is asked again by the partner, no sooner',
    async (_what, route, { recipient }: { recipient?: string }) => {
      const before = await balanceOf(test, partner)
      const account = recipient === undefined ? {} : { recipient: aRecipient({ account_number: aNumber() }) }
      await busy(route, header)
      const key = `busy-${aNumber()}`
      const reply = await createPayout(test, partner, account, { 'idempotency-key': key })
      expect([reply.statusCode, reply.json().error.code]).toEqual([502, 'payout_not_created'])
      expect(reply.headers['retry-after']).toBe(String(Math.max(5, seconds)))
      expect(await balanceOf(test, partner)).toBe(before)
      const again = await createPayout(test, partner, account, { 'idempotency-key': key })
      expect(again.statusCode).toBe(201)
      expect(await transferOf(again.json<{ id: string }>().id)).toHaveLength(1)
      expect(await balanceOf(test, partner)).toBe(before - SENT)
    },
  )
})

describe.each(WAITS.filter(([, header]) => header !== 1 && header !== 'in a while'))(
  'a bank that is busy and says %s',
  (_says, header, seconds) => {
    it('when a payout is to be stopped stops nothing, and the partner is told when to ask again', async () => {
      const { id } = (await createPayout(test, partner)).json<{ id: string }>()
      await busy(DELETE, header)
      const before = await balanceOf(test, partner)
      const headers = { authorization: `Bearer ${partner.key}` }
      const reply = await test.request({ method: 'POST', url: `/v1/payouts/${id}/cancel`, headers })
      expect(reply.json().error.code).toBe('bank_unavailable')
      expect(reply.headers['retry-after']).toBe(String(Math.max(2, seconds)))
      expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['processing', before])
    })

    it('when payouts are followed is asked about them no sooner', async () => {
      const { id } = (await createPayout(test, partner)).json<{ id: string }>()
      const [transfer] = await transferOf(id)
      await test.bank.control('POST', `/transfers/${transfer!.id}/settle`)
      await sql(
        test,
        `update payout_follow_ups set next_check_at = next_check_at + interval '1 year' where payout_id <> $1`,
        [id],
      )
      await test.moveClocks(10 * 60_000)
      await busy(GET, header, 1_000)
      const moment = test.clock.now()
      await followPayouts(test.deps)
      expect(await statusOf(id)).toBe('processing')
      expect(await dueAfter(moment, id)).toBeGreaterThanOrEqual(seconds)
      await test.bank.control('DELETE', '/faults')
      await test.moveClocks(310_000)
      await followPayouts(test.deps)
      expect(await statusOf(id)).toBe('completed')
    })

    it('when a payout in doubt is asked for again is asked no sooner, and makes one transfer', async () => {
      await test.bank.control('POST', '/faults', { route: POST, mode: '500_after' })
      const { id, status } = (await createPayout(test, partner)).json<{ id: string; status: string }>()
      expect(status).toBe('pending')
      await busy(POST, header, 1_000)
      await test.moveClocks(60_000)
      const moment = test.clock.now()
      await followPayouts(test.deps)
      expect(await dueAfter(moment, id)).toBeGreaterThanOrEqual(seconds)
      await test.bank.control('DELETE', '/faults')
      await test.moveClocks(310_000)
      await followPayouts(test.deps)
      expect(await statusOf(id)).toBe('processing')
      expect(await transferOf(id)).toHaveLength(1)
    })
  },
)

it('a bank that is busy when it is asked for a rate says when to ask again, too', async () => {
  test.deps.rates.discard('provider_sandbox')
  await busy(RATES, 40)
  const reply = await createPayout(test, partner)
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([502, '40'])
})

let numbers = 0
const aNumber = () => String(11_220_000 + numbers++ * 7 + 1)
