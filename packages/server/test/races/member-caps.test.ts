// A limit of a member holds however many payouts they ask for at once, in two processes and several browsers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, sql } from '../support/fixtures.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'
import { type Instance, anotherInstance, firstInstance, tally } from './instances.ts'
import { payoutsOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'

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

const limit = (by: TestMember, of: TestMember, payload: object) =>
  ask(test, by, { method: 'PATCH', url: `/v1/members/${of.memberId}`, payload })

/** As the payer's pages do it, at one of two processes. */
const pay = (payer: TestMember, nth: number) =>
  [firstInstance(test), second][nth % 2]!.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: {
      cookie: payer.cookie,
      origin: PUBLIC_URL,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': anIdempotencyKey(),
    },
    payload: aPayoutBody({}),
  })

const spentBy = async ({ id }: TestPartner) =>
  BigInt(
    (
      await sql<{ spent: string | null }>(
        test,
        'select sum(spent_pence) as spent from spend_days where partner_id = $1',
        [id],
      )
    )[0]!.spent ?? 0,
  )

describe('sixty-four payouts of one member at once, against a limit of 1,000.00, with 25.00 each', () => {
  it('are exactly forty, also in two browsers', async () => {
    const partner = await aPartner(test, { usdc: '1000000.00' })
    const admin = await signedIn(test, partner)
    const payer = await signedIn(test, partner)
    const elsewhere = await signedIn(test, partner, { email: payer.email })
    await limit(admin, payer, { daily_gbp: '1000.00' })
    const replies = await Promise.all(
      Array.from({ length: 64 }, (_, nth) => pay(nth % 3 === 0 ? elsewhere : payer, nth)),
    )
    expect(tally(replies)).toEqual({ 201: 40, 403: 24 })
    expect(await payoutsOf(test, partner)).toEqual({ count: 40, visible: 40 })
    expect(await spentBy(partner)).toBe(100_000n)
  })

  it('keep to a first limit that is set meanwhile, and two admins who set it at once agree on one', async () => {
    const partner = await aPartner(test, { usdc: '1000000.00' })
    const [admin, another] = [await signedIn(test, partner), await signedIn(test, partner)]
    const payer = await signedIn(test, partner)
    const running = Array.from({ length: 64 }, (_, nth) => pay(payer, nth))
    const set = await Promise.all([
      limit(admin, payer, { daily_gbp: '50.00' }),
      limit(another, payer, { daily_gbp: '75.00' }),
    ])
    expect(tally(set)).toEqual({ 200: 2 })
    const replies = await Promise.all(running)
    const after = await Promise.all(Array.from({ length: 10 }, (_, nth) => pay(payer, nth)))
    expect(tally([...replies, ...after])[403]).toBeGreaterThanOrEqual(7)
    const [{ daily }] = (await sql(test, 'select daily_pence as daily from spending_limits where partner_id = $1', [
      partner.id,
    ])) as [{ daily: bigint }]
    expect([5_000n, 7_500n]).toContain(daily)
    expect(await spentBy(partner)).toBeLessThanOrEqual(7_500n)
  })
})
