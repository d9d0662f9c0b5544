// How endpoints do, in figures; and what was sent about one payout, to all of them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { deliverWebhooks } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { tidyWebhooks } from '../../src/domain/webhooks/tidy-webhooks.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, sql } from '../support/fixtures.ts'
import { type Receiver, startReceiver, withStatus } from '../support/receiver.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let receiver: Receiver
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
  receiver = await startReceiver()
})
afterEach(async () => {
  await sql(test, `update webhook_endpoints set status = 'paused' where partner_id = $1`, [partner.id])
  await receiver.close()
})

const AT = '/v1/webhook-endpoints'
const post = (url: string, payload: object) =>
  test.request({ method: 'POST', url, payload, headers: { authorization: `Bearer ${partner.key}` } })
const anEndpoint = async (payload: object = {}): Promise<{ id: string }> =>
  (await post(AT, { url: receiver.url, events: ['payout.created'], ...payload })).json()
const now = async (id: string) => (await get(test, partner, `${AT}/${id}`)).json()
const deliver = () => deliverWebhooks(test.deps)

async function paid(times = 1): Promise<string> {
  let id = ''
  for (let count = 0; count < times; count++) id = (await createPayout(test, partner)).json().id
  await deliver()
  return id
}

describe('an endpoint', () => {
  it('says how many of the attempts of a day arrived, and how it last failed', async () => {
    const { id } = await anEndpoint()
    const begun = { attempts_24h: 0, delivered_24h: 0, success_rate_24h: null, last_failure: null }
    expect(await now(id)).toMatchObject(begun)
    await paid(2)
    expect(await now(id)).toMatchObject({ attempts_24h: 2, delivered_24h: 2, success_rate_24h: 1, last_failure: null })
    receiver.answer(withStatus(503))
    await paid()
    const failing = { attempts_24h: 3, delivered_24h: 2, success_rate_24h: 0.6666 }
    const { last_failure: last, ...failed } = await now(id)
    expect(failed).toMatchObject(failing)
    const [{ id: deliveryId }] = (await get(test, partner, `${AT}/${id}/deliveries?state=waiting`)).json().data
    const [attempt] = (await get(test, partner, `/v1/deliveries/${deliveryId}`)).json().attempt_list
    expect(last).toEqual({ at: attempt.at, status: 503, error: 'http_status' })
    expect((await get(test, partner, AT)).json().data).toEqual([await now(id)])
    receiver.answer(withStatus(200))
    test.clock.advance(3_600_000)
    await deliver()
    expect(await now(id)).toMatchObject({ attempts_24h: 4, delivered_24h: 3, success_rate_24h: 0.75 })
    // A day later nothing of it counts, and the last failure is still known.
    test.clock.advance(24 * 3_600_000)
    expect(await now(id)).toMatchObject({ ...begun, last_failure: last })
  })

  it('is counted apart from others, and from what was sent a second time by somebody who had lost its lease', async () => {
    const [one, other] = [await anEndpoint(), await anEndpoint({ events: ['payout.failed'] })]
    receiver.answer((_received, response) => {
      void sql(test, `update webhook_deliveries set lease_token = gen_random_uuid() where endpoint_id = $1`, [
        one.id,
      ]).then(() => response.writeHead(200).end())
    })
    await paid()
    expect(await now(one.id)).toMatchObject({ attempts_24h: 0, delivered_24h: 0 })
    expect(await now(other.id)).toMatchObject({ attempts_24h: 0, delivered_24h: 0 })
  })

  it('keeps the hours of two days, and no more', async () => {
    const { id } = await anEndpoint()
    await paid()
    test.clock.advance(47 * 3_600_000)
    await paid()
    const hours = () => sql(test, 'select hour from webhook_hours where endpoint_id = $1', [id])
    await tidyWebhooks(test.deps)
    expect(await hours()).toHaveLength(2)
    test.clock.advance(2 * 3_600_000)
    await tidyWebhooks(test.deps)
    expect(await hours()).toHaveLength(1)
  })
})

describe('GET /v1/deliveries?subject=', () => {
  const about = async (subject: string, query = '') =>
    (await get(test, partner, `/v1/deliveries?subject=${subject}${query}`)).json()

  it('has what was sent about a payout to every endpoint, the newest first, and nothing else', async () => {
    const first = await anEndpoint()
    const second = await anEndpoint({ events: ['*'] })
    const payoutId = await paid()
    await paid()
    const { data, has_more: hasMore } = await about(payoutId)
    const of = (id: string) => data.filter((each: { endpoint_id: string }) => each.endpoint_id === id)
    expect([of(first.id).length, of(second.id).length, data.length, hasMore]).toEqual([1, 2, 3, false])
    expect(data.every((each: { subject_id: string }) => each.subject_id === payoutId)).toBe(true)
    const ids = data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    // What is sent again is there too, and what was sent to an endpoint that is deleted is not.
    await post(`/v1/events/${of(first.id)[0].event_id}/redeliver`, { endpoint_id: first.id })
    expect((await about(payoutId)).data[0]).toMatchObject({ cause: 'redelivery', state: 'waiting' })
    await test.request({
      method: 'DELETE',
      url: `${AT}/${second.id}`,
      headers: { authorization: `Bearer ${partner.key}` },
    })
    expect((await about(payoutId)).data.map(({ endpoint_id: id }: { endpoint_id: string }) => id)).toEqual([
      first.id,
      first.id,
    ])
  })

  it('comes in pages, each delivery on one of them', async () => {
    await anEndpoint({ events: ['*'] })
    await anEndpoint({ events: ['*'] })
    const payoutId = await paid()
    const whole = (await about(payoutId)).data
    const paged: unknown[] = []
    let cursor = ''
    do {
      const page = await about(payoutId, `&limit=1${cursor}`)
      paged.push(...page.data)
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : ''
    } while (cursor !== '')
    expect(paged).toEqual(whole)
    expect(whole).toHaveLength(4)
  })

  it('shows nothing to another business or in another environment, and asks for a subject', async () => {
    await anEndpoint()
    const payoutId = await paid()
    const other = await aPartner(test)
    expect((await get(test, other, `/v1/deliveries?subject=${payoutId}`)).json().data).toEqual([])
    await inLive(test, partner)
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    const seen = async (query: string) => (await ask(test, viewer, { url: `/v1/deliveries${query}` })).json()
    expect((await seen(`?subject=${payoutId}&environment=live`)).data).toEqual([])
    expect((await seen(`?subject=${payoutId}`)).data).toHaveLength(1)
    expect((await seen('')).error).toMatchObject({ code: 'invalid_request' })
    expect((await seen('?subject=all')).error).toMatchObject({ code: 'invalid_request' })
    expect((await seen(`?subject=${payoutId}&cursor=x`)).error).toMatchObject({ code: 'invalid_request' })
  })
})
