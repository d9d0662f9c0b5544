import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { AppError } from '../../src/core/errors.ts'
import { parseRate } from '../../src/core/rate.ts'
import { createRateBook } from '../../src/domain/quotes/rate-book.ts'
import { type PayoutRail, RailUnavailable, type SubmitAnswer } from '../../src/rail/port.ts'
import { createSimulatedRail } from '../../src/rail/simulated-rail.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { CANARY } from '../support/canaries.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  post,
  setBalance,
  sql,
} from '../support/fixtures.ts'
import { inPlaceOf } from '../support/in-place-of.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(() => test.close())

type Send = (body?: PayoutBody, headers?: Record<string, string>) => Promise<LightMyRequestResponse>

/** One partner and one key, sent as often as the test likes. */
async function aKey(usdc?: string): Promise<{ partner: TestPartner; key: string; send: Send }> {
  const partner = await aPartner(test, usdc === undefined ? {} : { usdc })
  const key = anIdempotencyKey()
  const send: Send = (body = {}, headers = {}) =>
    createPayout(test, partner, body, { 'idempotency-key': key, ...headers })
  return { partner, key, send }
}

const listed = async (partner: TestPartner) => (await get(test, partner, '/v1/payouts')).json().data

describe('POST /v1/payouts with a key again, 200', () => {
  it('returns the stored payout, says that it is a replay, and pays once', async () => {
    const { partner, send } = await aKey()
    const first = await send()
    const again = await send()
    expect([first.statusCode, again.statusCode]).toEqual([201, 200])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const { quote: _, ...payout } = first.json()
    expect(again.json()).toEqual(payout)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 32_070_000n)
    expect((await listed(partner)).length).toBe(1)
  })

  it('pays once, however often it is sent', async () => {
    const { partner, send } = await aKey()
    const replies = [await send(), ...(await Promise.all(Array.from({ length: 10 }, () => send())))]
    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1)
    expect(replies.filter((reply) => reply.statusCode === 201).length).toBe(1)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 32_070_000n)
  })

  it.each([
    { body: {}, created: 'processing', now: 'completed' },
    { body: { recipient: aRecipient({ account_number: '12340000' }) }, created: 'failed', now: 'failed' },
    { body: { reference: 'sandbox:fail' }, created: 'processing', now: 'failed' },
    { body: { reference: 'sandbox:cancel' }, created: 'processing', now: 'cancelled' },
    { body: { reference: 'sandbox:return' }, created: 'processing', now: 'returned' },
    { body: { reference: 'sandbox:late' }, created: 'pending', now: 'completed' },
  ])('shows the payout as it is now: created as $created, $now by now', async ({ body, created, now }) => {
    const { partner, send } = await aKey()
    expect((await send(body)).json().status).toBe(created)
    test.clock.advance(10_000)
    await test.follow()
    const before = await balanceOf(test, partner)
    const again = await send(body)
    expect(again.statusCode).toBe(200)
    expect(again.json().status).toBe(now)
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('shows a payout that the bank has not confirmed yet', async () => {
    const { send } = await aKey()
    const first = await send({ reference: 'sandbox:late' })
    const again = await send({ reference: 'sandbox:late' })
    expect(again.statusCode).toBe(200)
    expect(again.json()).toMatchObject({ id: first.json().id, status: 'pending' })
  })

  it.each<{ why: string; change: (partner: TestPartner) => Promise<unknown> }>([
    { why: 'the wallet is empty', change: (partner) => setBalance(test, partner, '0.00') },
    {
      why: 'the limits of the account were lowered',
      change: ({ id }) => sql(test, 'update wallets set largest_payout_pence = 200 where partner_id = $1', [id]),
    },
    {
      why: 'GB is not enabled any more',
      change: ({ id }) => sql(test, `update partners set enabled_countries = '{}' where id = $1`, [id]),
    },
    {
      why: 'the prices have changed',
      change: ({ id }) => sql(test, 'update plans set bank_fixed_pence = 900 where partner_id = $1', [id]),
    },
  ])('still works when $why', async ({ change }) => {
    const { partner, send } = await aKey()
    const first = await send()
    await change(partner)
    const before = await balanceOf(test, partner)
    const again = await send()
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.json().id)
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('still works when the rate has moved beyond Max-Wallet-Debit-USDC', async () => {
    const { send } = await aKey()
    const first = await send()
    const again = await send({}, { 'max-wallet-debit-usdc': '1.00' })
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.json().id)
  })

  it('remembers a key for ever', async () => {
    const { send } = await aKey()
    const first = await send()
    test.clock.advance(10 * 365 * 86_400_000)
    const again = await send()
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.json().id)
  })
})

describe('POST /v1/payouts with a key again, the same request in another spelling, 200', () => {
  const recipient = aRecipient()
  const text = JSON.stringify(aPayoutBody())

  it.each([
    { why: 'fields in another order', body: JSON.stringify(reversed(aPayoutBody())) },
    { why: 'white space', body: JSON.stringify(aPayoutBody(), null, '\t\r\n ') },
    { why: 'escapes', body: text.replaceAll('e', '\\u0065').replaceAll('/', '\\/') },
    { why: 'the country, which is the default', body: JSON.stringify(aPayoutBody({ country: 'GB' })) },
    {
      why: 'the type, which is the default',
      body: JSON.stringify(aPayoutBody({ recipient: { ...recipient, type: 'individual' } })),
    },
    {
      why: 'the region, which is the town by default',
      body: JSON.stringify(
        aPayoutBody({ recipient: { ...recipient, address: { ...recipient.address, region: recipient.address.city } } }),
      ),
    },
    { why: 'a zero in front of the amount', body: JSON.stringify(aPayoutBody({ amount_gbp: '025.00' })) },
    {
      why: 'a confirm_code, which proves and does not ask',
      body: JSON.stringify(aPayoutBody({ confirm_code: '123456' })),
    },
  ])('knows the request again: $why', async ({ body }) => {
    const { partner, key, send } = await aKey()
    const first = await send()
    const before = await balanceOf(test, partner)
    const again = await post(test, partner, '/v1/payouts', body, { 'idempotency-key': key })
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.json().id)
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('POST /v1/payouts with a key again and another body, 422', () => {
  const recipient = aRecipient()
  const { email: _, ...withoutEmail } = recipient
  const address = (changed: object) => ({ recipient: { ...recipient, address: { ...recipient.address, ...changed } } })
  const bank = (changed: object) => ({ recipient: { ...recipient, bank: { ...recipient.bank, ...changed } } })

  it.each<{ body: PayoutBody; fields: string[] }>([
    { body: { amount_gbp: '25.01' }, fields: ['amount_gbp'] },
    { body: { reference: 'Invoice 1043' }, fields: ['reference'] },
    { body: { reference: undefined }, fields: ['reference'] },
    { body: { reference: '' }, fields: ['reference'] },
    { body: { recipient: { ...recipient, type: 'business' } }, fields: ['recipient.type'] },
    { body: { recipient: { ...recipient, first_name: 'Amara' } }, fields: ['recipient.first_name'] },
    { body: { recipient: { ...recipient, first_name: 'zephyrine' } }, fields: ['recipient.first_name'] },
    { body: { recipient: { ...recipient, last_name: 'Okafor' } }, fields: ['recipient.last_name'] },
    { body: { recipient: { ...recipient, email: 'other@example.test' } }, fields: ['recipient.email'] },
    { body: { recipient: withoutEmail }, fields: ['recipient.email'] },
    { body: address({ line1: '1 Low Street' }), fields: ['recipient.address.line1'] },
    { body: address({ line2: 'Flat 4' }), fields: ['recipient.address.line2'] },
    // The region follows the town when it is not given.
    { body: address({ city: 'York' }), fields: ['recipient.address.city', 'recipient.address.region'] },
    { body: address({ region: 'Yorkshire' }), fields: ['recipient.address.region'] },
    { body: address({ postal_code: 'LS1 4AQ' }), fields: ['recipient.address.postal_code'] },
    { body: bank({ bank_name: 'Starling' }), fields: ['recipient.bank.bank_name'] },
    { body: bank({ sort_code: '665544' }), fields: ['recipient.bank.sort_code'] },
    { body: bank({ account_number: '11223344' }), fields: ['recipient.bank.account_number'] },
    {
      body: { amount_gbp: '26.00', ...bank({ sort_code: '665544', account_number: '11223344' }) },
      fields: ['amount_gbp', 'recipient.bank.account_number', 'recipient.bank.sort_code'],
    },
  ])('names what differs, $fields, and the payout, and never a value', async ({ body, fields }) => {
    const { partner, send } = await aKey()
    const first = (await send()).json()
    const before = await balanceOf(test, partner)
    const reply = await send(body)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'idempotency_key_reused',
      details: { payout_id: first.id, fields },
    })
    const values = [...Object.values(CANARY), 'Okafor', 'York', 'LS1 4AQ', 'Starling', '665544', '11223344', '26.00']
    expect(values.filter((value) => reply.body.includes(value))).toEqual([])
    expect(await balanceOf(test, partner)).toBe(before)
    expect(await listed(partner)).toMatchObject([{ id: first.id, amount_gbp: '25.00' }])
  })

  it.each(['0.50', '20000.01', '99999999999999999999999.00'])(
    'says so too when the other body asks for %s, which no payout may be',
    async (amount) => {
      const { partner, send } = await aKey()
      const first = (await send()).json()
      const before = await balanceOf(test, partner)
      const reply = await send({ amount_gbp: amount })
      expect(reply.json().error).toMatchObject({
        code: 'idempotency_key_reused',
        details: { payout_id: first.id, fields: ['amount_gbp'] },
      })
      expect(await balanceOf(test, partner)).toBe(before)
    },
  )

  it('reports a body that is wrong in itself as that, whatever its key', async () => {
    const { partner, send } = await aKey()
    await send()
    const before = await balanceOf(test, partner)
    expect((await send({ country: 'FR' })).json().error.code).toBe('corridor_not_enabled')
    expect((await send({ recipient: {} })).json().error.code).toBe('invalid_recipient')
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('leaves the key with its payout: the first body is still a replay', async () => {
    const { send } = await aKey()
    const first = (await send()).json()
    await send({ amount_gbp: '26.00' })
    const again = await send()
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.id)
  })

  it('says so after the payout has failed too, because the key is bound for ever', async () => {
    const { partner, send } = await aKey()
    const failed = (await send({ recipient: aRecipient({ account_number: '12340000' }) })).json()
    const reply = await send()
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details.payout_id).toBe(failed.id)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })
})

describe('POST /v1/payouts, what binds no key', () => {
  it.each([
    { why: '402, more than the wallet has', body: { amount_gbp: '20000.00' }, status: 402 },
    { why: '422, an amount that is too small', body: { amount_gbp: '0.50' }, status: 422 },
    { why: '422, a recipient that is incomplete', body: { recipient: {} }, status: 422 },
    { why: '422, an unknown field', body: { memo: 'x' }, status: 422 },
    { why: '422, an account that the bank rejects', body: { reference: 'sandbox:reject' }, status: 422 },
    { why: '502, a bank that is down', body: { reference: 'sandbox:down' }, status: 502 },
  ])('leaves the key free after $why: a corrected body is paid', async ({ body, status }) => {
    const { partner, send } = await aKey()
    expect((await send(body)).statusCode).toBe(status)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
    const corrected = await send()
    expect(corrected.statusCode).toBe(201)
    expect(corrected.headers['idempotent-replayed']).toBe(undefined)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 32_070_000n)
    expect((await send()).statusCode).toBe(200)
  })

  it('leaves the key free after 400, a body that is no JSON', async () => {
    const { partner, key, send } = await aKey()
    expect((await post(test, partner, '/v1/payouts', '{', { 'idempotency-key': key })).statusCode).toBe(400)
    expect((await send()).statusCode).toBe(201)
  })

  it.each([
    { reference: 'sandbox:down', status: 502, code: 'payout_not_created' },
    { reference: 'sandbox:reject', status: 422, code: 'recipient_account_rejected' },
  ])('answers $code again to the same request again, and holds nothing', async ({ reference, status, code }) => {
    const { partner, send } = await aKey()
    for (let time = 0; time < 3; time++) {
      const reply = await send({ reference })
      expect(reply.statusCode).toBe(status)
      expect(reply.json().error.code).toBe(code)
      expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
    }
    expect(await listed(partner)).toEqual([])
  })

  it('binds the key to the corrected body, and no longer knows the one that came to nothing', async () => {
    const { partner, send } = await aKey()
    await send({ reference: 'sandbox:down' })
    const corrected = (await send()).json()
    const reply = await send({ reference: 'sandbox:down' })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'idempotency_key_reused',
      details: { payout_id: corrected.id, fields: ['reference'] },
    })
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 32_070_000n)
  })

  it('pays the same request, once, when the bank is back', async () => {
    const rail = anObligingRail()
    const down: PayoutRail = { ...rail, submit: () => Promise.resolve({ kind: 'not_sent', reason: 'Down.' }) }
    const { partner, send } = await aKey('100.00')
    await withRail(down, async () => {
      expect((await send()).statusCode).toBe(502)
      expect((await send()).statusCode).toBe(502)
    })
    expect(await balanceOf(test, partner)).toBe(100_000_000n)
    await withRail(rail, async () => {
      expect((await send()).statusCode).toBe(201)
      expect((await send()).statusCode).toBe(200)
    })
    expect(rail.requests.length).toBe(1)
    expect(await balanceOf(test, partner)).toBe(100_000_000n - 32_070_000n)
  })
})

describe('POST /v1/payouts, whose a key is', () => {
  it('knows the same key of another partner as another key', async () => {
    const { key, send } = await aKey()
    const first = await send()
    const other = await aPartner(test)
    const reply = await createPayout(test, other, { amount_gbp: '26.00' }, { 'idempotency-key': key })
    expect(reply.statusCode).toBe(201)
    expect(reply.json().id).not.toBe(first.json().id)
  })

  it('knows the same key in the other environment as another key', async () => {
    const { partner, key, send } = await aKey()
    const first = await send()
    const live = await inLive(test, partner, '100.00')
    const reply = await createPayout(test, live, { amount_gbp: '26.00' }, { 'idempotency-key': key })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ environment: 'live', amount_gbp: '26.00' })
    expect(reply.json().id).not.toBe(first.json().id)
  })

  it('knows the key again when it comes with another API key of the same partner', async () => {
    const { partner, key } = await aKey()
    const [one, other] = [await inLive(test, partner, '100.00'), await inLive(test, partner)]
    const first = await createPayout(test, one, {}, { 'idempotency-key': key })
    const again = await createPayout(test, other, {}, { 'idempotency-key': key })
    expect(again.statusCode).toBe(200)
    expect(again.json().id).toBe(first.json().id)
  })

  it('tells upper case from lower case', async () => {
    const { partner, key, send } = await aKey()
    await send()
    const reply = await createPayout(test, partner, {}, { 'idempotency-key': key.toUpperCase() })
    expect(reply.statusCode).toBe(201)
  })
})

describe('POST /v1/payouts, 400 idempotency_key_required', () => {
  const RULE = 'Send one key per payout, for example your own order id: 8 to 100 letters, digits, or _ - : .'

  it.each([
    { key: undefined, says: 'The header Idempotency-Key is missing.' },
    { key: '', says: 'The header Idempotency-Key is missing.' },
    { key: 'order-1', says: 'The Idempotency-Key has 7 characters, which is too short.' },
    { key: 'x'.repeat(101), says: 'The Idempotency-Key has 101 characters, which is too long.' },
    { key: 'order 1042', says: 'The Idempotency-Key has a character that is not allowed.' },
    { key: 'order/1042', says: 'The Idempotency-Key has a character that is not allowed.' },
    { key: 'order-1042\u00e9', says: 'The Idempotency-Key has a character that is not allowed.' },
    { key: '"order-1042"', says: 'The Idempotency-Key has a character that is not allowed.' },
    // Two headers arrive as one with a comma.
    { key: 'order-1042, order-1043', says: 'The Idempotency-Key has a character that is not allowed.' },
  ])('refuses $key and says what is wrong with it', async ({ key, says }) => {
    const partner = await aPartner(test)
    const reply = await post(
      test,
      partner,
      '/v1/payouts',
      aPayoutBody(),
      key === undefined ? {} : { 'idempotency-key': key },
    )
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error).toMatchObject({ code: 'idempotency_key_required', message: `${says} ${RULE}` })
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
  })

  it.each(['x'.repeat(8), 'x'.repeat(100), 'aZ09_-:.', '--------'])(
    'accepts %s, which is within the rule',
    async (key) => {
      const reply = await createPayout(test, await aPartner(test), {}, { 'idempotency-key': key })
      expect(reply.statusCode).toBe(201)
    },
  )
})

describe('POST /v1/payouts with Max-Wallet-Debit-USDC', () => {
  it.each([
    { most: '32.07', why: 'exactly what the wallet sends' },
    { most: '32.08', why: 'a cent more' },
    { most: '1000000.00', why: 'far more' },
  ])('pays when $most is the most that may leave: $why', async ({ most }) => {
    const { partner, send } = await aKey()
    const reply = await send({}, { 'max-wallet-debit-usdc': most })
    expect(reply.statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n - 32_070_000n)
  })

  it.each(['32.06', '0.00'])('refuses rather than send more than %s, and leaves the key free', async (most) => {
    const { partner, send } = await aKey()
    const reply = await send({}, { 'max-wallet-debit-usdc': most })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'rate_moved',
      details: { wallet_sends_usdc: '32.07', max_wallet_debit_usdc: most },
    })
    expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
    expect((await send()).statusCode).toBe(201)
  })

  it.each(['', '33', '33.3', '33.300', '-33.30', '33,30', '33.30 USDC', '1e3', 'NaN', '33.30, 34.00', '9'.repeat(30)])(
    'refuses %j, which is no amount',
    async (most) => {
      const { partner, send } = await aKey()
      const reply = await send({}, { 'max-wallet-debit-usdc': most })
      expect(reply.statusCode).toBe(400)
      expect(reply.json().error.code).toBe('invalid_header')
      expect(await balanceOf(test, partner)).toBe(10_000_000_000n)
    },
  )
})

describe('POST /v1/payouts while the first request is still under way', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('waits for the first one and replays its payout', async () => {
    const { partner, send } = await aKey('100.00')
    const bank = aSlowBank()
    await withRail(bank.rail, async () => {
      const first = send()
      await bank.isAsked
      const second = send()
      await untilItLooks(second)
      bank.answer()
      expect((await first).statusCode).toBe(201)
      expect((await second).statusCode).toBe(200)
      expect((await second).json().id).toBe((await first).json().id)
    })
    expect(await balanceOf(test, partner)).toBe(100_000_000n - 32_070_000n)
  })

  it('answers 409 after ten seconds, with when to try again, and never pays twice', async () => {
    const { partner, send } = await aKey('100.00')
    const bank = aSlowBank()
    await withRail(bank.rail, async () => {
      const first = send()
      await bank.isAsked
      const now = performance.now()
      const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
      const second = send()
      await untilItLooks(second)
      clock.mockReturnValue(now + 9_900)
      await untilItLooks(second)
      clock.mockReturnValue(now + 10_100)
      const reply = await second
      expect(reply.statusCode).toBe(409)
      expect(reply.json().error.code).toBe('idempotency_key_in_progress')
      expect(reply.headers['retry-after']).toBe('1')
      bank.answer()
      expect((await first).statusCode).toBe(201)
      expect((await send()).statusCode).toBe(200)
    })
    expect(await balanceOf(test, partner)).toBe(100_000_000n - 32_070_000n)
  })

  it('replays while the bank has no rate to give, because a replay needs none', async () => {
    const { send } = await aKey()
    const first = await send()
    await withRail(
      anObligingRail(),
      async () => {
        expect((await createPayout(test, await aPartner(test))).json().error.code).toBe('payout_not_created')
        const again = await send()
        expect(again.statusCode).toBe(200)
        expect(again.json().id).toBe(first.json().id)
      },
      noRate,
    )
  })

  /** Each of these would refuse a new request. It happens while the bank is being asked for the first one. */
  const REFUSALS: readonly {
    readonly why: string
    readonly refuse: (partner: TestPartner) => unknown
    readonly headers?: Record<string, string>
  }[] = [
    { why: 'there is no rate', refuse: () => (rateNow = noRate) },
    {
      why: 'the rate has moved past the limit',
      refuse: () => (rateNow = () => Promise.resolve({ rate: parseRate('0.60')!, validForMs: 30_000 })),
      headers: { 'max-wallet-debit-usdc': '33.00' },
    },
    {
      why: 'the account may pay less now',
      refuse: ({ id }) => sql(test, 'update wallets set largest_payout_pence = 1000 where partner_id = $1', [id]),
    },
    {
      why: 'the country is no longer enabled',
      refuse: ({ id }) => sql(test, `update partners set enabled_countries = '{}' where id = $1`, [id]),
    },
    { why: 'the wallet is empty now', refuse: (partner) => setBalance(test, partner, '0.00') },
    {
      why: 'too many others are waiting for the wallet',
      refuse: () =>
        vi.spyOn(test.deps.lanes, 'reserve').mockRejectedValue(new AppError('unavailable', 'Nothing was sent.')),
    },
  ]
  let rateNow = sandboxRate

  describe.each(REFUSALS)('and $why', ({ refuse, headers = {} }) => {
    afterEach(() => {
      rateNow = sandboxRate
    })

    it('waits for the first one and replays its payout', async () => {
      const { partner, send } = await aKey('100.00')
      const bank = aSlowBank()
      await withRail(
        bank.rail,
        async () => {
          const first = send({}, headers)
          await bank.isAsked
          await refuse(partner)
          forgetRates()
          const second = send({}, headers)
          await untilItLooks(second)
          bank.answer()
          expect((await first).statusCode).toBe(201)
          expect((await second).statusCode).toBe(200)
          expect((await second).json().id).toBe((await first).json().id)
        },
        () => rateNow(),
      )
      expect(await listed(partner)).toHaveLength(1)
    })

    it('answers 409 after ten seconds, and never that nothing was sent', async () => {
      const { partner, send } = await aKey('100.00')
      const bank = aSlowBank()
      await withRail(
        bank.rail,
        async () => {
          const first = send({}, headers)
          await bank.isAsked
          await refuse(partner)
          forgetRates()
          const now = performance.now()
          const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
          const second = send({}, headers)
          await untilItLooks(second)
          clock.mockReturnValue(now + 10_100)
          const reply = await second
          expect(reply.json().error.code).toBe('idempotency_key_in_progress')
          expect(reply.json().error.message).not.toContain('othing was sent')
          bank.answer()
          expect((await first).statusCode).toBe(201)
          expect((await send({}, headers)).statusCode).toBe(200)
        },
        () => rateNow(),
      )
      expect(await listed(partner)).toHaveLength(1)
    })

    it('is refused for that reason once the first one has come to nothing', async () => {
      const { partner, send } = await aKey('100.00')
      const bank = aSlowBank({ kind: 'not_sent', reason: 'The bank is down.' })
      await withRail(
        bank.rail,
        async () => {
          const first = send({}, headers)
          await bank.isAsked
          await refuse(partner)
          forgetRates()
          const second = send({}, headers)
          await untilItLooks(second)
          bank.answer()
          expect((await first).statusCode).toBe(502)
          expect([402, 422, 502, 503]).toContain((await second).statusCode)
        },
        () => rateNow(),
      )
      expect(await listed(partner)).toEqual([])
    })
  })
})

it('a request that has to ask again each time is answered with 409 after ten seconds, and has moved nothing', async () => {
  const { partner, send } = await aKey('100.00')
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  let asked = 0
  const reserve = vi.spyOn(test.deps.lanes, 'reserve').mockImplementation(async () => {
    if (++asked === 3) clock.mockReturnValue(now + 10_100)
    return { kind: 'retry' }
  })
  const reply = await send({}, {})
  expect([reply.statusCode, reply.json().error.code, asked]).toEqual([409, 'idempotency_key_in_progress', 3])
  reserve.mockRestore()
  clock.mockRestore()
  expect(await listed(partner)).toEqual([])
  expect((await send({}, {})).statusCode).toBe(201)
})

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

const sandboxRate = () => createSimulatedRail(test.clock).readRate()
const noRate: PayoutRail['readRate'] = () => Promise.reject(new RailUnavailable('No rate.'))

/** Another bank for a while, whichever rail the partner is on. */
async function withRail(rail: PayoutRail, work: () => Promise<void>, readRate = sandboxRate): Promise<void> {
  const { rates } = test.deps
  const { simulated, provider_sandbox } = test.deps.rails
  const swapped = { ...rail, readRate }
  Object.assign(test.deps.rails, {
    simulated: inPlaceOf(simulated, swapped),
    provider_sandbox: inPlaceOf(provider_sandbox, swapped),
  })
  forgetRates()
  try {
    await work()
  } finally {
    Object.assign(test.deps.rails, { simulated, provider_sandbox })
    Object.assign(test.deps, { rates })
  }
}

/** The bank is asked for its rate again, as it would be half a minute later. */
function forgetRates(): void {
  Object.assign(test.deps, { rates: createRateBook(test.deps) })
}

/** A bank that answers when it is told to. */
function aSlowBank(refusal?: SubmitAnswer): { rail: PayoutRail; isAsked: Promise<void>; answer: () => void } {
  const oblige = anObligingRail()
  let asked: () => void = () => undefined
  let answer: () => void = () => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
  const rail: PayoutRail = {
    ...oblige,
    submit: async (request) => {
      asked()
      await mayAnswer
      return refusal ?? oblige.submit(request)
    },
  }
  return { rail, isAsked, answer: () => answer() }
}

/** Gives a request the time to find its key taken; it must not have been answered by then. */
async function untilItLooks(request: Promise<LightMyRequestResponse>): Promise<void> {
  const look = vi.spyOn(test.deps.db.lookup, 'query')
  const before = look.mock.calls.length
  const isOver = Symbol('over')
  for (;;) {
    const outcome = await Promise.race([request, new Promise((resolve) => setImmediate(resolve, isOver))])
    expect(outcome).toBe(isOver)
    const names = look.mock.calls.slice(before).map(([statement]) => statement.name)
    if (names.includes('find_payout_by_key')) return
  }
}
