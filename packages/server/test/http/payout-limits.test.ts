// The operator's limits of an account: per partner and environment, within the specification's range, at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { pence } from '../../src/core/money.ts'
import {
  type LimitsChange,
  changePayoutLimits,
  readPayoutLimits,
  resetPayoutLimits,
} from '../../src/domain/partners/change-payout-limits.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  post,
  sql,
} from '../support/fixtures.ts'

let test: TestApp
/** Another process on the same database. */
let other: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  const banks = { sandbox: test.bank?.provider ?? null, live: null }
  other = await startTestApp({ database: test.database, liveRail: anObligingRail(), banks })
})
afterAll(async () => {
  await other.app.close()
  await other.owner.close()
  await other.service.close()
  await test.close()
})

const set = (partner: TestPartner, change: Partial<LimitsChange>, from = test) =>
  changePayoutLimits(from.deps, partner.id, { environment: null, smallestPayout: null, largestPayout: null, ...change })

const limitsOf = async (partner: TestPartner, at = test) =>
  (await get(at, partner, '/v1/compliance')).json().account.payout_limits_gbp

describe('the limits of an account', () => {
  it('are those of its environment, shown and kept to by quotes and payouts', async () => {
    const sandbox = await aPartner(test)
    const live = await inLive(test, sandbox, '100.00')
    await set(sandbox, { environment: 'live', smallestPayout: pence(300n), largestPayout: pence(50_000n) })
    expect(await limitsOf(live)).toEqual({ min: '3.00', max_per_payout: '500.00' })
    expect(await limitsOf(sandbox)).toEqual({ min: '1.00', max_per_payout: '20000.00' })
    for (const amount_gbp of ['2.99', '500.01']) {
      for (const reply of [
        await post(test, live, '/v1/quotes', { amount_gbp }),
        await createPayout(test, live, { amount_gbp }),
      ]) {
        expect([reply.statusCode, reply.json().error]).toEqual([
          422,
          expect.objectContaining({
            code: 'invalid_amount',
            message: `amount_gbp must be between 3.00 and 500.00; ${amount_gbp} is not.`,
            details: { min: '3.00', max: '500.00' },
          }),
        ])
      }
    }
    expect(await balanceOf(test, live)).toBe(100_000_000n)
    expect((await createPayout(test, live, { amount_gbp: '3.00' })).statusCode).toBe(201)
    expect((await createPayout(test, sandbox, { amount_gbp: '1.00' })).statusCode).toBe(201)
  })

  it('count at once in every process, and for no payout that was made before', async () => {
    const partner = await aPartner(test)
    const key = anIdempotencyKey()
    const small = (at: TestApp, idempotencyKey = anIdempotencyKey()) =>
      createPayout(at, partner, { amount_gbp: '2.00' }, { 'idempotency-key': idempotencyKey })
    expect((await small(other, key)).statusCode).toBe(201)
    await set(partner, { smallestPayout: pence(300n) })
    expect((await small(other)).json().error.code).toBe('invalid_amount')
    expect((await small(test)).json().error.code).toBe('invalid_amount')
    expect((await small(other, key)).headers['idempotent-replayed']).toBe('true')
    await resetPayoutLimits(other.deps, partner.id, null)
    expect((await small(test)).statusCode).toBe(201)
  })

  it('are changed one by one, or for one environment alone, and leave a trace in the activity', async () => {
    const partner = await aPartner(test)
    await set(partner, { smallestPayout: pence(200n) })
    await set(partner, { environment: 'sandbox', largestPayout: pence(90_000n) })
    // What changes nothing leaves no trace.
    await set(partner, { environment: 'sandbox', largestPayout: pence(90_000n) })
    expect((await readPayoutLimits(test.deps, partner.slug)).limits).toEqual([
      { environment: 'sandbox', smallestPayout: 200n, largestPayout: 90_000n },
      { environment: 'live', smallestPayout: 200n, largestPayout: 2_000_000n },
    ])
    const seen = await sql(
      test,
      `select environment, by, detail from activity where partner_id = $1 and action = 'partner.limits' order by environment, detail`,
      [partner.id],
    )
    expect(seen).toEqual([
      { environment: 'sandbox', by: 'operator', detail: '2.00 to 20000.00 GBP; before, 1.00 to 20000.00 GBP' },
      { environment: 'sandbox', by: 'operator', detail: '2.00 to 900.00 GBP; before, 2.00 to 20000.00 GBP' },
      { environment: 'live', by: 'operator', detail: '2.00 to 20000.00 GBP; before, 1.00 to 20000.00 GBP' },
    ])
  })

  it.each([
    { change: { smallestPayout: pence(99n) }, says: /^The minimum must be between 1\.00 and 20000\.00 GBP.* 0\.99 is/ },
    { change: { largestPayout: pence(2_000_001n) }, says: /^The maximum must be between 1\.00 and .* 20000\.01 is/ },
    {
      change: { smallestPayout: pence(5_001n) },
      says: /^In live the minimum would be 50\.01 GBP and the maximum 50\.00 GBP, so nothing could be paid/,
    },
  ])('are refused in words outside the range, or when nothing could be paid: $says', async ({ change, says }) => {
    const partner = await aPartner(test)
    await set(partner, { environment: 'live', largestPayout: pence(5_000n) })
    const before = await readPayoutLimits(test.deps, partner.slug)
    await expect(set(partner, change)).rejects.toThrow(says)
    await expect(set(partner, change)).rejects.toThrow(/Nothing was changed\.$/)
    // All or nothing: what would do in sandbox was not changed there either.
    expect(await readPayoutLimits(test.deps, partner.slug)).toEqual(before)
  })

  it('of two changes at once, are never such that nothing could be paid', async () => {
    const partner = await aPartner(test)
    const both = await Promise.allSettled([
      set(partner, { smallestPayout: pence(60_000n) }),
      set(partner, { largestPayout: pence(50_000n) }, other),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(String(both.find(({ status }) => status === 'rejected')?.['reason' as never])).toMatch(
      /nothing could be paid/,
    )
  })

  it('are not changed of a business that is closed', async () => {
    const partner = await aPartner(test)
    await sql(test, `update partners set status = 'closed', closed_at = now() where id = $1`, [partner.id])
    await expect(set(partner, { smallestPayout: pence(300n) })).rejects.toThrow(/is closed for good/)
  })

  it('are those of the id, whatever a business has taken for its name', async () => {
    const partner = await aPartner(test)
    const named = await aPartner(test, { slug: partner.id })
    await set(partner, { smallestPayout: pence(300n) })
    expect(await limitsOf(named)).toEqual({ min: '1.00', max_per_payout: '20000.00' })
    expect((await readPayoutLimits(test.deps, partner.id)).partner.id).toBe(partner.id)
  })
})
