// Every way a call can go wrong, over real sockets: what the caller sees, and what the bank's own books say.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Json, aKey, ask, control } from './support/ask.ts'
import { FLOAT, FLOAT_LESS_HUNDRED_POUNDS, type Party, aParty, aTransferBody, balanceOf } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

describe('a fault on POST /v0/transfers', () => {
  let bank: TestBank
  let party: Party
  let body: Json
  let key: string

  beforeAll(async () => {
    bank = await aBank()
  })
  afterAll(() => bank.close())
  beforeEach(async () => {
    await control(bank, '/faults', undefined, 'DELETE')
    party = await aParty(bank)
    body = await aTransferBody(bank, party, { clientReference: `payout-${party.customerId}` })
    key = aKey()
  })

  const inject = async (mode: string, more: object = {}) => {
    const reply = await control(bank, '/faults', { route: 'POST /v0/transfers', mode, ...more })
    expect(reply.status).toBe(201)
  }
  const post = (timeoutMs = 30_000) => ask(bank, '/v0/transfers', { body, key, timeoutMs })
  const failure = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'an answer',
      (error: NodeJS.ErrnoException) => error.code ?? error.name,
    )
  const created = async (): Promise<Json[]> =>
    (await control(bank, `/ledger?customer_id=${party.customerId}`)).json.transfers

  /** Asking again with the same key ends in exactly one transfer, whatever happened before. */
  const expectOneAfterRetry = async () => {
    const retry = await post()
    expect(retry.status).toBe(201)
    expect(retry.json.amount).toBe('127.47')
    expect((await created()).map((transfer) => transfer.id)).toEqual([retry.json.id])
    expect(await balanceOf(bank, party)).toBe(FLOAT_LESS_HUNDRED_POUNDS)
  }

  const expectNothing = async () => {
    expect(await created()).toEqual([])
    expect(await balanceOf(bank, party)).toBe(FLOAT)
  }

  describe('that strikes before anything happened leaves nothing:', () => {
    it('hang_before, until the caller gives up', async () => {
      await inject('hang_before')
      expect(await failure(post(200))).toBe('ABORT_ERR')
      await expectNothing()
      await expectOneAfterRetry()
    })

    it('hang_before, until its own end', async () => {
      await inject('hang_before', { ms: 100 })
      expect(await failure(post())).toBe('ECONNRESET')
      await expectNothing()
      await expectOneAfterRetry()
    })

    it('reset_before', async () => {
      await inject('reset_before')
      expect(await failure(post())).toBe('ECONNRESET')
      await expectNothing()
      await expectOneAfterRetry()
    })

    it('500_before', async () => {
      await inject('500_before')
      const reply = await post()
      expect([reply.status, reply.json.errors[0].code]).toEqual([500, 'unexpected'])
      await expectNothing()
      await expectOneAfterRetry()
    })

    it.each([
      { with_: {}, wait: '1' },
      { with_: { retry_after: 30 }, wait: '30' },
      { with_: { retry_after: null }, wait: undefined },
    ])('429, with $with_, without a word of the bank’s own', async ({ with_, wait }) => {
      await inject('429', with_)
      const reply = await post()
      expect([reply.status, reply.json, reply.headers['retry-after']]).toEqual([429, undefined, wait])
      await expectNothing()
      await expectOneAfterRetry()
    })

    it('down, on every route', async () => {
      expect((await control(bank, '/faults', { mode: 'down', times: 2 })).status).toBe(201)
      expect(await failure(post())).toBe('ECONNRESET')
      expect(await failure(ask(bank, '/v0/exchange_rates?from=usd&to=gbp'))).toBe('ECONNRESET')
      await expectNothing()
      await expectOneAfterRetry()
    })
  })

  describe('that strikes after the commit leaves exactly one transfer:', () => {
    it('hang_after, until the caller gives up', async () => {
      await inject('hang_after')
      expect(await failure(post(300))).toBe('ABORT_ERR')
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('hang_after, until its own end', async () => {
      await inject('hang_after', { ms: 100 })
      expect(await failure(post())).toBe('ECONNRESET')
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('reset_after', async () => {
      await inject('reset_after')
      expect(await failure(post())).toBe('ECONNRESET')
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('500_after', async () => {
      await inject('500_after')
      const reply = await post()
      expect([reply.status, reply.json.errors[0].code]).toEqual([500, 'unexpected'])
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it.each([
      { with_: {}, status: 400, code: 'invalid_parameters', key: 'destination.external_account_id' },
      { with_: { key: 'source.amount' }, status: 400, code: 'invalid_parameters', key: 'source.amount' },
      { with_: { code: 'aml_violation' }, status: 403, code: 'aml_violation', key: undefined },
    ])('refused_after, with $with_', async ({ with_, status, code, key: named }) => {
      await inject('refused_after', with_)
      const reply = await post()
      expect([reply.status, reply.json.code, reply.json.source?.key]).toEqual([status, code, named])
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('malformed_2xx', async () => {
      await inject('malformed_2xx')
      const reply = await post()
      expect([reply.status, reply.json]).toEqual([201, undefined])
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('truncated, in the middle of the answer', async () => {
      await inject('truncated')
      expect(await failure(post())).toBe('ECONNRESET')
      expect(await created()).toHaveLength(1)
      await expectOneAfterRetry()
    })

    it('wrong_amount, which the answer shows and the books do not', async () => {
      await inject('wrong_amount')
      const reply = await post()
      expect([reply.status, reply.json.amount, reply.json.destination.amount]).toEqual([201, '128.47', '101.00'])
      expect((await created())[0].destination_amount).toBe('100.00')
      await expectOneAfterRetry()
    })

    it('slow, with the right answer in the end', async () => {
      await inject('slow', { ms: 150 })
      const startedMs = performance.now()
      expect((await post()).status).toBe(201)
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(149)
      await expectOneAfterRetry()
    })
  })

  it('strikes as many times as it was told', async () => {
    await inject('500_before', { times: 2 })
    const replies = [await post(), await post(), await post()]
    expect(replies.map((reply) => reply.status)).toEqual([500, 500, 201])
  })

  it('strikes in the order in which faults were asked for', async () => {
    await inject('429')
    await inject('500_before')
    expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([429, 500, 201])
  })

  it('leaves other routes alone, and is gone when it is taken back', async () => {
    await inject('500_before', { times: 1_000_000 })
    expect((await ask(bank, '/v0/transfers')).status).toBe(200)
    expect((await control(bank, '/faults')).json.data).toMatchObject([{ mode: '500_before', times_left: 1_000_000 }])
    await control(bank, '/faults', undefined, 'DELETE')
    expect((await post()).status).toBe(201)
  })

  it('does not make a refusal look like success', async () => {
    await inject('malformed_2xx')
    const reply = await ask(bank, '/v0/transfers', { body: { ...body, on_behalf_of: 'nobody' } })
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameters'])
  })

  it('may be meant for a route with ids in it', async () => {
    const route = 'GET /v0/transfers/{transferId}'
    expect((await control(bank, '/faults', { route, mode: '429' })).status).toBe(201)
    const sent = await post()
    expect((await ask(bank, `/v0/transfers/${sent.json.id}`)).status).toBe(429)
    expect((await ask(bank, `/v0/transfers/${sent.json.id}`)).status).toBe(200)
  })

  it.each([
    { mode: 'explode', route: 'POST /v0/transfers' },
    { mode: '429', route: 'POST /v0/transfer' },
    { mode: '429', route: 'POST /v0/transfers', times: 0 },
  ])('is refused when there is no such thing: %j', async (wrong) => {
    expect((await control(bank, '/faults', wrong)).status).toBe(400)
  })

  it('is seen among the requests, with every one that was really made', async () => {
    await inject('reset_after')
    await failure(post())
    await post()
    const { data } = (await control(bank, '/requests?limit=1000&route=POST%20/v0/transfers')).json
    const own = data.filter((request: Json) => request.idempotency_key === key)
    expect(own.map((request: Json) => [request.status, request.fault])).toEqual([
      [201, null],
      [null, 'reset_after'],
    ])
  })

  it('does not keep the bank from closing', async () => {
    const other = await aBank()
    await control(other, '/faults', { mode: 'hang_before', times: 2 })
    const hanging = failure(ask(other, '/v0/transfers'))
    await control(other, '/faults')
    await other.close()
    expect(await hanging).toBe('ECONNRESET')
  })
})
