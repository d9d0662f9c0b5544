// Events reach receivers: signed, in order, again when they fail, and never because of one another.
import { createHmac, createPublicKey, verify } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { createDeliverer, deliverWebhooks } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { makeDeliveries } from '../../src/domain/webhooks/make-deliveries.ts'
import { tidyWebhooks } from '../../src/domain/webhooks/tidy-webhooks.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { newId } from '../../src/core/ids.ts'
import { insertDeliveries, listBusyEndpoints } from '../../src/storage/webhook-deliveries.ts'
import { deleteEndpoint, lockEndpoint } from '../../src/storage/webhook-endpoints.ts'
import { holdBack } from '../../src/storage/webhook-order.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { createWebhookSender } from '../../src/outbound/send-webhook.ts'
import { type TestApp, resolveForTests, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, sql } from '../support/fixtures.ts'
import { type Received, type Receiver, startReceiver, withStatus } from '../support/receiver.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let receiver: Receiver
beforeAll(async () => {
  const sender = createWebhookSender({ resolve: resolveForTests, timeoutMs: 1_000 })
  test = await startTestApp({ outbound: { sender } })
})
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
  receiver = await startReceiver()
})
afterEach(async () => {
  // What still waits belongs to a receiver that is gone.
  await sql(
    test,
    `update webhook_endpoints set deleted_at = created_at, secret_sealed = null, previous_secret_sealed = null,
    previous_secret_until = null where deleted_at is null`,
  )
  await receiver.close()
})

const AT = '/v1/webhook-endpoints'

function byKey(method: 'POST' | 'PATCH', url: string, payload: object, of = partner) {
  return test.request({ method, url, headers: { authorization: `Bearer ${of.key}` }, payload })
}
async function anEndpoint(payload: object = {}, of = partner): Promise<{ id: string; secret: string }> {
  return (await byKey('POST', AT, { url: receiver.url, ...payload }, of)).json()
}
async function paid(of = partner): Promise<string> {
  const { id } = (await createPayout(test, of)).json<{ id: string }>()
  test.clock.advance(5_000)
  await test.follow()
  return id
}
const deliver = () => deliverWebhooks(test.deps)
interface Delivery {
  id: string
  event_id: string
  event_type: string
  state: string
  attempts: number
  next_try_at: string | null
}
const deliveriesOf = async (id: string, query = ''): Promise<Delivery[]> =>
  (await get(test, partner, `${AT}/${id}/deliveries${query}`)).json().data
const endpointNow = async (id: string) => (await get(test, partner, `${AT}/${id}`)).json()
const typesReceived = () => receiver.received.map(({ event }) => event.type)
const inSeconds = (moment: string) => Math.round((Date.parse(moment) - test.clock.now().getTime()) / 1_000)

/** What the official library makes of a message, at the moment that the test's clock shows. */
function verified(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: test.clock.now() })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

describe('an event', () => {
  it('arrives as it is listed, in order, signed so that the official library and the public key verify it', async () => {
    const { id, secret } = await anEndpoint()
    const payoutId = await paid()
    await deliver()
    const listed = (await get(test, partner, `/v1/events?subject=${payoutId}`)).json().data
    expect(receiver.received.map(({ event }) => event)).toEqual(listed.toReversed())
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual([1, 2, 3])
    const [key] = (await test.request({ url: `/.well-known/kestrel-webhook-keys/${id}` })).json().data
    const x = Buffer.from(key.public_key.slice(5), 'base64').toString('base64url')
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    for (const { id: messageId, headers, body, event } of receiver.received) {
      expect(messageId).toBe(event.id)
      expect(verified(secret, { headers, body })).toEqual(event)
      const signature = headers['webhook-signature']!.split(' ')
        .find((each) => each.startsWith('v1a,'))!
        .slice(4)
      const text = Buffer.from(`${messageId}.${headers['webhook-timestamp']}.${body}`)
      expect(verify(null, text, publicKey, Buffer.from(signature, 'base64'))).toBe(true)
      expect(body).not.toContain('12345678')
    }
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'delivered' },
      { state: 'delivered' },
      { state: 'delivered' },
    ])
  })

  it('is sent to those that want its type, from the moment they are there, and to no other environment', async () => {
    await paid()
    const some = await anEndpoint({ events: ['payout.completed'] })
    const live = await signedIn(test, partner)
    const payload = { url: 'https://hooks.thistle.example/' }
    await test.request({
      method: 'POST',
      url: `${AT}?environment=live`,
      payload,
      headers: { cookie: live.cookie, origin: 'http://localhost:3000' },
    })
    await paid()
    await deliver()
    expect(typesReceived()).toEqual(['payout.completed'])
    expect(await deliveriesOf(some.id)).toHaveLength(1)
    const elsewhere = await sql(
      test,
      `select 1 from webhook_deliveries where partner_id = $1 and environment = 'live'`,
      [partner.id],
    )
    expect(elsewhere).toEqual([])
  })

  it('can be looked into: what is sent, and every attempt with its answer', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    const [listed] = await deliveriesOf(id)
    const looked = (await get(test, partner, `/v1/deliveries/${listed!.id}`)).json()
    expect(looked).toMatchObject({
      state: 'waiting',
      attempts: 1,
      payload: receiver.received[0]!.event,
      headers: { 'webhook-id': listed!.event_id, 'content-type': 'application/json' },
      attempt_list: [{ number: 1, status: 500, error: 'http_status', answer: 'answered 500' }],
    })
    expect(JSON.stringify(looked)).not.toContain('v1,')
    expect(await deliveriesOf(id, '?state=delivered')).toEqual([])
    expect(await deliveriesOf(id, '?state=waiting&type=payout.completed')).toHaveLength(1)
    expect(await deliveriesOf(id, `?event=${listed!.event_id}`)).toHaveLength(1)
    expect((await get(test, await aPartner(test), `/v1/deliveries/${listed!.id}`)).statusCode).toBe(404)
  })
})

describe('a receiver that fails', () => {
  it('is tried ten times over three days, with a new timestamp and the same id, and then no more', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    receiver.answer(withStatus(503))
    await paid()
    const begun = test.clock.now().getTime()
    await deliver()
    for (let attempts = 1; attempts < 10; attempts++) {
      const [waiting] = await deliveriesOf(id)
      expect(waiting).toMatchObject({ state: 'waiting', attempts })
      await deliver()
      expect(receiver.received).toHaveLength(attempts)
      test.clock.advance(Date.parse(waiting!.next_try_at!) - test.clock.now().getTime() + 1)
      await deliver()
    }
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', attempts: 10, next_try_at: null }])
    const hours = (test.clock.now().getTime() - begun) / 3_600_000
    expect(hours).toBeGreaterThan(75.6 * 0.9)
    expect(hours).toBeLessThan(75.6 * 1.1)
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  })

  it('is left alone as long as Retry-After says, up to an hour', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    receiver.answer(withStatus(429, { 'retry-after': '600' }))
    await paid()
    await deliver()
    expect(inSeconds((await deliveriesOf(id))[0]!.next_try_at!)).toBeGreaterThan(590)
    // Neither does anything else come meanwhile.
    await paid()
    await deliver()
    expect(receiver.received).toHaveLength(1)
    receiver.answer(withStatus(429, { 'retry-after': '999999' }))
    test.clock.advance(601_000)
    await deliver()
    expect(receiver.received).toHaveLength(2)
    const waits = (await deliveriesOf(id)).map((delivery) => inSeconds(delivery.next_try_at!))
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600)
    receiver.answer(withStatus(200))
    test.clock.advance(3_601_000)
    await deliver()
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  })

  it('is switched off by 410, and by its own wish, and its admins are told', async () => {
    const admin = await signedIn(test, partner)
    for (const [answer, reason] of [
      [withStatus(410), 'gone'],
      [withStatus(200, { 'webhook-delivery': 'disable' }), 'asked'],
    ] as const) {
      const { id } = await anEndpoint({ events: ['payout.completed'] })
      receiver.answer(answer)
      await paid()
      await deliver()
      expect(await endpointNow(id)).toMatchObject({ status: 'disabled', disabled_reason: reason })
    }
    const told = (await get(test, partner, '/v1/events?type=webhook_endpoint.disabled')).json().data
    expect(told).toMatchObject([
      { subject: { object: 'webhook_endpoint' }, data: { status: 'disabled', disabled_reason: 'asked' } },
      { subject: { object: 'webhook_endpoint' }, data: { status: 'disabled', disabled_reason: 'gone' } },
    ])
    // Whoever reads events need not know the whole address, nor who made it.
    expect(told[0].data).toMatchObject({ host: new URL(receiver.url).host })
    expect(JSON.stringify(told)).not.toMatch(/\/hook|created_by/)
    const mails = (await readMailbox(test.deps)).filter(({ to }) => to === admin.email)
    expect(mails.filter(({ subject }) => /was switched off/.test(subject))).toHaveLength(2)
    expect(JSON.stringify(mails)).not.toContain('/hook')
    const before = receiver.received.length
    await paid()
    await deliver()
    expect(receiver.received).toHaveLength(before)
  })

  it('gives up one message when it asks for that, and gets the next', async () => {
    const { id } = await anEndpoint({ events: ['payout.created', 'payout.completed'] })
    receiver.answer(({ event }, response) =>
      event.type === 'payout.created'
        ? withStatus(400, { 'webhook-delivery': 'abort-message' })({} as never, response)
        : withStatus(200)({} as never, response),
    )
    await paid()
    await deliver()
    expect(await deliveriesOf(id)).toMatchObject([
      { event_type: 'payout.completed', state: 'delivered' },
      { event_type: 'payout.created', state: 'failed', attempts: 1 },
    ])
  })

  it('by redirecting, hanging, talking without end or in a bomb costs one bounded attempt', async () => {
    const elsewhere = await startReceiver()
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    await paid()
    const attempt = async (how: Parameters<Receiver['answer']>[0]) => {
      receiver.answer(how)
      await deliver()
      test.clock.advance(12 * 3_600_000)
      const [{ id: deliveryId }] = (await deliveriesOf(id)) as [Delivery]
      return (await get(test, partner, `/v1/deliveries/${deliveryId}`)).json().attempt_list.at(-1)
    }
    expect(await attempt(withStatus(302, { location: elsewhere.url }))).toMatchObject({
      status: 302,
      error: 'redirect',
    })
    expect(elsewhere.received).toEqual([])
    expect(await attempt(() => undefined)).toMatchObject({ status: null, error: 'timeout' })
    expect(await attempt((_, response) => void response.socket!.destroy())).toMatchObject({ error: 'connection' })
    expect(await attempt((_, response) => void response.socket!.end('not http at all\r\n\r\n'))).toMatchObject({
      error: 'bad_answer',
    })
    const huge = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'y'.repeat(1_000)]))
    expect(await attempt(withStatus(200, huge))).toMatchObject({ status: null })
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const packed = await attempt(
      (_, response) => void response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb),
    )
    expect(packed.answer.length).toBeLessThanOrEqual(2_048)
    const endless = await attempt((_, response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(more))
    })
    expect(endless).toMatchObject({ status: 200, error: null, answer: 'x'.repeat(2_048) })
    await elsewhere.close()
  })

  it('for a day is told of by mail, once, and is switched off after five', async () => {
    const admin = await signedIn(test, partner)
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    expect((await endpointNow(id)).failing_since).not.toBeNull()
    const failFor = async (hours: number) => {
      await sql(test, `update webhook_endpoints set failing_since = $2 where id = $1`, [
        id,
        new Date(test.clock.now().getTime() - hours * 3_600_000),
      ])
      await paid()
      await deliver()
    }
    const subjects = async () =>
      (await readMailbox(test.deps)).filter(({ to }) => to === admin.email).map(({ subject }) => subject)
    await failFor(25)
    await failFor(26)
    expect((await subjects()).filter((subject) => /have not arrived for a day/.test(subject))).toHaveLength(1)
    expect((await endpointNow(id)).status).toBe('active')
    await failFor(121)
    expect(await endpointNow(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    expect((await deliveriesOf(id)).every(({ state }) => state === 'failed')).toBe(true)
    // Switched on again it gets what happens from then on; what it missed is replayed when somebody asks.
    await paid()
    receiver.answer(withStatus(200))
    const before = receiver.received.length
    await byKey('PATCH', `${AT}/${id}`, { status: 'active' })
    await deliver()
    expect(receiver.received).toHaveLength(before)
  })
})

describe('order', () => {
  const sequencesReceived = () => receiver.received.map(({ event }) => event.sequence)
  /** Of what has happened, and nothing is sent yet. */
  const made = (id: string) => makeDeliveries(test.deps, { partnerId: partner.id, environment: 'sandbox' }, id)
  const leasedOf = async (id: string, subjectId: string | null): Promise<number[]> => {
    const rows = await sql<{ sequence: number }>(
      test,
      `select sequence from webhook_deliveries
        where endpoint_id = $1 and lease_token is not null and ($2::uuid is null or subject_id = $2) order by sequence`,
      [id, subjectId],
    )
    return rows.map(({ sequence }) => sequence)
  }
  const leased = (id: string) => leasedOf(id, null)

  it('is kept per subject: a later event waits for the earlier, and at most a minute', async () => {
    await anEndpoint()
    receiver.answer(({ event }, response) => withStatus(event.sequence === 1 ? 500 : 200)({} as never, response))
    await paid()
    await deliver()
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual([1])
    test.clock.advance(10_000)
    await deliver()
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual([1, 1])
    test.clock.advance(61_000)
    await deliver()
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual(expect.arrayContaining([2, 3]))
  })

  it('does not depend on how long we were away: what was never tried is waited for', async () => {
    const { id } = await anEndpoint()
    await paid()
    await made(id)
    test.clock.advance(65_000)
    const taken: number[][] = []
    receiver.answer((...arrived) => {
      const noted = leased(id).then((sequences) => taken.push(sequences))
      void noted.finally(() => withStatus(200)(...arrived))
    })
    await deliver()
    expect(taken).toEqual([[1], [2], [3]])
    expect(sequencesReceived()).toEqual([1, 2, 3])
  })

  it('has a minute from the first attempt of the earlier event, however late that was', async () => {
    const { id } = await anEndpoint()
    receiver.answer((message, response) => withStatus(message.event.sequence === 1 ? 500 : 200)(message, response))
    await paid()
    await made(id)
    test.clock.advance(24 * 3_600_000)
    await deliver()
    test.clock.advance(58_000)
    await deliver()
    expect(sequencesReceived()).toEqual([1, 1])
    test.clock.advance(2_000)
    await deliver()
    expect(sequencesReceived()).toEqual([1, 1, 2, 3])
  })

  it('is not looked for over and over: what waits for one that failed is due again with it', async () => {
    const { id } = await anEndpoint()
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    const busy = await listBusyEndpoints(test.deps.db, test.clock.now())
    expect(busy.filter((endpoint) => endpoint.id === id)).toEqual([])
    const dues = (await deliveriesOf(id)).map((delivery) => delivery.next_try_at!)
    expect(dues).toHaveLength(3)
    expect(new Set(dues).size).toBe(1)
    receiver.answer(withStatus(200))
    test.clock.advance(Date.parse(dues[0]!) - test.clock.now().getTime())
    await deliver()
    expect(sequencesReceived()).toEqual([1, 1, 2, 3])
  })

  it('is not looked for when it has failed again either, until the minute is over', async () => {
    const { id } = await anEndpoint()
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    test.clock.advance(6_000)
    await deliver()
    const times = 'select next_try_at as due, in_order_until as until from webhook_deliveries where endpoint_id = $1'
    const [first, ...others] = await sql<{ due: Date; until: Date }>(test, `${times} order by sequence`, [id])
    expect(others.map(({ due }) => due)).toEqual([first!.until, first!.until])
    const busy = await listBusyEndpoints(test.deps.db, after(first!.until, -1))
    expect(busy.filter((endpoint) => endpoint.id === id)).toEqual([])
    receiver.answer(withStatus(200))
    test.clock.advance(60_000)
    await deliver()
    expect(sequencesReceived()).toEqual([1, 1, 2, 3])
  })

  it.each([
    ['a receiver that asked for two minutes', { 'retry-after': '120' }, 120],
    ['all of our workers that were away after one attempt', {}, 3_600],
  ])('is kept after %s: what is due at the same moment goes one by one', async (_, headers, seconds) => {
    const { id } = await anEndpoint()
    const late = await paid()
    await paid()
    receiver.answer((message, response) => {
      const isLate = message.event.subject.id === late
      return (isLate ? withStatus(503, headers) : withStatus(200))(message, response)
    })
    await deliver()
    test.clock.advance(seconds * 1_000)
    receiver.received.length = 0
    const together: number[] = []
    receiver.answer((...arrived) => {
      const noted = leasedOf(id, late).then((sequences) => together.push(sequences.length))
      void noted.finally(() => withStatus(200)(...arrived))
    })
    await deliver()
    const ofLate = receiver.received.filter(({ event }) => event.subject.id === late)
    expect(ofLate.map(({ event }) => event.sequence)).toEqual([1, 2, 3])
    expect(Math.max(...together)).toBe(1)
  })

  it('is held up for a minute at most by one that is not tried again for an hour', async () => {
    const { id } = await anEndpoint()
    receiver.answer(withStatus(500, { 'retry-after': '3600' }))
    await paid()
    await deliver()
    const dues = (await deliveriesOf(id)).map((delivery) => inSeconds(delivery.next_try_at!))
    expect(dues).toEqual([60, 60, 3_600])
  })

  it('is not changed by a worker whose lease is over', async () => {
    const { id } = await anEndpoint()
    await paid()
    await made(id)
    const scope = { partnerId: partner.id, environment: 'sandbox', id } as const
    const [, , first] = await sql<{ id: string; subjectId: string; sequence: number }>(
      test,
      'select id, subject_id as "subjectId", sequence from webhook_deliveries where endpoint_id = $1 order by sequence desc',
      [id],
    )
    const now = test.clock.now()
    const failed = { ...first!, nextTryAt: after(now, 5_000), inOrderUntil: after(now, 60_000) }
    await test.deps.db.inTransaction(async (tx) => holdBack(tx, scope, newId(now), failed))
    await deliver()
    expect(sequencesReceived()).toEqual([1, 2, 3])
  })

  it('is kept when a worker died with the first of them, and the next one sends all', async () => {
    const { id } = await anEndpoint()
    await paid()
    await made(id)
    test.clock.advance(65_000)
    await sql(
      test,
      `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = $2
        where endpoint_id = $1 and sequence = 1`,
      [id, new Date(test.clock.now().getTime() + 25_000)],
    )
    await deliver()
    expect(sequencesReceived()).toEqual([])
    test.clock.advance(25_000)
    await deliver()
    expect(sequencesReceived()).toEqual([1, 2, 3])
  })

  it('is kept, and all are sent, when a worker whose clock was ahead died with one of them', async () => {
    const { id } = await anEndpoint()
    await paid()
    await made(id)
    test.clock.advance(65_000)
    await sql(
      test,
      `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = $2
        where endpoint_id = $1 and sequence = 1`,
      [id, after(test.clock.now(), 30 * 24 * 3_600_000)],
    )
    await deliver()
    expect(sequencesReceived()).toEqual([1, 2, 3])
  })

  it('a paused endpoint keeps its events, and gets them in order when it is active again', async () => {
    const { id } = await anEndpoint()
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    const before = receiver.received.length
    await byKey('PATCH', `${AT}/${id}`, { status: 'paused' })
    await paid()
    test.clock.advance(3 * 24 * 3_600_000)
    await deliver()
    expect(receiver.received).toHaveLength(before)
    receiver.answer(withStatus(200))
    await byKey('PATCH', `${AT}/${id}`, { status: 'active' })
    await deliver()
    const subjects = [...groupBy(receiver.received.slice(before), ({ event }) => event.subject.id).values()]
    expect(subjects.map((each) => each.map(({ event }) => event.sequence))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })
})

it('an endpoint that was paused until its events were forgotten is not looked at for ever', async () => {
  const { id } = await anEndpoint()
  await byKey('PATCH', `${AT}/${id}`, { status: 'paused' })
  await paid()
  test.clock.advance(91 * 24 * 3_600_000)
  await byKey('PATCH', `${AT}/${id}`, { status: 'active' })
  await deliver()
  const busy = await listBusyEndpoints(test.deps.db, test.clock.now())
  expect(busy.filter((endpoint) => endpoint.id === id)).toEqual([])
  await paid()
  await deliver()
  expect(receiver.received.map(({ event }) => event.sequence)).toEqual([1, 2, 3])
})

describe('one receiver and another', () => {
  it('a dead one holds up nobody: others are sent to while it hangs, and it has eight places at most', async () => {
    const [slow, other] = [await startReceiver(), await aPartner(test)]
    const held: (() => void)[] = []
    slow.answer((_, response) => void held.push(() => response.end()))
    const { id } = await anEndpoint({ url: slow.url, events: ['payout.completed'] })
    await anEndpoint({ events: ['payout.completed'] }, other)
    for (let count = 0; count < 12; count++) await createPayout(test, partner)
    await paid(other)
    const errors: unknown[] = []
    const deliverer = createDeliverer(test.deps, (error) => errors.push(error))
    await deliverer.round()
    await expect.poll(() => [slow.received.length, receiver.received.length]).toEqual([8, 1])
    await deliverer.round()
    // Another worker counts what this one has under way.
    await deliver()
    expect([slow.received.length, receiver.received.length]).toEqual([8, 1])
    for (const release of held) release()
    await deliverer.settled()
    slow.answer(withStatus(200))
    await deliver()
    expect(errors).toEqual([])
    expect(new Set(slow.received.map((each) => each.id)).size).toBe(12)
    expect(await deliveriesOf(id)).toHaveLength(12)
    await slow.close()
  })

  it('two workers at once make each attempt once', async () => {
    const { id } = await anEndpoint()
    for (let count = 0; count < 6; count++) await paid()
    const workers = Array.from({ length: 4 }, () => createDeliverer(test.deps, (error) => expect(error).toBeNull()))
    for (let round = 0; round < 8; round++) {
      await Promise.all(workers.map((worker) => worker.round()))
      await Promise.all(workers.map((worker) => worker.settled()))
    }
    expect(receiver.received).toHaveLength(18)
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(18)
    expect((await deliveriesOf(id)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 18 }, () => ['delivered', 1]),
    )
  })

  it('a worker that is told to stop takes nothing more, and does not wait for whoever does not answer', async () => {
    const { id } = await anEndpoint({ events: ['payout.created'] })
    const held: (() => void)[] = []
    receiver.answer((_, response) => void held.push(() => response.end()))
    for (let count = 0; count < 12; count++) await createPayout(test, partner)
    const start = (deps: typeof test.deps) =>
      startWorker(deps, { sweepMs: 60_000, activityMonths: null }, { onFollowed: () => {}, onError: () => {} })
    const worker = start(test.deps)
    await expect.poll(() => held.length).toBe(8)
    const stopped = worker.stop()
    for (const release of held.splice(0)) release()
    await stopped
    expect(receiver.received).toHaveLength(8)
    expect(await deliveriesOf(id, '?state=delivered')).toHaveLength(8)
    let asked = 0
    const silent = { ...test.deps.outbound.sender, send: () => new Promise<never>(() => void asked++) }
    const hanging = start({ ...test.deps, outbound: { ...test.deps.outbound, sender: silent } })
    await expect.poll(() => asked).toBe(4)
    await hanging.stop()
    expect(await deliveriesOf(id, '?state=waiting')).toHaveLength(4)
  })

  it('an answer is recorded although the database was away when it came', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    await paid()
    let isAway = false
    receiver.answer((received, response) => {
      isAway = true
      withStatus(200)(received, response)
    })
    const db: typeof test.deps.db = {
      ...test.deps.db,
      inTransaction: (work) => {
        if (!isAway) return test.deps.db.inTransaction(work)
        isAway = false
        return Promise.reject(new Error('the database is away'))
      },
    }
    const errors: unknown[] = []
    const deliverer = createDeliverer({ ...test.deps, db }, (error) => errors.push(error))
    await deliverer.round()
    await deliverer.settled()
    expect(errors).toEqual([new Error('the database is away')])
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  it('an event that cannot be shown, or a secret that cannot be opened, is a failed attempt and stops nothing else', async () => {
    const [some, sealed] = [await anEndpoint(), await anEndpoint()]
    const other = await anEndpoint()
    await sql(test, `update webhook_endpoints set secret_sealed = 'no secret' where id = $1`, [sealed.id])
    for (let count = 0; count < 3; count++) await createPayout(test, partner)
    const { eventTexts } = test.deps.outbound
    const events = (await get(test, partner, '/v1/events?type=payout.created')).json().data as { id: string }[]
    const bad = events[1]!.id
    const outbound: typeof test.deps.outbound = {
      ...test.deps.outbound,
      eventTexts: (scope, ids) => (ids.includes(bad) ? Promise.reject(new Error('unknown')) : eventTexts(scope, ids)),
    }
    const deliverer = createDeliverer({ ...test.deps, outbound }, () => undefined)
    await deliverer.round()
    await deliverer.settled()
    for (const { id } of [some, other]) {
      const made = await deliveriesOf(id, '?type=payout.created')
      expect(made.filter(({ event_id }) => event_id !== bad).map(({ state }) => state)).toEqual([
        'delivered',
        'delivered',
      ])
      const [failed] = made.filter(({ event_id }) => event_id === bad)
      expect(failed).toMatchObject({ state: 'waiting', attempts: 1 })
      const { attempt_list } = (await get(test, partner, `/v1/deliveries/${failed!.id}`)).json()
      expect(attempt_list).toMatchObject([{ status: null, error: 'not_sent' }])
    }
    const shut = await deliveriesOf(sealed.id, '?type=payout.created')
    expect(shut).toHaveLength(3)
    expect(shut.every(({ state, attempts }) => state === 'waiting' && attempts === 1)).toBe(true)
    // The fault is ours, so the endpoint does not count as failing.
    expect((await endpointNow(sealed.id)).failing_since).toBeNull()
  })

  it('all endpoints of a wallet together have 32 places, although they are served at the same moment', async () => {
    for (let count = 0; count < 6; count++) await anEndpoint({ events: ['payout.created'] })
    for (let count = 0; count < 8; count++) await createPayout(test, partner)
    let asked = 0
    const silent = { ...test.deps.outbound.sender, send: () => new Promise<never>(() => void asked++) }
    const outbound = { ...test.deps.outbound, sender: silent }
    const deliverer = createDeliverer({ ...test.deps, outbound }, () => undefined)
    await deliverer.round()
    await expect.poll(() => asked).toBeGreaterThanOrEqual(32)
    await deliverer.round()
    await deliverer.stop()
    expect(asked).toBe(32)
  })

  it('a worker that dies in the middle loses nothing: the next sends it, and the late one changes nothing', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    await paid()
    let wake = () => {}
    const asleep = new Promise<void>((resolve) => (wake = resolve))
    const { sender } = test.deps.outbound
    const dying: typeof sender = {
      ...sender,
      send: async (request) => {
        await asleep
        return sender.send(request)
      },
    }
    const first = createDeliverer({ ...test.deps, outbound: { ...test.deps.outbound, sender: dying } }, () => undefined)
    await expect
      .poll(async () => {
        // As often as it takes: a database that is busy may refuse the first.
        await first.round()
        return sql(test, 'select 1 from webhook_deliveries where endpoint_id = $1 and lease_token is not null', [id])
      })
      .toHaveLength(1)
    await deliver()
    expect(receiver.received).toEqual([])
    test.clock.advance(61_000)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    wake()
    await first.settled()
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })
})

it('whatever a receiver does and whatever breaks, the ids received are exactly the events, and every signature verifies', async () => {
  const { id, secret } = await anEndpoint()
  const secrets = [secret]
  const answers = [200, 500, 200, 429, 'hang', 200, 302, 'reset', 200, 503] as const
  let turn = 0
  receiver.answer((_, response) => {
    const answer = answers[turn++ % answers.length]!
    if (answer === 'reset') response.socket!.destroy()
    else if (answer !== 'hang') withStatus(answer, { 'retry-after': '1' })(_, response)
  })
  const { sender } = test.deps.outbound
  let sent = 0
  // Every seventh attempt breaks here although it arrived.
  const mortal = {
    ...sender,
    send: (request: Parameters<typeof sender.send>[0]) => {
      const sending = sender.send(request)
      return ++sent % 7 === 0 ? sending.then(() => Promise.reject(new Error('it broke'))) : sending
    },
  }
  for (let count = 0; count < 8; count++) await createPayout(test, partner)
  test.clock.advance(5_000)
  await test.follow()
  for (let round = 0; round < 60; round++) {
    const deps = { ...test.deps, outbound: { ...test.deps.outbound, sender: mortal } }
    const workers = [0, 1].map(() => createDeliverer(deps, () => undefined))
    for (const worker of workers) await worker.round()
    for (const worker of workers) await worker.settled()
    if (round === 1) secrets.push((await byKey('POST', `${AT}/${id}/rotate-secret`, {})).json().secret)
    const waiting = await deliveriesOf(id, '?state=waiting')
    if (waiting.length === 0) break
    test.clock.advance(30 * 60_000)
    if (round > 6) receiver.answer(withStatus(200))
  }
  const all = (await get(test, partner, '/v1/events?limit=100')).json().data as { id: string; type: string }[]
  const listed = all.filter(({ type }) => type.startsWith('payout.'))
  expect(listed.length).toBeGreaterThanOrEqual(24)
  const arrived = receiver.received.filter(({ event }) => event.type.startsWith('payout.'))
  expect(new Set(arrived.map((each) => each.id))).toEqual(new Set(listed.map((event) => event.id)))
  expect((await deliveriesOf(id)).every(({ state }) => state === 'delivered')).toBe(true)
  for (const { id: messageId, headers, body } of receiver.received) {
    const text = `${messageId}.${headers['webhook-timestamp']}.${body}`
    const made = secrets.map((each) =>
      createHmac('sha256', Buffer.from(each.slice(6), 'base64'))
        .update(text)
        .digest('base64'),
    )
    expect(made.some((signature) => headers['webhook-signature']!.includes(`v1,${signature}`))).toBe(true)
  }
})

describe('sending again', () => {
  it('a test is one signed attempt while the caller waits, and is not kept', async () => {
    const { id, secret } = await anEndpoint()
    const sent = (await byKey('POST', `${AT}/${id}/test`, {})).json()
    expect(sent).toMatchObject({ delivered: true, status: 200, error: null, answer: 'answered 200' })
    const [{ headers, body, event }] = receiver.received as [(typeof receiver.received)[0]]
    expect(event.type).toBe('ping')
    expect(verified(secret, { headers, body })).toEqual(JSON.parse(sent.body))
    receiver.answer(withStatus(500))
    const failed = (await byKey('POST', `${AT}/${id}/test`, { type: 'payout.failed' })).json()
    expect(failed).toMatchObject({ delivered: false, status: 500, error: 'http_status' })
    expect(receiver.received[1]!.event).toMatchObject({ type: 'payout.failed', data: { status: 'failed' } })
    expect((await byKey('POST', `${AT}/${id}/test`, { type: 'payout.unknown' })).statusCode).toBe(422)
    expect(await deliveriesOf(id)).toEqual([])
    expect((await endpointNow(id)).failing_since).toBeNull()
  })

  it('an event is sent again with the same id and body, signed by both secrets during a rotation', async () => {
    const { id, secret } = await anEndpoint({ events: ['payout.completed'] })
    await paid()
    await deliver()
    const { secret: next } = (await byKey('POST', `${AT}/${id}/rotate-secret`, { grace_seconds: 3_600 })).json()
    const [first] = receiver.received
    const again = await byKey('POST', `/v1/events/${first!.id}/redeliver`, {})
    expect([again.statusCode, again.json().data]).toMatchObject([202, [{ event_id: first!.id, cause: 'redelivery' }]])
    await deliver()
    const second = receiver.received[1]!
    expect([second.id, second.body]).toEqual([first!.id, first!.body])
    for (const each of [secret, next]) expect(verified(each, second)).toBeTruthy()
    test.clock.advance(3_601_000)
    await byKey('POST', `/v1/events/${first!.id}/redeliver`, { endpoint_id: id })
    await deliver()
    const third = receiver.received[2]!
    expect(third.headers['webhook-signature']!.split(' ').map((each) => each.split(',')[0])).toEqual(['v1', 'v1a'])
    const unknown = '01a1946c-7be0-76f0-b316-00a35a099950'
    expect((await byKey('POST', `/v1/events/${unknown}/redeliver`, {})).statusCode).toBe(404)
    expect((await byKey('POST', `/v1/events/${first!.id}/redeliver`, { endpoint_id: unknown })).statusCode).toBe(404)
  })

  it('a time is replayed: what failed, or all of it, with the same ids', async () => {
    const from = new Date(test.clock.now().getTime() - 1_000).toISOString()
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    await paid()
    await deliver()
    receiver.answer(withStatus(400, { 'webhook-delivery': 'abort-message' }))
    await paid()
    await deliver()
    receiver.answer(withStatus(200))
    const ids = receiver.received.map((each) => each.id)
    const replayed = async (payload: object) => {
      const reply = await byKey('POST', `${AT}/${id}/replay`, payload)
      receiver.received.length = 0
      await deliver()
      return [reply.statusCode, reply.json().deliveries, receiver.received.map((each) => each.id)]
    }
    expect(await replayed({ from })).toEqual([202, 1, [ids[1]]])
    expect(await replayed({ from })).toEqual([202, 0, []])
    expect(await replayed({ from, only: 'all' })).toEqual([202, 2, ids])
    expect((await byKey('POST', `${AT}/${id}/replay`, { from, to: from })).statusCode).toBe(422)
    await sql(
      test,
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone', disabled_at = now() where id = $1`,
      [id],
    )
    const off = await byKey('POST', `${AT}/${id}/replay`, { from, only: 'all' })
    expect([off.statusCode, off.json().error.message]).toEqual([422, expect.stringContaining('is switched off')])
    expect((await deliveriesOf(id)).filter(({ state }) => state === 'waiting')).toEqual([])
    await byKey('PATCH', `${AT}/${id}`, { status: 'active' })
    expect((await byKey('POST', `${AT}/${id}/replay`, { from: '2026-12-31T23:59:60Z' })).statusCode).toBe(422)
    expect(await replayed({ from: '0001-01-01T00:00:00Z', to: '0002-01-01T00:00:00Z' })).toEqual([202, 0, []])
    expect((await get(test, partner, `${AT}/${id}/deliveries?from=2026-12-31T23:59:60Z`)).statusCode).toBe(422)
  })

  it('no business replays without end: after twenty at once it has to wait', async () => {
    const { id } = await anEndpoint()
    const from = test.clock.now().toISOString()
    test.clock.advance(1_000)
    const ask = () => byKey('POST', `${AT}/${id}/replay`, { from, only: 'all' })
    for (let count = 0; count < 20; count++) expect((await ask()).statusCode).toBe(202)
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    // What has passed meanwhile is not waited for once more.
    const wait = Number(refused.headers['retry-after'])
    expect([wait > 540, wait <= 600]).toEqual([true, true])
    test.clock.advance(600_000)
    expect((await ask()).statusCode).toBe(202)
  })
})

describe('whoever writes deliveries', () => {
  const isAnybodyWaiting = () =>
    sql(test, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  const waiting = (id: string) =>
    sql(test, `select 1 from webhook_deliveries where endpoint_id = $1 and state = 'waiting'`, [id])
  const TOUCH = {
    name: 'touch_deliveries',
    text: 'select 1 from webhook_deliveries where endpoint_id = $1 for update nowait',
  }

  it('locks the endpoint first: deleting it stands in nobody’s way, and leaves nothing that waits', async () => {
    const { id } = await anEndpoint({ events: ['payout.completed'] })
    receiver.answer(withStatus(500))
    await paid()
    await deliver()
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    let deleting: Promise<unknown> = Promise.resolve()
    await test.deps.db.inTransaction(async (tx) => {
      const endpoint = (await lockEndpoint(tx, scope, id))!
      deleting = test.request({
        method: 'DELETE',
        url: `${AT}/${id}`,
        headers: { authorization: `Bearer ${partner.key}` },
      })
      await expect.poll(isAnybodyWaiting).toHaveLength(1)
      await tx.query(TOUCH, [id])
      const event = { eventType: 'payout.completed', subjectId: newId(test.clock.now()), sequence: 1 }
      const made = { ...event, id: newId(test.clock.now()), eventId: newId(test.clock.now()) }
      const at = test.clock.now()
      insertDeliveries(tx, endpoint, { cause: 'event', at, inOrderUntil: at, deliveries: [made] })
    })
    expect(await deleting).toMatchObject({ statusCode: 200 })
    expect(await waiting(id)).toEqual([])
  })

  it('sends nothing again to an endpoint that is deleted meanwhile, or switched off', async () => {
    const [gone, off] = [await anEndpoint(), await anEndpoint()]
    await paid()
    await deliver()
    const again = (payload: object) => byKey('POST', `/v1/events/${receiver.received[0]!.id}/redeliver`, payload)
    let asked: ReturnType<typeof again> | null = null
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    await test.deps.db.inTransaction(async (tx) => {
      await lockEndpoint(tx, scope, gone.id)
      asked = again({ endpoint_id: gone.id })
      await expect.poll(isAnybodyWaiting).toHaveLength(1)
      deleteEndpoint(tx, scope, gone.id, test.clock.now())
    })
    expect((await asked!).statusCode).toBe(404)
    await sql(
      test,
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone', disabled_at = created_at where id = $1`,
      [off.id],
    )
    expect((await again({ endpoint_id: off.id })).json()).toMatchObject({ error: { code: 'invalid_request' } })
    expect((await again({})).json().data).toEqual([])
    expect([...(await waiting(gone.id)), ...(await waiting(off.id))]).toEqual([])
  })
})

it('deliveries are forgotten with their events', async () => {
  const { id } = await anEndpoint({ events: ['payout.completed'] })
  await paid()
  await deliver()
  test.clock.advance(89 * 24 * 3_600_000)
  await tidyWebhooks(test.deps)
  expect(await deliveriesOf(id)).toHaveLength(1)
  test.clock.advance(2 * 24 * 3_600_000)
  await tidyWebhooks(test.deps)
  expect(await deliveriesOf(id)).toEqual([])
  expect(await sql(test, 'select 1 from webhook_attempts where partner_id = $1', [partner.id])).toEqual([])
})
