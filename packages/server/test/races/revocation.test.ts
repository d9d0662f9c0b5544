// A key that was switched off opens nothing any more, in no process, from the moment its owner was told so.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { statement } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'
import { type TestPartner, aPartner, anIdempotencyKey, sql } from '../support/fixtures.ts'
import { type Instance, anotherInstance, firstInstance } from './instances.ts'
import { SENDS, walletOf } from './wallet.ts'
import { stopTheClock } from './stopped-clock.ts'

let test: TestApp
let second: Instance
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  second = await anotherInstance(test)
})
beforeEach(async () => {
  partner = await aPartner(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

const made = async () => {
  const text = 'select count(*)::int as count from payouts where partner_id = $1'
  return (await sql<{ count: number }>(test, text, [partner.id]))[0]!.count
}

interface Request {
  readonly startedAfter: boolean
  readonly statusCode: number
}

/** Requests to both instances, one after another in eight lanes, from well before `act` until well after it. */
async function underRequests(act: () => Promise<unknown>): Promise<Request[]> {
  const requests: Request[] = []
  const acting: Promise<unknown>[] = []
  const isOpen = () => [200, 201].every((status) => requests.some(({ statusCode }) => statusCode === status))
  let isDone = false
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    const instance = lane % 2 === 0 ? firstInstance(test) : second
    const ask = () =>
      lane < 4
        ? instance.get(partner, '/v1/balance')
        : instance.post(partner, anIdempotencyKey(), { amount_gbp: '1.00' })
    for (let asked = 0, askedAfter = 0; askedAfter < 5; asked++) {
      if (asked >= 5 && acting.length === 0 && isOpen()) acting.push(act().then(() => (isDone = true)))
      const startedAfter = isDone
      if (startedAfter) askedAfter++
      requests.push({ startedAfter, statusCode: (await ask()).statusCode })
    }
  })
  await Promise.all(lanes)
  await Promise.all(acting)
  return requests
}

const statusesOf = (requests: readonly Request[], startedAfter: boolean) =>
  [...new Set(requests.filter((each) => each.startedAfter === startedAfter).map((each) => each.statusCode))].toSorted(
    (a, b) => a - b,
  )

describe('a key that is revoked while it is in use, in two processes', () => {
  it('opens nothing for any request that starts after the revocation was answered', async () => {
    const requests = await underRequests(() => revokeKey(test.deps, partner.keyId))
    expect(statusesOf(requests, true)).toEqual([401])
    expect(requests.filter((each) => each.startedAfter)).toHaveLength(40)
    // Those that were under way end one way or the other, and before it everything was open.
    expect(statusesOf(requests, false)).toEqual(expect.arrayContaining([200, 201]))
    expect(statusesOf(requests, false).filter((status) => ![200, 201, 401].includes(status))).toEqual([])
  })

  it('pays nothing any more: every payout that the wallet paid for was answered 201', async () => {
    const requests = await underRequests(() => revokeKey(second.deps, partner.keyId))
    const created = requests.filter((each) => each.statusCode === 201).length
    const wallet = await walletOf(test, partner)
    // 1.00 and the bank's share of 0.21 at 0.79
    const sends = 1_540_000n
    expect(wallet['available']).toBe(10_000_000_000n - BigInt(created) * sends)
    expect(created).toBeGreaterThan(0)
  })

  it('makes no payout once the revocation was answered, also of requests that were under way', async () => {
    const asking = Array.from({ length: 60 }, (_, index) =>
      (index % 2 === 0 ? firstInstance(test) : second).post(partner, anIdempotencyKey(), { amount_gbp: '1.00' }),
    )
    await Promise.race(asking)
    await revokeKey(test.deps, partner.keyId)
    const then = await made()
    const statuses = (await Promise.all(asking)).map(({ statusCode }) => statusCode)
    expect(await made()).toBe(then)
    expect(statuses.filter((status) => status === 201)).toHaveLength(then)
    expect(statuses.filter((status) => ![201, 401].includes(status))).toEqual([])
  })

  it.each([
    ['is revoked', 401, { change: 'revoked_at = $2', at: 0 }],
    ['expires', 401, { change: 'expires_at = $2', at: 0 }],
    ['is given an hour', 201, { change: 'expires_at = $2', at: 3_600_000 }],
  ])('%s while its payout waits for the wallet: %i', async (_, status, { change, at }) => {
    const before = await walletOf(test, partner)
    const key = anIdempotencyKey()
    const asking = await test.owner.inTransaction(async (tx) => {
      const lock = `select 1 from ledger_accounts where partner_id = $1 and account = 'available' for update`
      await tx.query(statement('', lock), [partner.id])
      const asked = second.post(partner, key)
      await untilOneWaits(test)
      const moment = new Date(test.clock.now().getTime() + at)
      await tx.query(statement('', `update api_keys set ${change} where id = $1`), [partner.keyId, moment])
      return { asked }
    })
    expect((await asking.asked).statusCode).toBe(status)
    const paid = status === 201 ? SENDS : 0n
    expect((await walletOf(test, partner))['available']).toBe(before['available']! - paid)
    expect(await made()).toBe(status === 201 ? 1 : 0)
    // What was refused has left its idempotency key free.
    const other = await createKey(test.deps, {
      partner: await findPartner(test.deps, partner.slug),
      environment: 'sandbox',
      label: null,
    })
    expect((await second.post({ key: other.secret }, key)).statusCode).toBe(status === 201 ? 200 : 201)
  })

  it('is revoked once, however often it is asked for at once, and keeps the first moment', async () => {
    const revoke = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => revokeKey(index % 2 === 0 ? test.deps : second.deps, partner.keyId)),
      )
    await revoke()
    const before = await test.owner.query({
      name: '',
      text: `select revoked_at from api_keys where id = '${partner.keyId}'`,
    })
    test.clock.advance(60_000)
    await revoke()
    const after = await test.owner.query({
      name: '',
      text: `select revoked_at from api_keys where id = '${partner.keyId}'`,
    })
    expect(after).toEqual(before)
  })

  it('takes no other key with it', async () => {
    const other = await createKey(test.deps, {
      partner: await findPartner(test.deps, partner.slug),
      environment: 'sandbox',
      label: null,
    })
    await revokeKey(test.deps, partner.keyId)
    expect((await second.get(partner, '/v1/account')).statusCode).toBe(401)
    expect((await second.get({ key: other.secret }, '/v1/account')).statusCode).toBe(200)
  })
})

describe('a partner that is suspended while at work, in two processes', () => {
  it('is refused from then on, and may go on when it is active again', async () => {
    const requests = await underRequests(() => changePartnerStatus(test.deps, partner.slug, 'suspended'))
    expect(statusesOf(requests, true)).toEqual([403])
    const before = await walletOf(test, partner)
    expect((await second.post(partner, anIdempotencyKey())).statusCode).toBe(403)
    expect(await walletOf(test, partner)).toEqual(before)
    await changePartnerStatus(second.deps, partner.slug, 'active')
    expect((await firstInstance(test).post(partner, anIdempotencyKey())).statusCode).toBe(201)
    expect((await walletOf(test, partner))['available']).toBe(before['available']! - SENDS)
  })
})
