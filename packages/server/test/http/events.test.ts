// What changed, as it was then: each change of a payout has its event, and nobody else's is ever to be read.
import type { Event, EventList, Payout } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
  partner = await aPartner(test)
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

async function list(query = '', by: Pick<TestPartner, 'key'> = partner): Promise<EventList> {
  const reply = await get(test, by, `/v1/events${query}`)
  expect(reply.statusCode).toBe(200)
  return reply.json<EventList>()
}

/** The payouts that events are about. */
const payoutsOf = (events: readonly Event[]) =>
  new Set(events.filter(({ subject }) => subject.object === 'payout').map(({ subject }) => subject.id))

/** The events of one payout, the oldest first. */
const eventsOf = async (id: string): Promise<Event[]> => (await list(`?subject=${id}&limit=200`)).data.toReversed()
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
const readPayout = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json<Payout>()

async function pass(milliseconds: number): Promise<void> {
  test.clock.advance(milliseconds)
  await test.follow()
}

const STORIES = [
  { story: 'Invoice 1042', end: ['created', 'processing', 'completed'] },
  { story: 'sandbox:return', end: ['created', 'processing', 'completed', 'returned', 'refunded'] },
  { story: 'sandbox:fail', end: ['created', 'processing', 'failed', 'refunded'] },
  { story: 'sandbox:cancel', end: ['created', 'processing', 'cancelled', 'refunded'] },
  { story: 'sandbox:late', end: ['created', 'pending', 'processing', 'completed'] },
]

describe('the events of a payout', () => {
  it.each(STORIES)('of the story "$story" are its changes, each with the payout as it was', async ({ story, end }) => {
    const created = await createPayout(test, partner, { reference: story })
    const { quote: _, ...first } = created.json()
    const { id } = first
    const begun = await eventsOf(id)
    expect(begun.map(({ data }) => data)).toEqual(begun.map(() => first))
    expect(begun.map(({ request_id: by }) => by)).toEqual(begun.map(() => created.headers['x-request-id']))
    for (let round = 0; round < 80 && (await typesOf(id)).length < end.length; round++) {
      await pass(500)
      const now = await readPayout(id)
      const { data } = (await eventsOf(id)).at(-1)!
      // The bank may go on to where it can no longer be stopped; that changes nothing else.
      const isOnItsWay = now.status === 'processing'
      expect(data).toEqual(isOnItsWay ? { ...now, cancelable: data['cancelable'] } : now)
    }
    const events = await eventsOf(id)
    const isSkipped = (type: string) => type === 'payout.processing' && story === 'sandbox:late'
    expect(events.map(({ type }) => type).filter((type) => !isSkipped(type))).toEqual(
      end.map((type) => `payout.${type}`).filter((type) => !isSkipped(type)),
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_each, index) => index + 1))
    for (const event of events) {
      expect(event).toMatchObject({ object: 'event', environment: 'sandbox', subject: { object: 'payout', id } })
      expect(event.occurred_at).toBe(event.data['updated_at'])
      expect((await get(test, partner, `/v1/events/${event.id}`)).json()).toEqual(event)
    }
    const ids = events.map((event) => event.id)
    expect(ids).toEqual(ids.toSorted())
  })

  it('of one that is created as failed tell that it was created, that it failed and that the money is back', async () => {
    const recipient = aRecipient({ account_number: '12340000' })
    const { id, status } = (await createPayout(test, partner, { recipient })).json()
    expect(status).toBe('failed')
    expect(await typesOf(id)).toEqual(['payout.created', 'payout.failed', 'payout.refunded'])
  })

  it('are none where nothing was created', async () => {
    const before = (await list('?limit=1')).data[0]!.id
    expect((await createPayout(test, partner, { reference: 'sandbox:down' })).statusCode).toBe(502)
    expect((await createPayout(test, partner, { reference: 'sandbox:reject' })).statusCode).toBe(422)
    expect((await createPayout(test, partner, { amount_gbp: '20000.00' })).statusCode).toBe(402)
    expect((await list('?limit=1')).data[0]!.id).toBe(before)
  })

  it('are read the same where a row says what goes without saying, as those from before do', async () => {
    const { id } = (await createPayout(test, partner)).json()
    await pass(2_000)
    const events = await eventsOf(id)
    const rows = await sql(test, 'select status, send_state, subject_object from events where subject_id = $1', [id])
    expect(rows).toEqual(events.map(() => ({ status: null, send_state: null, subject_object: null })))
    await sql(
      test,
      `update events set subject_object = 'payout', send_state = 'accepted', refund_state = 'none',
              status = case type when 'payout.completed' then 'completed' else 'processing' end,
              completed_at = case type when 'payout.completed' then occurred_at end
        where subject_id = $1`,
      [id],
    )
    expect(await eventsOf(id)).toEqual(events)
  })

  it('begin to count when something changes, for a payout from before there were events', async () => {
    const { id } = (await createPayout(test, partner)).json()
    await sql(test, 'delete from events where subject_id = $1', [id])
    await sql(test, 'update payouts set event_count = 0 where id = $1', [id])
    await pass(2_000)
    expect((await eventsOf(id)).map(({ type, sequence }) => [type, sequence])).toEqual([['payout.completed', 1]])
  })
})

describe('GET /v1/events', () => {
  it('lists the newest first, in pages that neither lose nor repeat', async () => {
    const own = await aPartner(test)
    for (let count = 0; count < 3; count++) await createPayout(test, own)
    const whole = (await list('', own)).data
    expect(whole).toHaveLength(7)
    const found: Event[] = []
    let cursor: string | null = null
    do {
      const page: EventList = await list(`?limit=4${cursor === null ? '' : `&cursor=${cursor}`}`, own)
      found.push(...page.data)
      cursor = page.next_cursor
      expect(page.has_more).toBe(cursor !== null)
    } while (cursor !== null)
    expect(found).toEqual(whole)
  })

  it('goes on after an event, the oldest first', async () => {
    const own = await aPartner(test)
    for (let count = 0; count < 3; count++) await createPayout(test, own)
    const inOrder = (await list('', own)).data.toReversed()
    const first = inOrder[0]!.id
    const page = await list(`?after=${first}&limit=2`, own)
    expect(page.data).toEqual(inOrder.slice(1, 3))
    const rest = await list(`?after=${first}&limit=200&cursor=${page.next_cursor}`, own)
    expect(rest).toEqual({ object: 'list', data: inOrder.slice(3), has_more: false, next_cursor: null })
    expect((await list(`?after=${inOrder.at(-1)!.id}`, own)).data).toEqual([])
  })

  it('shows some types, and what one payout had of them', async () => {
    const own = await aPartner(test)
    const { id } = (await createPayout(test, own)).json()
    await createPayout(test, own)
    await pass(2_000)
    const types = async (query: string) => (await list(query, own)).data.map(({ type }) => type)
    expect(await types('?type=payout.created')).toEqual(['payout.created', 'payout.created'])
    const both = await list('?type=payout.completed,payout.created&limit=3', own)
    expect(both.data.map(({ type }) => type)).toEqual(['payout.completed', 'payout.completed', 'payout.created'])
    expect(await types(`?type=payout.completed&subject=${id.toUpperCase()}`)).toEqual(['payout.completed'])
    expect(await types(`?subject=nobody`)).toEqual([])
    expect(await types('?type=payout.cancelled')).toEqual([])
    expect(await types('?type=payout.completed&type=payout.cancelled')).toEqual(await types('?type=payout.completed'))
  })

  it('refuses a type that does not exist, and a place that it never gave out', async () => {
    for (const query of ['?type=payout.paid', '?type=', '?cursor=nonsense', '?cursor=__________8', '?limit=201']) {
      const reply = await get(test, partner, `/v1/events${query}`)
      expect([query, reply.statusCode, reply.json().error.code]).toEqual([query, 422, 'invalid_request'])
    }
  })

  it('knows nothing of events of another business, or of the other environment', async () => {
    const [own, other] = [await aPartner(test), await aPartner(test)]
    const live = await inLive(test, own, '1000.00')
    const { id } = (await createPayout(test, own)).json()
    const { id: liveId } = (await createPayout(test, live)).json()
    const [event, inLiveOnly] = [(await list('', own)).data[0]!.id, (await list('', live)).data[0]!.id]
    expect(payoutsOf((await list('', own)).data)).toEqual(new Set([id]))
    expect(payoutsOf((await list('', live)).data)).toEqual(new Set([liveId]))
    expect((await list(`?subject=${id}`, other)).data).toEqual([])
    const asked = [
      [other, event],
      [live, event],
      [own, inLiveOnly],
      [own, 'nonsense'],
    ] as const
    for (const [by, wanted] of asked) {
      expect((await get(test, by, `/v1/events/${wanted}`)).statusCode).toBe(404)
      const gone = await get(test, by, `/v1/events?after=${wanted}`)
      expect(gone.statusCode).toBe(404)
      // The same for all of them, and what a listener has to change.
      expect(gone.json().error).toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/^The event to go on after .* kept for 90 days.* Leave it out/),
      })
    }
    const viewer = await signedIn(test, own, { role: 'viewer' })
    const seen = async (query: string) =>
      (await test.request({ url: `/v1/events${query}`, headers: { cookie: viewer.cookie } })).json<EventList>().data
    expect(payoutsOf(await seen(''))).toEqual(new Set([id]))
    expect(payoutsOf(await seen('?environment=live'))).toEqual(new Set([liveId]))
  })

  it('tells of 90 days and no more', async () => {
    const own = await aPartner(test)
    await createPayout(test, own)
    const old = (await list('', own)).data[0]!.id
    test.clock.advance(91 * 86_400_000)
    const fresh = (await createPayout(test, own)).json().id
    expect(payoutsOf((await list('', own)).data)).toEqual(new Set([fresh]))
    expect((await get(test, own, `/v1/events/${old}`)).statusCode).toBe(404)
  })
})
