// What payouts come to, and the filters that the list, its sums and its export share.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
/** Ids by a name of the test's own. */
const made: Record<string, string> = {}

async function pay(name: string, who: TestPartner, body: PayoutBody = {}): Promise<void> {
  test.clock.advance(1)
  const reply = await createPayout(test, who, body)
  expect(reply.statusCode).toBe(201)
  made[name] = reply.json().id
}

const person = (first: string, last: string, account = '12345678') => ({
  ...aRecipient({ account_number: account, first_name: first }),
  last_name: last,
})

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
  test.clock.set('2026-10-25T12:00:00Z')
  partner = await aPartner(test)
  await pay('completed', partner, { amount_gbp: '10.00', recipient: person('Zoë', 'Ellis Joinery') })
  await pay('returned', partner, { amount_gbp: '20.00', reference: 'sandbox:return' })
  test.clock.advance(4_000)
  await test.follow()
  await pay('failed', partner, { amount_gbp: '30.00', recipient: aRecipient({ account_number: '98760000' }) })
  const held = { reference: 'sandbox:hold 50% off_now', recipient: person('Ade', 'O’Neil', '22345678') }
  await pay('processing', partner, { amount_gbp: '1250.00', ...held })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const found = async (query: string, who: Pick<TestPartner, 'key'> = partner) => {
  const reply = await get(test, who, `/v1/payouts?${query}`)
  expect(reply.statusCode).toBe(200)
  const names = Object.fromEntries(Object.entries(made).map(([name, id]) => [id, name]))
  return (reply.json().data as { id: string }[]).map(({ id }) => names[id])
}

describe('GET /v1/payouts, filtered', () => {
  it('by several statuses at once, in any order and given twice', async () => {
    expect(await found('status=failed,returned')).toEqual(['failed', 'returned'])
    expect(await found('status=failed&status=returned')).toEqual(['failed', 'returned'])
    expect(await found('status=failed,returned&status=failed')).toEqual(['failed', 'returned'])
    expect(await found('status=returned,completed,failed,returned')).toEqual(['failed', 'returned', 'completed'])
  })

  it('by why they failed', async () => {
    expect(await found('failure_code=account_not_found')).toEqual(['failed'])
    expect(await found('failure_code=account_closed')).toEqual(['returned'])
    expect(await found('failure_code=account_blocked')).toEqual([])
    const reply = await get(test, partner, `/v1/payouts/${made['failed']}`)
    expect(reply.json()).toMatchObject({ failure_code: 'account_not_found', retry: 'after_fix', completed_at: null })
  })

  it('by how they were made', async () => {
    const own = await aPartner(test)
    const member = await signedIn(test, own)
    await pay('by key', own)
    const headers = { 'idempotency-key': 'dashboard-0001' }
    const payload = { amount_gbp: '5.00', recipient: aRecipient() }
    const reply = await ask(test, member, { method: 'POST', url: '/v1/payouts', payload, headers })
    made['by hand'] = reply.json().id
    expect(await found('created_via=dashboard', own)).toEqual(['by hand'])
    expect(await found('created_via=api', own)).toEqual(['by key'])
  })

  it('by amounts, both ends included', async () => {
    expect(await found('amount_from=20.00')).toEqual(['processing', 'failed', 'returned'])
    expect(await found('amount_to=20.00')).toEqual(['returned', 'completed'])
    expect(await found('amount_from=20.00&amount_to=30.00')).toEqual(['failed', 'returned'])
    expect(await found('amount_from=30.00&amount_to=20.00')).toEqual([])
  })

  it('a page at a time, with a search', async () => {
    const first = (await get(test, partner, '/v1/payouts?amount_from=20.00&limit=2')).json()
    expect(first.data).toHaveLength(2)
    expect(await found(`amount_from=20.00&limit=2&cursor=${first.next_cursor}`)).toEqual(['returned'])
  })
})

describe('GET /v1/payouts?q=', () => {
  it.each([
    ['ellis', ['completed'], 'the last name, whatever the case'],
    ['JOIN zo', ['completed'], 'words in any order, each from its beginning'],
    ['llis', [], 'not from the middle of a word'],
    ['o’n', ['processing'], 'a name with a mark in it'],
    ['ellis ade', [], 'words of two people are nobody'],
    ['sandbox:ret', ['returned'], 'the reference from its beginning'],
    ['50%', ['processing'], 'a word of the reference, in which % means itself'],
    ['off_n', ['processing'], 'and so does _'],
    ['5_%', [], 'and they stand for nothing else'],
    ['\\', [], 'nor does a backslash'],
    ['0000', ['failed'], 'the last four digits'],
    ['1250', ['processing'], 'a round amount'],
    ['£1,250.00', ['processing'], 'an amount as people write it'],
    ['20.00', ['returned'], 'an amount with pennies'],
    ['   ', ['processing', 'failed', 'returned', 'completed'], 'nothing at all, so everything'],
    ["' or 1=1 --", [], 'an attempt'],
  ])('%s finds %s: %s', async (typed, names) => {
    expect(await found(`q=${encodeURIComponent(typed)}`)).toEqual(names)
  })

  it('finds a payout by its id, whole or from its beginning', async () => {
    const id = made['failed']!
    expect(await found(`q=${id}`)).toEqual(['failed'])
    expect(await found(`q=${id.toUpperCase()}`)).toEqual(['failed'])
    expect(await found(`q=${id.slice(0, 30)}`)).toEqual(['failed'])
    expect(await found('q=019a0000-0000-7000-8000-000000000000')).toEqual([])
  })

  it('fits together with the other filters', async () => {
    expect(await found('q=sandbox&status=processing,returned&amount_from=100.00')).toEqual(['processing'])
  })

  it("never finds another partner's payout, nor one of the other environment", async () => {
    const [other, live] = [await aPartner(test), await inLive(test, partner, '100.00')]
    for (const who of [other, live]) {
      for (const typed of ['ellis', '0000', '1250', made['failed']!]) expect(await found(`q=${typed}`, who)).toEqual([])
    }
  })
})

describe('GET /v1/payouts/summary', () => {
  const sum = async (query = '', who: Pick<TestPartner, 'key'> = partner) =>
    (await get(test, who, `/v1/payouts/summary${query}`)).json()

  it('sums everything up, by status too', async () => {
    const nothing = { count: 0, amount_gbp: '0.00' }
    expect(await sum()).toEqual({
      object: 'payout_summary',
      count: 4,
      amount_gbp: '1310.00',
      // 1.09 + 1.19 + 1.29 + 13.49
      fee_gbp: '17.06',
      counted_from: null,
      by_status: {
        pending: nothing,
        processing: { count: 1, amount_gbp: '1250.00' },
        completed: { count: 1, amount_gbp: '10.00' },
        failed: { count: 1, amount_gbp: '30.00' },
        cancelled: nothing,
        returned: { count: 1, amount_gbp: '20.00' },
      },
    })
  })

  it('sums up what the filters leave', async () => {
    expect(await sum('?q=sandbox')).toMatchObject({ count: 2, amount_gbp: '1270.00' })
    expect(await sum('?status=completed,failed')).toMatchObject({ count: 2, amount_gbp: '40.00' })
    expect(await sum('?amount_from=20.01')).toMatchObject({ count: 2 })
    expect(await sum('?failure_code=account_closed')).toMatchObject({ count: 1, amount_gbp: '20.00' })
    expect(await sum('?created_to=2026-10-25T12:00:00Z')).toMatchObject({ count: 0, amount_gbp: '0.00' })
  })

  it("has nothing of another partner's or environment's", async () => {
    expect(await sum('', await aPartner(test))).toMatchObject({ count: 0, amount_gbp: '0.00', fee_gbp: '0.00' })
    expect(await sum('', await inLive(test, await aPartner(test)))).toMatchObject({ count: 0 })
  })

  it('is for viewers too, in the environment that they look at', async () => {
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    const url = '/v1/payouts/summary'
    expect((await ask(test, viewer, { url })).json().count).toBe(4)
    expect((await ask(test, viewer, { url: `${url}?environment=live` })).json().count).toBe(0)
  })

  it('has no pages', async () => {
    const reply = await get(test, partner, '/v1/payouts/summary?limit=10')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['limit (not a known field)'] })
  })
})

describe('GET /v1/payouts/daily', () => {
  const days = async (query = '', who: Pick<TestPartner, 'key'> = partner) =>
    (await get(test, who, `/v1/payouts/daily${query}`)).json().data as Record<string, unknown>[]

  it('has today last and every day, those without payouts too', async () => {
    const week = await days()
    expect(week.map(({ date }) => date)).toEqual([
      '2026-10-19',
      '2026-10-20',
      '2026-10-21',
      '2026-10-22',
      '2026-10-23',
      '2026-10-24',
      '2026-10-25',
    ])
    const none = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, returned: 0 }
    expect(week[0]).toEqual({
      date: '2026-10-19',
      completed_gbp: '0.00',
      other_gbp: '0.00',
      fees_gbp: '0.00',
      count: 0,
      by_status: none,
    })
    expect(week.at(-1)).toEqual({
      date: '2026-10-25',
      completed_gbp: '10.00',
      other_gbp: '1300.00',
      fees_gbp: '1.09',
      count: 4,
      by_status: { ...none, processing: 1, completed: 1, failed: 1, returned: 1 },
    })
  })

  it.each([14, 30])('has %i days when asked', async (count) => {
    expect(await days(`?days=${count}`)).toHaveLength(count)
  })

  it('counts a payout on its day in London, on both sides of the change of the clocks', async () => {
    const own = await startTestApp()
    own.clock.set('2026-10-24T12:00:00Z')
    const who = await aPartner(own)
    // The clocks go back at 02:00 on 25 October: its midnight was 23:00 UTC, and the next one is 00:00 UTC.
    for (const moment of [
      '2026-10-24T22:59:59Z',
      '2026-10-24T23:00:01Z',
      '2026-10-25T23:59:58Z',
      '2026-10-26T00:00:00Z',
    ]) {
      own.clock.set(moment)
      expect((await createPayout(own, who, { amount_gbp: '1.00' })).statusCode).toBe(201)
    }
    const data = (await get(own, who, '/v1/payouts/daily')).json().data as { date: string; count: number }[]
    expect(data.slice(-3).map(({ date, count }) => [date, count])).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ])
    await own.close()
  })

  it("has nothing of another partner's", async () => {
    expect((await days('', await aPartner(test))).every(({ count }) => count === 0)).toBe(true)
  })

  it.each(['days=8', 'days=0', 'days=week', 'days=7&days=14', 'days='])('refuses %s', async (query) => {
    const reply = await get(test, partner, `/v1/payouts/daily?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['days (7, 14 or 30)'] })
  })
})

describe('a month of payouts, by their completion', () => {
  let own: TestApp
  let who: TestPartner
  const july = 'completed_from=2026-06-30T23:00:00Z&completed_to=2026-07-31T23:00:00Z'
  beforeAll(async () => {
    own = await startTestApp()
    // Midnight in London is 23:00 UTC: made on the last evening of June, completed in July, returned in August.
    own.clock.set('2026-06-30T22:59:58Z')
    who = await aPartner(own)
    await createPayout(own, who, { amount_gbp: '10.00' })
    await createPayout(own, who, { amount_gbp: '20.00', reference: 'sandbox:return' })
    own.clock.set('2026-06-30T23:00:01Z')
    await own.follow()
    own.clock.set('2026-07-31T22:59:59Z')
    await createPayout(own, who, { amount_gbp: '40.00', recipient: aRecipient({ account_number: '98760000' }) })
    await own.follow()
    own.clock.set('2026-08-10T12:00:00Z')
    await own.follow()
  })
  afterAll(() => own.close())

  it('is exactly what its usage says, list and sums and days alike', async () => {
    const { payouts } = (await get(own, who, '/v1/usage?month=2026-07')).json()
    expect(payouts).toMatchObject({ completed: 2, paid_to_sellers_gbp: '30.00' })
    const sums = (await get(own, who, `/v1/payouts/summary?${july}`)).json()
    expect([sums.count, sums.amount_gbp, sums.fee_gbp]).toEqual([2, payouts.paid_to_sellers_gbp, payouts.fees_gbp])
    const list = (await get(own, who, `/v1/payouts?${july}`)).json().data as { status: string }[]
    expect(list.map(({ status }) => status).toSorted()).toEqual(['completed', 'returned'])
    const days = (await get(own, who, '/v1/payouts/daily?completed_in=2026-07')).json().data as {
      date: string
      completed_gbp: string
      other_gbp: string
      fees_gbp: string
      count: number
    }[]
    expect(days.map(({ date }) => date)).toHaveLength(31)
    expect(days[0]).toMatchObject({ date: '2026-07-01', completed_gbp: '30.00', other_gbp: '0.00', count: 2 })
    expect(days[0]?.fees_gbp).toBe(payouts.fees_gbp)
    expect(days.slice(1).every(({ count }) => count === 0)).toBe(true)
  })

  it('has the days that have been, and none of a month to come', async () => {
    const of = async (month: string) => (await get(own, who, `/v1/payouts/daily?completed_in=${month}`)).json().data
    expect((await of('2026-08')).at(-1)).toMatchObject({ date: '2026-08-10' })
    expect(await of('2026-09')).toEqual([])
  })

  it('is in the name of its export', async () => {
    const reply = await get(own, who, `/v1/payouts/export.csv?${july}`)
    expect(reply.headers['content-disposition']).toContain('2026-07-01_2026-07-31.csv')
    expect(reply.body.trim().split('\n')).toHaveLength(3)
  })

  it('finds what failed or came back by when it did, however old it is', async () => {
    const since = async (moment: string) =>
      (await get(own, who, `/v1/payouts?ended_from=${moment}`))
        .json()
        .data.map(({ status }: { status: string }) => status)
    expect(await since('2026-07-01T00:00:00Z')).toEqual(['failed', 'returned'])
    expect(await since('2026-08-11T00:00:00Z')).toEqual([])
    expect((await get(own, who, '/v1/payouts?ended_to=2026-06-01T00:00:00Z')).json().data).toEqual([])
  })

  it.each(['completed_in=2026-13', 'completed_in=0000-01', 'completed_in=0026-01', 'completed_in=2026-07&days=7'])(
    'is refused when asked as %s',
    async (query) => {
      const reply = await get(own, who, `/v1/payouts/daily?${query}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json().error.details).toMatchObject({
        fields: ['completed_in (a month such as 2026-10, and then no days)'],
      })
    },
  )
})

describe.each(['/v1/payouts', '/v1/payouts/summary'])('%s, 422', (url) => {
  it.each([
    ['status=failed,', 'status (payout statuses with commas between them)'],
    ['status=failed,done', 'status (payout statuses with commas between them)'],
    ['failure_code=bad_luck', expect.stringContaining('failure_code (one of account_not_found, ') as unknown],
    ['created_via=phone', 'created_via (api or dashboard)'],
    ['amount_from=10', 'amount_from (pounds with two decimals such as 120.50)'],
    ['amount_to=-1.00', 'amount_to (pounds with two decimals such as 120.50)'],
    ['amount_to=99999999999999.00', 'amount_to (pounds with two decimals such as 120.50)'],
    [`q=${'x'.repeat(101)}`, 'q (at most 100 characters)'],
    ['q=%00', 'q (at most 100 characters)'],
  ])('refuses %s', async (query, field) => {
    const reply = await get(test, partner, `${url}?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } })
  })
})

it.each(['/v1/payouts/summary', '/v1/payouts/daily'])('%s wants a key or a session', async (url) => {
  expect((await test.request({ url })).statusCode).toBe(401)
})
