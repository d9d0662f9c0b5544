// A receiver that answers well and at once: more is taken ahead for it than is sent at the same time, and given back when it
// should not be sent after all.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { createDeliverer } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'
import { type Receiver, startReceiver, withStatus } from '../support/receiver.ts'

let test: TestApp
let partner: TestPartner
let receiver: Receiver
beforeAll(async () => (test = await startTestApp()))
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const headers = () => ({ authorization: `Bearer ${partner.key}` })
async function anEndpoint(): Promise<string> {
  const payload = { url: receiver.url, events: ['payout.created'] }
  return (await test.request({ method: 'POST', url: '/v1/webhook-endpoints', headers: headers(), payload })).json().id
}
const patch = (id: string, payload: object) =>
  test.request({ method: 'PATCH', url: `/v1/webhook-endpoints/${id}`, headers: headers(), payload })

/** Rows of one payout many times over: what is delivered is the same text under other ids. */
async function withBacklog(id: string, count: number): Promise<void> {
  await createPayout(test, partner)
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull())
  await deliverer.round()
  await deliverer.settled()
  await addCopies(id, count)
  receiver.received.length = 0
}

async function addCopies(id: string, count: number): Promise<void> {
  await sql(
    test,
    `insert into webhook_deliveries (partner_id, environment, endpoint_id, id, event_id, event_type, subject_id, sequence,
                                     cause, state, created_at, in_order_until, next_try_at)
     select partner_id, environment, endpoint_id, gen_random_uuid(), event_id, event_type, gen_random_uuid(), 1, 'redelivery',
            'waiting', created_at, created_at, created_at
       from (select * from webhook_deliveries where endpoint_id = $1 limit 1) first cross join generate_series(1, $2)`,
    [id, count],
  )
}

const states = async (id: string) => {
  const rows = await sql<{ state: string; leased: number; count: number }>(
    test,
    `select state, count(*)::int as count, count(lease_token)::int as leased from webhook_deliveries
      where endpoint_id = $1 group by state order by state`,
    [id],
  )
  return rows.map(({ state, count, leased }) => `${count} ${state}, ${leased} leased`)
}

async function served(): Promise<void> {
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull())
  await deliverer.round()
  await deliverer.settled()
}

it('gets all of a backlog, each once, and never more than eight at once', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 300)
  let [now, most] = [0, 0]
  receiver.answer((message, response) => {
    most = Math.max(most, ++now)
    setImmediate(() => {
      now -= 1
      withStatus(200)(message, response)
    })
  })
  await served()
  expect(receiver.received).toHaveLength(300)
  expect(most).toBe(8)
  expect(await states(id)).toEqual(['301 delivered, 0 leased'])
  expect(await sql(test, 'select served_by from webhook_endpoints where id = $1', [id])).toEqual([{ served_by: null }])
})

it('gets none of what was taken ahead once it asks to be left alone, and no lease is left behind', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 300)
  const busy = withStatus(429, { 'retry-after': '60' })
  receiver.answer((message, response) => (receiver.received.length > 100 ? busy : withStatus(200))(message, response))
  await served()
  // Those that were under way.
  const refused = receiver.received.length - 100
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThanOrEqual(8)
  const [waiting] = (await states(id)).filter((each) => each.includes('waiting'))
  expect(waiting).toBe(`${301 - 101} waiting, 0 leased`)
})

it('gets what was taken ahead at its new address, and nothing once it is paused', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 900)
  const elsewhere = await startReceiver()
  const changes: Promise<unknown>[] = []
  receiver.answer((message, response) => {
    if (receiver.received.length === 100) changes.push(patch(id, { url: elsewhere.url }))
    withStatus(200)(message, response)
  })
  elsewhere.answer((message, response) => {
    if (elsewhere.received.length === 50) changes.push(patch(id, { status: 'paused' }))
    withStatus(200)(message, response)
  })
  await served()
  await Promise.all(changes)
  const [here, there] = [receiver.received.length, elsewhere.received.length]
  expect(here).toBeLessThan(900)
  expect(there).toBeGreaterThanOrEqual(50)
  expect(here + there).toBeLessThan(900)
  expect(await states(id)).toEqual([
    `${here + there + 1} delivered, 0 leased`,
    `${900 - here - there} waiting, 0 leased`,
  ])
  await elsewhere.close()
})

it('is left alone for as long as it asked, although it accepted others at the same moment', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 40)
  const busy = withStatus(429, { 'retry-after': '60' })
  receiver.answer((message, response) => (receiver.received.length === 3 ? busy : withStatus(200))(message, response))
  await served()
  await served()
  const asked = receiver.received.length
  expect(asked).toBeLessThanOrEqual(16)
  test.clock.advance(61_000)
  await served()
  expect(await states(id)).toEqual(['41 delivered, 0 leased'])
})

it('is not switched off by what its old address answers', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 1)
  const elsewhere = await startReceiver()
  receiver.answer((message, response) => {
    void patch(id, { url: elsewhere.url }).then(() => withStatus(410)(message, response))
  })
  await served()
  await served()
  expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 1])
  expect(await states(id)).toEqual(['2 delivered, 0 leased'])
  await elsewhere.close()
})

it('waits for a place among slow ones, and gets one before they get more', async () => {
  const held: (() => void)[] = []
  const slow = await startReceiver()
  slow.answer((message, response) => void held.push(() => withStatus(200)(message, response)))
  for (let count = 0; count < 4; count++) {
    const payload = { url: slow.url, events: ['payout.created'] }
    await test.request({ method: 'POST', url: '/v1/webhook-endpoints', headers: headers(), payload })
  }
  for (let count = 0; count < 12; count++) await createPayout(test, partner)
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull())
  await deliverer.round()
  await expect.poll(() => slow.received.length).toBe(32)
  await anEndpoint()
  await createPayout(test, partner)
  await deliverer.round()
  expect(receiver.received).toHaveLength(0)
  // One place is free: the slow ones have more to send, and the good one came first.
  held.shift()!()
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1)
  slow.answer(withStatus(200))
  for (const release of held.splice(0)) release()
  await deliverer.settled()
  await slow.close()
})

it('is served by another worker at once when its own is stopped, whether it owes an answer or not', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 40)
  const errors: unknown[] = []
  const [first, next] = [1, 2].map(() => createDeliverer(test.deps, (error) => errors.push(error)))
  // Twenty are answered, and then nobody is; more was taken ahead than is under way.
  receiver.answer((message, response) => {
    if (receiver.received.length <= 20) withStatus(200)(message, response)
  })
  await first!.round()
  await expect.poll(() => receiver.received.length).toBe(28)
  await first!.stop()
  expect(await states(id)).toEqual(['21 delivered, 0 leased', '20 waiting, 0 leased'])
  expect(await sql(test, 'select served_by from webhook_endpoints where id = $1', [id])).toEqual([{ served_by: null }])
  receiver.answer(withStatus(200))
  // No time passes: a lease would keep it back.
  await next!.round()
  await next!.settled()
  expect(errors).toEqual([])
  expect(await states(id)).toEqual(['41 delivered, 0 leased'])
  // The eight that owed an answer come again, under the same id, and count as one attempt.
  const ids = receiver.received.map((each) => each.headers['webhook-id'])
  expect(ids).toHaveLength(48)
  const attempts = await sql(
    test,
    'select attempts, count(*)::int from webhook_deliveries where endpoint_id = $1 group by 1',
    [id],
  )
  expect(attempts).toEqual([{ attempts: 1, count: 41 }])
})

it('gets what was taken for it and could not be begun in time, once it can be', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 8)
  vi.useFakeTimers({ toFake: ['performance'] })
  const { eventTexts } = test.deps.outbound
  let isFirst = true
  const late: typeof eventTexts = async (scope, ids) => {
    // As long as a machine that was put to sleep.
    if (isFirst) vi.advanceTimersByTime(9_000)
    isFirst = false
    return eventTexts(scope, ids)
  }
  const deliverer = createDeliverer({ ...test.deps, outbound: { ...test.deps.outbound, eventTexts: late } }, (error) =>
    expect(error).toBeNull(),
  )
  await deliverer.round()
  await deliverer.settled()
  vi.useRealTimers()
  expect(receiver.received).toHaveLength(8)
  expect(await states(id)).toEqual(['9 delivered, 0 leased'])
})

it('gets what was taken for it although the database was away when it was read', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 8)
  const { eventTexts } = test.deps.outbound
  let fails = 2
  const away: typeof eventTexts = (scope, ids) =>
    fails-- > 0 ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) : eventTexts(scope, ids)
  const errors: unknown[] = []
  const deps = { ...test.deps, outbound: { ...test.deps.outbound, eventTexts: away } }
  const deliverer = createDeliverer(deps, (error) => errors.push(error))
  await deliverer.round()
  await deliverer.settled()
  expect(errors).toHaveLength(2)
  expect(receiver.received).toHaveLength(8)
  expect(await states(id)).toEqual(['9 delivered, 0 leased'])
})

it('gets what was taken by a transaction whose answer was lost, also when there is more for it all the time', async () => {
  const id = await anEndpoint()
  await withBacklog(id, 40)
  const { db } = test.deps
  const [errors, lost]: [unknown[], string[]] = [[], []]
  const inTransaction: typeof db.inTransaction = async (work) => {
    const done = await db.inTransaction(work)
    const { deliveries = [] } = { ...(done as { deliveries?: { id: string }[] } | null) }
    // Not the first: with nothing to lose, it is simply the next round's.
    if (receiver.received.length === 0 || deliveries.length === 0 || lost.length > 0) return done
    lost.push(...deliveries.map((each) => each.id))
    throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
  }
  const deps = { ...test.deps, db: { ...db, lookup: db.lookup, inTransaction } }
  const deliverer = createDeliverer(deps, (error) => errors.push(error))
  let isBusy = true
  receiver.answer((message, response) => {
    test.clock.advance(500)
    void (isBusy ? addCopies(id, 1) : Promise.resolve()).then(() => withStatus(200)(message, response))
  })
  await vi.waitFor(
    async () => {
      await deliverer.round()
      expect(receiver.received.length).toBeGreaterThan(300)
    },
    { timeout: 20_000 },
  )
  const left = `select id from webhook_deliveries where endpoint_id = $1 and state = 'waiting' and id = any($2)`
  const waiting = await sql(test, left, [id, lost])
  isBusy = false
  await deliverer.settled()
  expect(lost.length).toBeGreaterThan(0)
  expect(waiting).toEqual([])
  expect(errors).toHaveLength(1)
})
