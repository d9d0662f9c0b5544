// However many endpoints there are and however slow they answer, a process holds a bounded part of what is due, and each endpoint has
// its share of it.
import { afterEach, beforeEach, expect, it } from 'vitest'

import { type Deliverer, createDeliverer } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { createWebhookSender } from '../../src/outbound/send-webhook.ts'
import { type TestApp, resolveForTests, startTestApp } from '../support/app.ts'
import { aPartner, createPayout, sql } from '../support/fixtures.ts'
import { type Receiver, startReceiver, withStatus } from '../support/receiver.ts'

const ENDPOINTS = 24
const EACH = 150
const LIMITS = { deliveries: 200, bytes: 1_000_000 }

let test: TestApp
let receiver: Receiver
beforeEach(async () => {
  // Whoever does not answer is not given up while a busy machine is still filling the places.
  const sender = createWebhookSender({ resolve: resolveForTests, timeoutMs: 180_000 })
  test = await startTestApp({ outbound: { sender } })
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await test.close()
})

/** In wallets of eight, whose places are all taken when none of them answers; each endpoint by a path of its own. */
async function withBacklogs(count: number): Promise<void> {
  for (let made = 0; made < count; made += 8) {
    const partner = await aPartner(test)
    const headers = { authorization: `Bearer ${partner.key}` }
    for (let nth = made; nth < Math.min(count, made + 8); nth++) {
      const payload = { url: `${receiver.url}/${nth}`, events: ['payout.created'] }
      const reply = await test.request({ method: 'POST', url: '/v1/webhook-endpoints', headers, payload })
      expect(reply.statusCode).toBe(201)
    }
    await createPayout(test, partner)
  }
  await served()
  await sql(
    test,
    `insert into webhook_deliveries (partner_id, environment, endpoint_id, id, event_id, event_type, subject_id, sequence,
                                     cause, state, created_at, in_order_until, next_try_at)
     select partner_id, environment, endpoint_id, gen_random_uuid(), event_id, event_type, gen_random_uuid(), 1, 'redelivery',
            'waiting', created_at, created_at, created_at
       from webhook_deliveries cross join generate_series(1, $1)`,
    [EACH],
  )
  receiver.received.length = 0
}

async function served(): Promise<void> {
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull(), LIMITS)
  await deliverer.round()
  await deliverer.settled()
}

/** As the worker does it: round after round. */
async function allDelivered(deliverer: Deliverer, count: number): Promise<void> {
  const states = () => sql(test, 'select state, count(*)::int from webhook_deliveries group by state')
  const rounds = async () => {
    await deliverer.round()
    await deliverer.settled()
    return states()
  }
  await expect.poll(rounds, { timeout: 60_000, interval: 20 }).toEqual([{ state: 'delivered', count }])
}

const leased = async () =>
  (await sql<{ count: number }>(test, 'select count(lease_token)::int from webhook_deliveries'))[0]!.count

it('holds no more than it may for endpoints that answer well and then not at all, and all of them get something', async () => {
  await withBacklogs(ENDPOINTS)
  const seen = new Map<string, number>()
  const held: (() => void)[] = []
  receiver.answer((message, response) => {
    const count = (seen.get(message.path) ?? 0) + 1
    seen.set(message.path, count)
    // Long enough to be trusted with more than is sent at once.
    if (count <= 40) withStatus(200)(message, response)
    else held.push(() => withStatus(200)(message, response))
  })
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull(), LIMITS)
  await deliverer.round()
  let most = 0
  // Every place of every wallet is with a receiver that does not answer.
  await expect
    .poll(
      async () => {
        most = Math.max(most, await leased())
        return held.length
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe((ENDPOINTS / 8) * 32)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(LIMITS.deliveries)
  expect(seen.size).toBe(ENDPOINTS)
  receiver.answer(withStatus(200))
  for (const release of held) release()
  await allDelivered(deliverer, ENDPOINTS * (EACH + 1))
})

it('goes on by itself with a share that is no more than what is sent at once: one round is enough', async () => {
  await withBacklogs(1)
  const limits = { deliveries: 8, bytes: 1_000_000 }
  const deliverer = createDeliverer(test.deps, (error) => expect(error).toBeNull(), limits)
  await deliverer.round()
  await deliverer.settled()
  expect(await sql(test, 'select state, count(*)::int from webhook_deliveries group by state')).toEqual([
    { state: 'delivered', count: EACH + 1 },
  ])
})

it('holds no more text than it may, and still sends what is larger than that', async () => {
  await withBacklogs(8)
  const eventTexts: typeof test.deps.outbound.eventTexts = async (scope, ids) => {
    const texts = await test.deps.outbound.eventTexts(scope, ids)
    return new Map([...texts].map(([id, text]) => [id, text.padEnd(100_000)]))
  }
  let most = 0
  const countAndAnswer = async (...[message, response]: Parameters<ReturnType<typeof withStatus>>) => {
    most = Math.max(most, await leased())
    withStatus(200)(message, response)
  }
  receiver.answer((message, response) => void countAndAnswer(message, response))
  const deps = { ...test.deps, outbound: { ...test.deps.outbound, eventTexts } }
  const limits = { deliveries: 10_000, bytes: 50_000 }
  const deliverer = createDeliverer(deps, (error) => expect(error).toBeNull(), limits)
  await allDelivered(deliverer, 8 * (EACH + 1))
  // What is being taken is weighed roughly before it is read: 24 of them at 2 KB.
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(32)
})
