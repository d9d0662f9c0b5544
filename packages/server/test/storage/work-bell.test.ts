// Workers at rest are woken by NOTIFY. One that would not hear it knows that, and does not rest.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { systemClock } from '../../src/core/clock.ts'
import { type Listener, listenForWork, ringForWork } from '../../src/storage/work-bell.ts'
import type { Db } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, createPayout } from '../support/fixtures.ts'

let test: TestApp
let elsewhere: TestApp
let rings = 0
let listener: Listener | null = null

beforeAll(async () => {
  test = await startTestApp()
  elsewhere = await startTestApp()
})
afterEach(async () => {
  await listener?.close()
  listener = null
})
afterAll(async () => {
  await test.close()
  await elsewhere.close()
})

function listen(db: Db): Listener {
  rings = 0
  const onRing = () => void (rings += 1)
  listener = listenForWork({ url: test.database.url, db, clock: systemClock, onRing })
  return listener
}

it('a listener hears the others, and its own proof is no work', async () => {
  const { hears } = listen(test.deps.db)
  await expect.poll(hears).toBe(true)
  expect(rings).toBe(0)
  await ringForWork(test.owner)
  await expect.poll(() => rings).toBe(1)
})

it('a listener whose connection is ended says so, and comes back', async () => {
  const { hears } = listen(test.deps.db)
  await expect.poll(hears).toBe(true)
  await test.owner.query({
    name: 'end_listeners',
    text: `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'kestrel-bell' and datname = current_database()`,
  })
  await expect.poll(hears).toBe(false)
  await expect.poll(hears).toBe(true)
  await ringForWork(test.owner)
  await expect.poll(() => rings).toBe(1)
})

it('a listener that is not reached, as through a pooler of transactions, does not say that it hears', async () => {
  let proofs = 0
  // A channel is of one database: what is told in another never comes.
  const db: Db = {
    query: async (statement, values) => {
      proofs += 1
      return elsewhere.deps.db.query(statement, values)
    },
  }
  const { hears } = listen(db)
  await expect.poll(() => proofs).toBe(1)
  expect(hears()).toBe(false)
  await ringForWork(test.owner)
  await expect.poll(() => rings).toBe(1)
  expect(hears()).toBe(false)
})

it('a request that may have changed something rings, however many there are at once, and one that reads does not', async () => {
  const partner = await aPartner(test)
  const { hears } = listen(test.deps.db)
  await expect.poll(hears).toBe(true)
  await test.request({ method: 'GET', url: '/healthz' })
  await Promise.all([createPayout(test, partner), createPayout(test, partner)])
  await expect.poll(() => rings).toBe(1)
})
