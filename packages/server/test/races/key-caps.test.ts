// A limit of a key holds however many ask at once, in two processes: not one payout above it, and all that fit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, sql } from '../support/fixtures.ts'
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

async function aCappedPartner(daily_gbp: string): Promise<{ partner: TestPartner; admin: TestMember }> {
  const partner = await aPartner(test, { usdc: '1000000.00' })
  const admin = await signedIn(test, partner)
  await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload: { daily_gbp } })
  return { partner, admin }
}

const spentBy = async ({ id }: TestPartner) =>
  (
    await sql<{ spent: string }>(test, 'select sum(spent_pence) as spent from spend_days where partner_id = $1', [id])
  )[0]!.spent

describe('sixty-four connections against a limit of 1,000.00, with 25.00 each', () => {
  it('make exactly forty payouts', async () => {
    const { partner } = await aCappedPartner('1000.00')
    const instances = [firstInstance(test), second]
    const replies = await Promise.all(
      Array.from({ length: 64 }, (_, nth) => instances[nth % 2]!.post(partner, anIdempotencyKey())),
    )
    expect(tally(replies)).toEqual({ 201: 40, 403: 24 })
    expect(await payoutsOf(test, partner)).toEqual({ count: 40, visible: 40 })
    expect(BigInt(await spentBy(partner))).toBe(100_000n)
  })

  it('make none above a limit that was lowered meanwhile', async () => {
    const { partner, admin } = await aCappedPartner('100000.00')
    const instances = [firstInstance(test), second]
    const running = Array.from({ length: 64 }, async (_, nth) => {
      const seen = []
      for (let count = 0; count < 4; count++) seen.push(await instances[nth % 2]!.post(partner, anIdempotencyKey()))
      return seen
    })
    const payload = { daily_gbp: '25.00' }
    await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload })
    const { count: atAnswer } = await holds(partner)
    const replies = (await Promise.all(running)).flat()
    const made = replies.filter(({ statusCode }) => statusCode === 201).length
    // Those that were reserved when the change was answered, and at most the one that the new limit has room for.
    expect(made).toBeLessThanOrEqual(Math.max(atAnswer, 1))
    expect((await holds(partner)).count).toBe(made)
    expect(BigInt(await spentBy(partner))).toBe(BigInt(made) * 2_500n)
  })

  it('of a wallet that gets its first limit while they are asked for keep to it', async () => {
    const partner = await aPartner(test, { usdc: '1000000.00' })
    const admin = await signedIn(test, partner)
    const posts = Array.from({ length: 40 }, () => second.post(partner, anIdempotencyKey()))
    const payload = { daily_gbp: '50.00' }
    await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${partner.keyId}`, payload })
    const replies = await Promise.all(posts)
    const after = await Promise.all(Array.from({ length: 10 }, () => second.post(partner, anIdempotencyKey())))
    expect(tally([...replies, ...after])[403]).toBeGreaterThanOrEqual(8)
    expect(BigInt((await spentBy(partner)) ?? 0)).toBeLessThanOrEqual(5_000n)
  })
})

const holds = async ({ id }: TestPartner) =>
  (
    await sql<{ count: number }>(
      test,
      `select count(*)::int as count from ledger_entries where partner_id = $1 and kind = 'hold'`,
      [id],
    )
  )[0]!
