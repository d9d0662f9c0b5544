// The database goes away again and again while payouts are made: the process lives, and nothing is lost or doubled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { cloneDatabase } from '../support/database.ts'
import { doorTo } from '../support/door.ts'
import { type TestPartner, aPartner, anIdempotencyKey, balanceOf, createPayout } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let admin: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  const elsewhere = new URL(test.database.url)
  elsewhere.pathname = '/postgres'
  admin = await ownerOf(elsewhere.href)
  partner = await aPartner(test)
})
afterAll(async () => {
  await admin.end()
  await test.close()
})

const name = () => new URL(test.database.url).pathname.slice(1)
const cutEverything = () =>
  admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])

/** What one client saw: every status it was answered until it had its payout. */
interface Client {
  readonly key: string
  readonly statuses: number[]
  readonly ids: Set<string>
}

async function ask(client: Client): Promise<void> {
  const reply = await createPayout(test, partner, { amount_gbp: '1.00' }, { 'idempotency-key': client.key })
  client.statuses.push(reply.statusCode)
  if (reply.statusCode === 200 || reply.statusCode === 201) client.ids.add(reply.json<{ id: string }>().id)
}

describe('a database that is cut off again and again under load', () => {
  it('costs 503s that can be repeated, and neither the process nor a payout nor a penny', async ({ task }) => {
    const clients = Array.from({ length: 120 }, (): Client => ({
      key: anIdempotencyKey(),
      statuses: [],
      ids: new Set(),
    }))
    const over = new AbortController()
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await cutEverything()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    for (let round = 0; round < 3; round++) {
      await Promise.all(clients.filter((client) => client.ids.size === 0).map(ask))
      // The worker is cut off like everybody else; what it could not do it does the next time.
      test.clock.advance(31_000)
      for (let look = 0; look < 5; look++) await followPayouts(test.deps).catch(() => undefined)
    }
    over.abort()
    await cutting

    const seen = clients.flatMap((client) => client.statuses)
    task.meta.cases = seen.length
    expect(seen.filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([])
    expect(seen.filter((status) => status === 503).length, 'the cuts were felt').toBeGreaterThan(10)

    // Payouts that were interrupted wait until their lease ends; then the worker asks the bank about them.
    test.clock.advance(31_000)
    await test.follow()
    await Promise.all(clients.map(ask))
    expect(
      clients.map((client) => client.statuses.at(-1)).filter((status) => status !== 200 && status !== 201),
    ).toEqual([])
    expect(clients.filter((client) => client.ids.size !== 1)).toEqual([])

    const owner = await ownerOf(test.database.url)
    const [payouts] = await owner.query<{ count: string; sum: string }>(
      'select count(*), sum(wallet_sends_micro) from payouts where partner_id = $1 and surfaced_at is not null',
      [partner.id],
    )
    await owner.end()
    expect(payouts!.count).toBe('120')
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - BigInt(payouts!.sum))
  })
})

describe('a database that is away', () => {
  it('is a 503 with nothing done, said by /readyz, and forgotten as soon as it is back', async () => {
    const door = await doorTo(await cloneDatabase())
    const shut = await startTestApp({ database: door.database })
    const own = await aPartner(shut)
    const ready = async () => (await shut.app.inject('/readyz')).statusCode
    const key = { 'idempotency-key': anIdempotencyKey() }
    expect(await ready()).toBe(200)

    await door.shut()
    const unready = await shut.app.inject('/readyz')
    expect([unready.statusCode, unready.json()]).toEqual([
      503,
      { status: 'not_ready', problems: { database: 'The database cannot be reached.' } },
    ])
    expect((await shut.app.inject('/healthz')).statusCode).toBe(200)
    const replies = await Promise.all(Array.from({ length: 20 }, () => createPayout(shut, own, {}, key)))
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([503, 'unavailable'])
      expect(reply.headers['retry-after']).toBe('1')
    }

    await door.reopen()
    expect(await ready()).toBe(200)
    expect(await balanceOf(shut, own)).toBe(10_000_000_000n)
    expect((await createPayout(shut, own, {}, key)).statusCode).toBe(201)
    await shut.close()
    await door.shut()
  })
})
