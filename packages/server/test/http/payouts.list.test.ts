import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'
import { inPlaceOf } from '../support/in-place-of.ts'

interface Page {
  data: { id: string; status: string; reference: string; created_at: string }[]
  has_more: boolean
  next_cursor: string | null
}

let test: TestApp
beforeAll(async () => {
  // The clock stands still and each payout moves it on, so that their order is known.
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const list = (partner: Pick<TestPartner, 'key'>, query = '') => get(test, partner, `/v1/payouts${query}`)

const page = async (partner: Pick<TestPartner, 'key'>, query = ''): Promise<Page> => (await list(partner, query)).json()

const ids = async (partner: Pick<TestPartner, 'key'>, query = '') =>
  (await page(partner, query)).data.map((each) => each.id)

async function pay(partner: TestPartner, body: PayoutBody = {}, headers: Record<string, string> = {}): Promise<string> {
  test.clock.advance(1)
  const reply = await createPayout(test, partner, { amount_gbp: '1.00', ...body }, headers)
  expect(reply.statusCode).toBe(201)
  return reply.json().id
}

async function payMany(partner: TestPartner, count: number): Promise<string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index++) made.unshift(await pay(partner))
  return made
}

/** Follows the cursor to the end; `between` runs before each next page. */
async function everyPage(
  partner: TestPartner,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    if (pages.length > 0) await between()
    const next: Page = await page(partner, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    pages.push(next.data.map((each) => each.id))
    expect(next.has_more).toBe(next.next_cursor !== null)
    cursor = next.next_cursor
  }
  return pages
}

describe('GET /v1/payouts, 200', () => {
  it('is empty before the first payout', async () => {
    const reply = await list(await aPartner(test))
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null })
  })

  it('shows each payout as it is read alone', async () => {
    const partner = await aPartner(test)
    const id = await pay(partner)
    const alone = await get(test, partner, `/v1/payouts/${id}`)
    expect((await page(partner)).data).toEqual([alone.json()])
  })

  it('shows the newest first', async () => {
    const partner = await aPartner(test)
    const newestFirst = await payMany(partner, 4)
    expect(await ids(partner)).toEqual(newestFirst)
  })

  it('shows a payout of any ending, and none that was never created', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner, { reference: 'sandbox:down' })
    await createPayout(test, partner, { reference: 'sandbox:reject' })
    await createPayout(test, partner, { amount_gbp: '20000.00' })
    const failed = await pay(partner, { recipient: aRecipient({ account_number: '12340000' }) })
    const pending = await pay(partner, { reference: 'sandbox:late' })
    expect((await page(partner)).data.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: pending, status: 'pending' },
      { id: failed, status: 'failed' },
    ])
  })

  it('shows the payouts of the environment of the key, whatever the parameter says', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '100.00')
    const [inSandbox, inLiveId] = [await pay(partner), await pay(live)]
    for (const query of ['', '?environment=sandbox', '?environment=live']) {
      expect(await ids(partner, query)).toEqual([inSandbox])
      expect(await ids(live, query)).toEqual([inLiveId])
    }
  })

  it("never shows another partner's payouts", async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    await pay(other)
    expect(await ids(one)).toEqual([])
  })

  it('shows a payout that was first refused with 502 in the place of the moment it was created', async () => {
    const rail = anObligingRail()
    const down = { ...rail, submit: () => Promise.resolve({ kind: 'not_sent', reason: 'Down.' } as const) }
    const own = await startTestApp({ rail: down })
    const partner = await aPartner(own)
    const key = { 'idempotency-key': anIdempotencyKey() }
    expect((await createPayout(own, partner, {}, key)).statusCode).toBe(502)
    Object.assign(own.deps.rails, { simulated: inPlaceOf(own.deps.rails.simulated, rail) })
    own.clock.advance(60_000)
    const other = (await createPayout(own, partner)).json()
    own.clock.advance(60_000)
    const retried = (await createPayout(own, partner, {}, key)).json()
    const { data }: Page = (await get(own, partner, '/v1/payouts')).json()
    await own.close()
    expect(retried.created_at > other.created_at).toBe(true)
    expect(data.map((each) => each.id)).toEqual([retried.id, other.id])
  })
})

describe('GET /v1/payouts?limit, 200', () => {
  let partner: TestPartner
  let newestFirst: string[]
  beforeAll(async () => {
    partner = await aPartner(test)
    newestFirst = await payMany(partner, 52)
  })

  it('shows 50 when no limit is given', async () => {
    const reply = await page(partner)
    expect(reply.data.map((each) => each.id)).toEqual(newestFirst.slice(0, 50))
    expect(reply.has_more).toBe(true)
  })

  it.each([1, 2, 51])('shows %i when asked for as many, and that there are more', async (limit) => {
    const reply = await page(partner, `?limit=${limit}`)
    expect(reply.data.map((each) => each.id)).toEqual(newestFirst.slice(0, limit))
    expect(reply).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  })

  it.each([
    { limit: 52, why: 'exactly as many as there are' },
    { limit: 53, why: 'one more' },
    { limit: 200, why: 'the most that can be asked for' },
  ])('shows all of them for limit=$limit, and no next page: $why', async ({ limit }) => {
    const reply = await page(partner, `?limit=${limit}`)
    expect(reply.data.map((each) => each.id)).toEqual(newestFirst)
    expect(reply).toMatchObject({ has_more: false, next_cursor: null })
  })

  it.each([1, 7, 26, 50])('gives every payout once, in order, over pages of %i', async (limit) => {
    const pages = await everyPage(partner, `limit=${limit}`)
    expect(pages.flat()).toEqual(newestFirst)
    expect(pages.length).toBe(Math.ceil(52 / limit))
  })

  it('keeps the filter over the pages', async () => {
    const own = await aPartner(test)
    const wanted: string[] = []
    for (let index = 0; index < 5; index++) {
      wanted.unshift(await pay(own, { reference: 'wanted' }))
      await pay(own, { reference: 'unwanted' })
    }
    const pages = await everyPage(own, 'limit=2&reference=wanted')
    expect(pages.map((each) => each.length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(wanted)
  })

  it('leaves no gap and repeats nothing while new payouts arrive and old ones move', async () => {
    const own = await aPartner(test)
    const before = await payMany(own, 9)
    const pages = await everyPage(own, 'limit=2', async () => {
      await pay(own)
      await pay(own)
      test.clock.advance(2_000)
      await test.follow()
    })
    expect(pages.flat()).toEqual(before)
  })

  it('goes on from a cursor whose payout is not in the filter any more', async () => {
    const own = await aPartner(test)
    const [newest, middle, oldest] = [...(await payMany(own, 3))]
    const first = await page(own, '?limit=2&status=processing')
    expect(first.data.map((each) => each.id)).toEqual([newest, middle])
    test.clock.advance(2_000)
    await test.follow()
    expect(await ids(own, `?status=completed&cursor=${first.next_cursor}`)).toEqual([oldest])
  })

  it("never shows another partner's payouts for that partner's cursor", async () => {
    const own = await aPartner(test)
    await payMany(own, 2)
    const { next_cursor: foreign } = await page(partner, '?limit=1')
    const mine = await ids(own)
    expect((await ids(own, `?cursor=${foreign}`)).filter((id) => !mine.includes(id))).toEqual([])
  })
})

describe('GET /v1/payouts with filters, 200', () => {
  let partner: TestPartner
  const made: Record<string, string> = {}
  const key = anIdempotencyKey()
  beforeAll(async () => {
    partner = await aPartner(test)
    made['completed'] = await pay(partner, { reference: 'Invoice 1' })
    made['failed'] = await pay(partner, { recipient: aRecipient({ account_number: '12340000' }) })
    made['cancelled'] = await pay(partner, { reference: 'sandbox:cancel' })
    made['returned'] = await pay(partner, { reference: 'sandbox:return' })
    test.clock.advance(4_000)
    await test.follow()
    made['processing'] = await pay(partner, { reference: 'sandbox:hold' })
    made['pending'] = await pay(partner, { reference: 'sandbox:late' }, { 'idempotency-key': key })
  })

  it.each(['pending', 'processing', 'completed', 'failed', 'cancelled', 'returned'])(
    'shows those that are %s',
    async (status) => {
      expect(await ids(partner, `?status=${status}`)).toEqual([made[status]])
    },
  )

  it('shows those with exactly a reference', async () => {
    expect(await ids(partner, '?reference=Invoice%201')).toEqual([made['completed']])
    expect(await ids(partner, '?reference=Invoice')).toEqual([])
    expect(await ids(partner, '?reference=invoice%201')).toEqual([])
    expect(await ids(partner, '?reference=%25')).toEqual([])
  })

  it('tells an empty reference from none', async () => {
    const own = await aPartner(test)
    const empty = await pay(own, { reference: '' })
    await createPayout(test, own, { reference: undefined })
    expect(await ids(own, '?reference=')).toEqual([empty])
  })

  it('finds the payout that a key made, which settles whether a request arrived', async () => {
    expect(await ids(partner, `?idempotency_key=${key}`)).toEqual([made['pending']])
    expect(await ids(partner, `?idempotency_key=${key}x`)).toEqual([])
  })

  it('shows those created from a moment on, the moment itself included', async () => {
    const { created_at: moment } = (await get(test, partner, `/v1/payouts/${made['processing']}`)).json()
    const justAfter = new Date(new Date(moment).getTime() + 1).toISOString()
    expect(await ids(partner, `?created_from=${moment}`)).toEqual([made['pending'], made['processing']])
    expect(await ids(partner, `?created_from=${justAfter}`)).toEqual([made['pending']])
  })

  it('shows those created before a moment, the moment itself excluded', async () => {
    const { created_at: moment } = (await get(test, partner, `/v1/payouts/${made['failed']}`)).json()
    const justAfter = new Date(new Date(moment).getTime() + 1).toISOString()
    expect(await ids(partner, `?created_to=${moment}`)).toEqual([made['completed']])
    expect(await ids(partner, `?created_to=${justAfter}`)).toEqual([made['failed'], made['completed']])
  })

  it('reads a moment in any zone', async () => {
    const { created_at: moment } = (await get(test, partner, `/v1/payouts/${made['processing']}`)).json()
    const anHourAhead = new Date(new Date(moment).getTime() + 3_600_000).toISOString().replace('Z', '+01:00')
    expect(await ids(partner, `?created_from=${encodeURIComponent(anHourAhead)}`)).toEqual([
      made['pending'],
      made['processing'],
    ])
  })

  it.each([
    { query: 'created_from=0000-01-01T00:00:00Z', count: 6, why: 'the first moment that can be written' },
    { query: 'created_from=9999-12-31T23:59:59Z', count: 0, why: 'the last' },
    { query: 'created_to=0000-01-01T00:00:00Z', count: 0, why: 'nothing is that old' },
    { query: 'created_to=9999-12-31T23:59:59-23:59', count: 6, why: 'a moment in the year 10000' },
  ])('accepts ?$query: $why', async ({ query, count }) => {
    const reply = await list(partner, `?${query}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().data.length).toBe(count)
  })

  it('shows what fits all filters at once', async () => {
    expect(await ids(partner, `?status=pending&reference=sandbox:late&idempotency_key=${key}`)).toEqual([
      made['pending'],
    ])
    expect(await ids(partner, `?status=completed&idempotency_key=${key}`)).toEqual([])
  })

  it('does not find an attempt that came to nothing by its key', async () => {
    const down = { 'idempotency-key': anIdempotencyKey() }
    await createPayout(test, partner, aPayoutBody({ reference: 'sandbox:down' }), down)
    expect(await ids(partner, `?idempotency_key=${down['idempotency-key']}`)).toEqual([])
  })
})

describe('GET /v1/payouts, 422', () => {
  let partner: TestPartner
  beforeAll(async () => {
    partner = await aPartner(test)
  })

  it.each([
    { limit: '0', why: 'below the least' },
    { limit: '-1', why: 'negative' },
    { limit: '201', why: 'above the most' },
    { limit: '1.5', why: 'not whole' },
    { limit: 'ten', why: 'a word' },
    { limit: '', why: 'empty' },
    { limit: 'NaN', why: 'not a number' },
    { limit: 'Infinity', why: 'no end' },
    { limit: 'null', why: 'nothing' },
    { limit: 'true', why: 'a boolean' },
    { limit: '99999999999999999999', why: 'far too large' },
    { limit: '10;drop', why: 'more than a number' },
    { limit: '1e2', why: 'an exponent' },
    { limit: '0x10', why: 'hexadecimal' },
    { limit: '%2010', why: 'a space in front' },
    { limit: '%D9%A1', why: 'a digit of another script' },
    { limit: '10&limit=20', why: 'given twice' },
  ])('refuses limit=$limit: $why', async ({ limit }) => {
    const reply = await list(partner, `?limit=${limit}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['limit (a whole number from 1 to 200)'] },
    })
  })

  it.each([
    { query: 'status=done', field: 'status (payout statuses with commas between them)', why: 'no such status' },
    { query: 'status=Completed', field: 'status (payout statuses with commas between them)', why: 'upper case' },
    { query: 'status=', field: 'status (payout statuses with commas between them)', why: 'empty' },
    { query: 'status=failed&status=', field: 'status (payout statuses with commas between them)', why: 'one is empty' },
    { query: 'limit=1&limit=2', field: 'limit (a whole number from 1 to 200)', why: 'given twice' },
    { query: `reference=${'x'.repeat(121)}`, field: 'reference (at most 120 characters)', why: 'too long' },
    { query: `idempotency_key=${'x'.repeat(101)}`, field: 'idempotency_key (at most 100 characters)', why: 'too long' },
    { query: 'offset=10', field: 'offset (not a known field)', why: 'not a parameter of this list' },
    { query: 'Limit=10', field: 'Limit (not a known field)', why: 'names have one spelling' },
    { query: 'limit[]=10', field: 'limit[] (not a known field)', why: 'no lists' },
    { query: '__proto__=1', field: '__proto__ (not a known field)', why: 'a name that poisons' },
  ])('refuses ?$query: $why', async ({ query, field }) => {
    const reply = await list(partner, `?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } })
  })

  it.each([
    { moment: '2026-11-01', why: 'a day' },
    { moment: '2026-11-01T00:00:00', why: 'no zone' },
    { moment: '2026-02-30T00:00:00Z', why: 'a day that does not exist' },
    { moment: '2026-12-31T23:59:60Z', why: 'a leap second is no moment that can be compared' },
    { moment: '2026-11-01T24:00:00Z', why: 'an hour that does not exist' },
    { moment: '1762000000', why: 'seconds' },
    { moment: 'yesterday', why: 'a word' },
    { moment: '', why: 'empty' },
    { moment: '2026-11-01T00:00:00+01:00', why: 'a plus that is not encoded is a space' },
  ])('refuses $moment as a moment: $why', async ({ moment }) => {
    for (const name of ['created_from', 'created_to', 'completed_from', 'completed_to', 'ended_from', 'ended_to']) {
      const reply = await list(partner, `?${name}=${moment}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json().error).toMatchObject({
        code: 'invalid_request',
        details: { fields: [`${name} (a date-time such as 2026-11-01T00:00:00Z)`] },
      })
    }
  })

  it.each([
    { cursor: 'next', why: 'a word' },
    { cursor: '', why: 'empty' },
    { cursor: '2', why: 'a number' },
    { cursor: 'AAAA', why: 'too short to be an id' },
    { cursor: 'A'.repeat(23), why: 'too long to be an id' },
    { cursor: `${'A'.repeat(22)}==`, why: 'padded' },
    { cursor: `${'A'.repeat(21)}%2B`, why: 'of another alphabet' },
    { cursor: `${'A'.repeat(21)}B`, why: 'bits that no cursor has' },
    { cursor: '019a0000-0000-7000-8000-000000000000', why: 'an id as it is' },
    { cursor: '%00', why: 'NUL' },
    { cursor: '_-FN9z0kAAAAAAAAAAAAAAAAAAAAAAAA', why: 'a moment before PostgreSQL’s first' },
    { cursor: 'AB6yCMLcAAAAAAAAAAAAAAAAAAAAAAAA', why: 'a moment after the year 9999' },
  ])('refuses a cursor that it never gave out: $why', async ({ cursor }) => {
    const reply = await list(partner, `?cursor=${cursor}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['cursor (from next_cursor of the page before)'] },
    })
  })

  it('refuses a cursor that is far too long', async () => {
    const reply = await list(partner, `?cursor=${'A'.repeat(65)}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_request')
  })

  it.each(['reference', 'idempotency_key'])('refuses NUL in %s, which no payout can have', async (name) => {
    const reply = await list(partner, `?${name}=abc%00`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('invalid_request')
  })

  it('names everything that is wrong at once', async () => {
    const reply = await list(partner, '?limit=0&status=done&x=1')
    expect(reply.json().error.details.fields.toSorted()).toEqual([
      'limit (a whole number from 1 to 200)',
      'status (payout statuses with commas between them)',
      'x (not a known field)',
    ])
  })
})
