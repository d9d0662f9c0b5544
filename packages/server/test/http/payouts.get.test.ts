import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { CANARY } from '../support/canaries.ts'
import {
  type TestPartner,
  aPartner,
  anIdempotencyKey,
  anObligingRail,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'

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

const read = (id: string, by: Pick<TestPartner, 'key'> = partner) => get(test, by, `/v1/payouts/${id}`)

describe('GET /v1/payouts/{id}, 200', () => {
  it('shows the payout as it was created, without the quote', async () => {
    const { quote: _, ...created } = (await createPayout(test, partner)).json()
    const reply = await read(created.id)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(created)
  })

  it('shows of the recipient the name and the last four digits, and nothing else that was sent', async () => {
    const { id } = (await createPayout(test, partner)).json()
    const { body } = await read(id)
    expect(JSON.parse(body).recipient).toEqual({ name: 'Zephyrine Quillfeather', account_last4: '5432' })
    const { sortCode, accountNumber, line1, postalCode, email } = CANARY
    expect(
      [sortCode, accountNumber, line1, postalCode, email, 'Monzo', 'Leeds'].filter((text) => body.includes(text)),
    ).toEqual([])
  })

  it('shows how far the payout has come, and when that was', async () => {
    const created = (await createPayout(test, partner)).json()
    test.clock.advance(2_000)
    await test.follow()
    const updatedAt = test.clock.now().toISOString()
    const now = { status: 'completed', updated_at: updatedAt, completed_at: updatedAt, cancelable: false }
    const { quote: _, ...expected } = { ...created, ...now }
    expect((await read(created.id)).json()).toEqual(expected)
  })

  it('of one that came back says when it had arrived, and when its money was in the wallet again', async () => {
    const { id } = (await createPayout(test, partner, { reference: 'sandbox:return' })).json()
    const moments = new Map<string, string>()
    for (let round = 0; round < 8; round++) {
      test.clock.advance(2_000)
      await test.follow()
      const payout = (await read(id)).json()
      moments.set(payout.status, payout.completed_at)
    }
    const payout = (await read(id)).json()
    expect(payout).toMatchObject({ status: 'returned', failure_code: 'account_closed', retry: 'after_fix' })
    expect(payout.completed_at).toBe(moments.get('completed') ?? payout.completed_at)
    expect(Date.parse(payout.refunded_at)).toBeGreaterThan(Date.parse(payout.completed_at))
  })

  it('does not touch updated_at when nothing has changed', async () => {
    const created = (await createPayout(test, partner, { reference: 'sandbox:hold' })).json()
    test.clock.advance(60_000)
    await test.follow()
    expect((await read(created.id)).json().updated_at).toBe(created.updated_at)
  })

  it('finds an id in upper case, which is the same UUID', async () => {
    const { id } = (await createPayout(test, partner)).json()
    expect((await read(id.toUpperCase())).json().id).toBe(id)
  })

  it.each(['sandbox', 'live'])('ignores environment=%s, because the key decides', async (environment) => {
    const { id } = (await createPayout(test, partner)).json()
    const reply = await read(`${id}?environment=${environment}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().environment).toBe('sandbox')
  })

  it('shows a live payout to a live key', async () => {
    const live = await inLive(test, await aPartner(test), '100.00')
    const { id } = (await createPayout(test, live)).json()
    expect((await read(id, live)).json()).toMatchObject({ id, environment: 'live' })
  })
})

describe('GET /v1/payouts/{id}, 404', () => {
  let unknown: LightMyRequestResponse
  beforeAll(async () => {
    unknown = await read('019a8a00-0000-7000-8000-000000000000')
  })

  it('says that there is nothing that this key can see', () => {
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json().error).toEqual({
      code: 'not_found',
      message: 'There is nothing here that this key can see. Check the address and the id.',
      request_id: unknown.headers['x-request-id'],
      doc_url: 'http://localhost:3000/docs/errors#not_found',
    })
  })

  it.each<{ why: string; id: () => Promise<string> | string }>([
    {
      why: "another partner's payout",
      id: async () => (await createPayout(test, await aPartner(test))).json().id,
    },
    {
      why: 'a payout of the other environment of the same partner',
      id: async () => (await createPayout(test, await inLive(test, partner, '100.00'))).json().id,
    },
    {
      why: 'an attempt that was never created',
      id: async () => {
        const key = anIdempotencyKey()
        await createPayout(test, partner, { reference: 'sandbox:down' }, { 'idempotency-key': key })
        const text = 'select id from payouts where idempotency_key = $1'
        const [row] = await test.owner.query<{ id: string }>({ name: '', text }, [key])
        return row!.id
      },
    },
    { why: 'a word', id: () => 'latest' },
    { why: 'an id with a digit too few', id: () => '019a8a00-0000-7000-8000-00000000000' },
    { why: 'an id with a digit too many', id: () => '019a8a00-0000-7000-8000-0000000000000' },
    { why: 'an id without hyphens', id: () => '019a8a000000700080000000000000000' },
    { why: 'an id in braces', id: () => '{019a8a00-0000-7000-8000-000000000000}' },
    { why: 'an id with a space behind it', id: () => '019a8a00-0000-7000-8000-000000000000%20' },
    { why: 'a hundred characters', id: () => 'a'.repeat(100) },
    { why: 'a hundred and one characters', id: () => 'a'.repeat(101) },
    { why: 'four thousand characters', id: () => 'a'.repeat(4_000) },
    { why: 'a percent sign that encodes nothing', id: () => '%' },
    { why: 'an encoding of nothing', id: () => '%zz' },
    { why: 'bytes that are not UTF-8', id: () => '%ff%fe' },
    { why: 'NUL', id: () => '%00' },
    { why: 'an encoded slash', id: () => 'a%2Fb' },
    { why: 'an attempt at the database', id: () => "'%20or%20'1'='1" },
    { why: 'a step upwards', id: () => '..%2f..%2fetc' },
  ])('gives $why the same answer, to the byte, and the same headers', async ({ id }) => {
    const reply = await read(await id())
    expect(reply.statusCode).toBe(404)
    expect(masked(reply)).toEqual(masked(unknown))
  })
})

describe('GET /v1/payouts/{id}, 422', () => {
  it.each([{ query: 'expand=recipient', field: 'expand (not a known field)', why: 'a parameter that does not exist' }])(
    'refuses ?$query alike for ids that exist and ids that do not: $why',
    async ({ query, field }) => {
      const { id } = (await createPayout(test, partner)).json()
      for (const each of [id, '019a8a00-0000-7000-8000-000000000000', 'latest']) {
        const reply = await read(`${each}?${query}`)
        expect(reply.statusCode).toBe(422)
        expect(reply.json().error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } })
      }
    },
  )
})

function masked(reply: LightMyRequestResponse): { body: string; headers: Record<string, unknown> } {
  const id = String(reply.headers['x-request-id'])
  return {
    body: reply.body.replaceAll(id, '-'),
    headers: { ...reply.headers, 'x-request-id': '-', date: '-' },
  }
}
