// Large reads wait for other large reads; a payout never waits for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get } from '../support/fixtures.ts'
import { type Owner, PATIENT, ownerOf } from '../storage/owner.ts'

let test: TestApp
/** Two connections: one holds a lock, the other looks at who waits, because a transaction sees that only once. */
let owner: Owner
let onlooker: Owner
let hungry: TestPartner
let paying: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
  hungry = await aPartner(test)
  paying = await aPartner(test)
})
afterAll(async () => {
  await owner.end()
  await onlooker.end()
  await test.close()
})

/** Which pool each connection belongs to that waits for a lock. */
const poolsBlocked = async () =>
  (
    await onlooker.query<{ pool: string }>(
      `select application_name as pool from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).map(({ pool }) => pool)
const blocked = async () => (await poolsBlocked()).filter((pool) => pool === 'kestrel-reports').length

describe('a partner whose reads never end', () => {
  it.each([
    { what: 'lists of activity', url: '/v1/activity', table: 'activity' },
    { what: 'lists of invoices', url: '/v1/invoices', table: 'invoices' },
  ])('with thirty $what at once keeps nobody’s payout waiting', async ({ url, table }) => {
    await owner.query('begin')
    // Every read of the table waits now, as behind a very slow query.
    await owner.query(`lock table ${table} in access exclusive mode`)
    const reads = Array.from({ length: 30 }, () => get(test, hungry, url))
    await expect.poll(blocked, PATIENT).toBeGreaterThanOrEqual(5)
    const replies = await Promise.all(Array.from({ length: 5 }, () => createPayout(test, paying)))
    expect(await blocked(), 'they still stand there').toBeGreaterThanOrEqual(5)
    await owner.query('rollback')
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 201))
    for (const read of await Promise.all(reads)) expect([200, 503]).toContain(read.statusCode)
  })
})

describe('a long read of payouts', () => {
  const month = new Date().toISOString().slice(0, 7)
  it.each([
    { url: '/v1/payouts', table: 'payouts' },
    { url: '/v1/payouts?q=Ann', table: 'payouts' },
    { url: '/v1/payouts/export.csv', table: 'payouts' },
    { url: '/v1/payouts/summary?amount_from=1.00', table: 'payouts' },
    { url: '/v1/payouts/daily?days=7', table: 'payout_days' },
    { url: `/v1/payouts/daily?completed_in=${month}`, table: 'payout_days' },
    { url: '/v1/recipients', table: 'payouts' },
  ])('$url waits on a connection for reports, and holds none for payments', async ({ url, table }) => {
    await owner.query('begin')
    await owner.query(`lock table ${table} in access exclusive mode`)
    const read = get(test, hungry, url)
    await expect.poll(poolsBlocked, PATIENT).toEqual(['kestrel-reports'])
    await owner.query('rollback')
    expect((await read).statusCode).toBe(200)
  })
})
