// A database that says nothing: connections that are neither cut nor answered, and one that only takes no writes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { versionFinding } from '../../src/cli/database-findings.ts'
import { readDatabaseFacts } from '../../src/storage/database-facts.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { cloneDatabase } from '../support/database.ts'
import { type Door, doorTo } from '../support/door.ts'
import {
  type TestPartner,
  aPartner,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
} from '../support/fixtures.ts'
import { type Owner, PATIENT, ownerOf } from './owner.ts'

/** Shorter than in production, and long enough that a busy machine is not taken for a silent one. */
const databaseLimits = { statementMs: 3_000, lookupMs: 2_500, graceMs: 500 }
const LONGER_THAN_SILENCE = { timeout: 20_000, interval: 100 }

const rail = { ...anObligingRail(), remembersForMs: 24 * 3_600_000 }
let door: Door
let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  door = await doorTo(await cloneDatabase())
  test = await startTestApp({ database: door.database, databaseLimits, rail })
  partner = await aPartner(test)
})
afterAll(async () => {
  await test.close()
  await door.remove()
})

const pay = (key: string) => createPayout(test, partner, { amount_gbp: '1.00' }, { 'idempotency-key': key })
const readyz = async () => {
  const reply = await test.app.inject('/readyz')
  return [reply.statusCode, reply.json<{ problems: unknown }>().problems] as const
}
const isReady = async () => (await readyz())[0] === 200

/** Asks with one key until it is answered with the payout; all answers before must be worth repeating. */
async function payPatiently(key: string): Promise<string> {
  const statuses: number[] = []
  let id = ''
  await expect
    .poll(async () => {
      // Payouts that were interrupted wait until their lease ends; then the worker asks the bank about them.
      test.clock.advance(31_000)
      await test.follow().catch(() => undefined)
      const reply = await pay(key)
      statuses.push(reply.statusCode)
      if (reply.statusCode < 300) id = reply.json<{ id: string }>().id
      return id
    }, LONGER_THAN_SILENCE)
    .not.toBe('')
  expect(statuses.filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([])
  return id
}

describe('connections that go silent, while new ones work', () => {
  it('are given up within their limit, and the service goes on without a restart', async () => {
    await Promise.all(Array.from({ length: 12 }, () => pay(anIdempotencyKey())))
    door.fallSilent()
    expect(door.silent()).toBeGreaterThan(1)
    // A payout may find a new connection; whoever reads is looked up over one that is silent.
    const replies = await Promise.all([
      get(test, partner, '/v1/balance'),
      ...Array.from({ length: 12 }, () => pay(anIdempotencyKey())),
    ])
    for (const reply of replies) expect([200, 201, 503]).toContain(reply.statusCode)
    expect(replies.filter((reply) => reply.statusCode === 503).length).toBeGreaterThan(0)
    // After one silent connection the pool drops the others too, so that no request waits for each of them.
    const after = await Promise.all(Array.from({ length: 12 }, () => pay(anIdempotencyKey())))
    expect(after.map((reply) => reply.statusCode)).toEqual(after.map(() => 201))
    await expect.poll(isReady, LONGER_THAN_SILENCE).toBe(true)
  })

  it.each([
    { step: 'the hold', toldBy: (key: string) => key },
    { step: 'the record', toldBy: () => 'change_payouts' },
  ])('when the answer to the COMMIT of $step is lost: paid once, whatever is repeated', async ({ toldBy }) => {
    const before = { balance: await balanceOf(test, partner), silent: door.silent() }
    const key = anIdempotencyKey()
    rail.requests.length = 0
    door.loseAnswerTo(toldBy(key), 'commit')
    expect((await pay(key)).statusCode).toBe(503)
    expect(door.silent()).toBe(before.silent + 1)
    const id = await payPatiently(key)
    expect(new Set(rail.requests.map((request) => request.clientReference))).toEqual(new Set([id]))
    expect(await payPatiently(key)).toBe(id)
    const [row] = rail.requests
    expect(before.balance - (await balanceOf(test, partner))).toBe(row!.walletSends)
  })

  it('do not keep the service from stopping', async () => {
    const own = await doorTo(await cloneDatabase())
    const silent = await startTestApp({ database: own.database, databaseLimits })
    await silent.app.inject('/readyz')
    await silent.deps.db.lookup.query({ name: '', text: 'select 1' })
    own.fallSilent()
    await silent.app.close()
    await expect(silent.service.close()).resolves.toBeUndefined()
    await own.remove()
    await own.database.drop()
  })
})

describe('a database that takes no writes', () => {
  let admin: Owner
  beforeAll(async () => {
    const elsewhere = new URL(test.database.url)
    elsewhere.pathname = '/postgres'
    admin = await ownerOf(elsewhere.href)
  })
  afterAll(() => admin.end())
  const name = () => new URL(test.database.url).pathname.slice(1)

  it('is an outage, said by /readyz, and forgotten when it takes them again, though sessions stay read-only', async () => {
    await admin.query(`alter database ${name()} set default_transaction_read_only = on`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])
    await expect.poll(readyz, PATIENT).toEqual([503, { database: 'The database takes no writes.' }])
    expect(versionFinding(await readDatabaseFacts(test.deps))).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('takes no writes') as unknown,
    })
    const key = anIdempotencyKey()
    const refused = await Promise.all(Array.from({ length: 8 }, () => pay(key)))
    for (const reply of refused) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([503, 'unavailable'])
      expect(reply.headers['retry-after']).toBe('1')
    }
    expect((await test.app.inject('/healthz')).statusCode).toBe(200)

    await admin.query(`alter database ${name()} reset default_transaction_read_only`)
    await expect.poll(async () => (await pay(key)).statusCode, PATIENT).toBe(201)
    await expect.poll(isReady, PATIENT).toBe(true)
  })
})

describe('/readyz', () => {
  it('writes at most once in a second, however often it is asked', async () => {
    const owner = await ownerOf(test.database.url)
    const version = async () => (await owner.query<{ xmin: string }>('select xmin::text from readiness'))[0]?.xmin
    await test.app.inject('/readyz')
    const versions = new Set<string | undefined>()
    for (let asked = 0; asked < 20; asked++) {
      await test.app.inject('/readyz')
      versions.add(await version())
    }
    await Promise.all(Array.from({ length: 100 }, () => test.app.inject('/readyz')))
    versions.add(await version())
    await owner.end()
    expect(versions.size).toBeLessThan(10)
  })
})
