import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { aKey, ask, control } from './support/ask.ts'
import {
  FLOAT,
  FLOAT_LESS_HUNDRED_POUNDS,
  HUNDRED_POUNDS_COST,
  type Party,
  type TransferParts,
  aParty,
  aTransferBody,
  advance,
  anEmail,
  anExternalAccount,
  balanceOf,
  sendTransfer,
  stateOf,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

describe('transfers', () => {
  let bank: TestBank
  let party: Party
  let account: string

  beforeAll(async () => {
    bank = await aBank()
    party = await aParty(bank)
    account = await anExternalAccount(bank, party)
  })
  afterAll(() => bank.close())

  describe('that are accepted', () => {
    it('say what they cost, agree with the real bank, and echo what was asked for', async () => {
      const own = await aParty(bank)
      const { status, json } = await sendTransfer(bank, own, { clientReference: 'payout-1', reference: 'INV 1042' })
      expect(status).toBe(201)
      expect(disagreements('Transfer', json)).toEqual([])
      expect(json).toMatchObject({
        client_reference_id: 'payout-1',
        state: 'awaiting_funds',
        on_behalf_of: own.customerId,
        amount: HUNDRED_POUNDS_COST,
        currency: 'usd',
        source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: own.walletId },
        destination: { payment_rail: 'faster_payments', currency: 'gbp', amount: '100.00', reference: 'INV 1042' },
        receipt: {
          initial_amount: HUNDRED_POUNDS_COST,
          developer_fee: '0.00',
          exchange_fee: '0.00',
          subtotal_amount: HUNDRED_POUNDS_COST,
          gas_fee: '0.00',
          final_amount: '100.00',
          exchange_rate: '0.79',
        },
      })
      expect(json.return_details).toBeUndefined()
      expect((await ask(bank, `/v0/transfers/${json.id}`)).json).toEqual(json)
    })

    it('debit exactly the source amount when it is given', async () => {
      const own = await aParty(bank)
      const { json } = await sendTransfer(bank, own, { sourceAmount: '130.00', extra: { developer_fee: '1.5' } })
      expect(json.amount).toBe('130.00')
      expect(json.receipt).toMatchObject({ developer_fee: '1.50', exchange_fee: '0.00', subtotal_amount: '128.50' })
      expect(await balanceOf(bank, own)).toBe('9870.00')
    })

    it('use the rate of the moment', async () => {
      const own = await aParty(bank)
      expect((await control(bank, '/rate', { rate: '0.80' })).json).toEqual({ rate: '0.80' })
      const { json } = await sendTransfer(bank, own)
      expect([json.amount, json.receipt.exchange_rate]).toEqual(['125.88', '0.80'])
      await control(bank, '/rate', { rate: '0.79' })
    })

    it('may be tried dry: the answer is the same, and nothing happens', async () => {
      const own = await aParty(bank)
      const dry = await sendTransfer(bank, own, { extra: { dry_run: true } })
      expect([dry.status, dry.json]).toEqual([201, { state: 'valid', notes: [] }])
      expect((await sendTransfer(bank, own, { amount: '9000.00', extra: { dry_run: true } })).status).toBe(400)
      expect((await ask(bank, `/v0/customers/${own.customerId}/transfers`)).json).toEqual({ count: 0, data: [] })
      expect(await balanceOf(bank, own)).toBe(FLOAT)
    })
  })

  describe('that are refused', () => {
    const refusals: { why: string; parts: TransferParts; status: number; code: string; key: string }[] = [
      {
        why: 'the wallet is too low',
        parts: { amount: '7900.00' },
        status: 400,
        code: 'invalid_parameters',
        key: 'source.bridge_wallet_id',
      },
      {
        why: 'the source amount buys too little',
        parts: { sourceAmount: '126.58' },
        status: 400,
        code: 'invalid_parameters',
        key: 'source.amount',
      },
      {
        why: 'half a penny cannot be sent',
        parts: { amount: '1.005' },
        status: 400,
        code: 'invalid_parameters',
        key: 'destination.amount',
      },
      {
        why: 'nothing cannot be sent',
        parts: { amount: '0.00' },
        status: 400,
        code: 'invalid_parameters',
        key: 'destination.amount',
      },
      {
        why: 'the reference has 19 characters',
        parts: { reference: 'nineteen characters' },
        status: 400,
        code: 'invalid_parameters',
        key: 'destination.reference',
      },
      {
        why: 'the reference has a character that Faster Payments does not carry',
        parts: { reference: 'café' },
        status: 400,
        code: 'invalid_parameters',
        key: 'destination.reference',
      },
      {
        why: 'the account is unknown',
        parts: { account: '00000000-0000-4000-8000-000000000000' },
        status: 400,
        code: 'invalid_parameters',
        key: 'destination.external_account_id',
      },
      {
        why: 'the customer is unknown',
        parts: { extra: { on_behalf_of: 'nobody' } },
        status: 400,
        code: 'invalid_parameters',
        key: 'on_behalf_of',
      },
      {
        why: 'the client reference is empty',
        parts: { clientReference: '' },
        status: 400,
        code: 'invalid_parameters',
        key: 'client_reference_id',
      },
    ]

    it.each(refusals)('because $why say so, and leave the wallet as it was', async ({ parts, status, code, key }) => {
      const before = await balanceOf(bank, party)
      const reply = await sendTransfer(bank, party, { account, ...parts })
      expect([reply.status, reply.json.code]).toEqual([status, code])
      expect(disagreements('Error', reply.json)).toEqual([])
      expect(reply.json.source).toEqual({ location: 'body', key })
      expect(await balanceOf(bank, party)).toBe(before)
    })

    it('name every field that is missing', async () => {
      const reply = await ask(bank, '/v0/transfers', { body: { on_behalf_of: party.customerId, source: {} } })
      expect(reply.json.source.key.split(',').toSorted()).toEqual([
        'destination',
        'source.bridge_wallet_id',
        'source.currency',
        'source.payment_rail',
      ])
    })

    it('because they belong to somebody else say no more than of what does not exist', async () => {
      const other = await aParty(bank)
      const reply = await sendTransfer(bank, other, { account })
      expect(reply.json.source.key).toBe('destination.external_account_id')
      const body = await aTransferBody(bank, other)
      body.source.bridge_wallet_id = party.walletId
      expect((await ask(bank, '/v0/transfers', { body })).json.source.key).toBe('source.bridge_wallet_id')
    })

    it('because the customer is paused, or not endorsed for pounds any more, until it is again', async () => {
      const link = await ask(bank, '/v0/kyc_links', {
        body: { full_name: 'A Ltd', email: anEmail(), type: 'business', endorsements: ['base', 'faster_payments'] },
      })
      const decide = (action: string, body: object = {}) => control(bank, `/kyc_links/${link.json.id}/${action}`, body)
      const customerId = (await decide('approve')).json.customer_id
      const wallet = await ask(bank, `/v0/customers/${customerId}/wallets`, { body: { chain: 'base' } })
      const own = { customerId, walletId: wallet.json.id }
      const to = { account: await anExternalAccount(bank, own) }
      await decide('pause')
      const paused = await sendTransfer(bank, own, to)
      expect([paused.status, paused.json.source]).toEqual([400, { location: 'body', key: 'on_behalf_of' }])
      await decide('approve')
      await decide('revoke', { endorsements: ['faster_payments'] })
      expect((await sendTransfer(bank, own, to)).json).toMatchObject({
        code: 'invalid_parameters',
        source: { location: 'body', key: 'destination.currency' },
      })
      expect(await balanceOf(bank, own)).toBe(FLOAT)
      await decide('approve', { endorsements: ['faster_payments'] })
      expect((await sendTransfer(bank, own, to)).status).toBe(201)
    })

    it('because of JSON that cannot be read are 400', async () => {
      const headers = { 'content-type': 'text/plain' }
      const reply = await ask(bank, '/v0/transfers', { body: 'hello', headers })
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameters'])
    })

    it('never overdraw a wallet, however many come at once', async () => {
      const own = await aParty(bank)
      const body = await aTransferBody(bank, own, { amount: '1000.00' })
      const replies = await Promise.all(Array.from({ length: 12 }, () => ask(bank, '/v0/transfers', { body })))
      // 1,005.20 GBP each are 1,272.41 USDC, of which 10,000.00 hold seven.
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(7)
      expect(await balanceOf(bank, own)).toBe('1093.13')
    })
  })

  describe('that take the wallet’s money only when they go on, in the other reading,', () => {
    beforeAll(() => control(bank, '/readings', { orders_draw_the_wallet: false }))
    afterAll(() => control(bank, '/readings', undefined, 'DELETE'))

    it('have nothing to give back when they are cancelled', async () => {
      const own = await aParty(bank)
      const { id } = (await sendTransfer(bank, own)).json
      expect([await stateOf(bank, id), await balanceOf(bank, own)]).toEqual(['awaiting_funds', FLOAT])
      expect((await ask(bank, `/v0/transfers/${id}`, { method: 'DELETE' })).json.state).toBe('canceled')
      await advance(bank, 60_000)
      expect(await balanceOf(bank, own)).toBe(FLOAT)
      const history = await ask(bank, `/v0/wallets/${own.walletId}/history`)
      expect(history.json.data.map((each: { amount: string }) => each.amount)).toEqual(['10000.00'])
    })

    it('wait as long as the wallet holds too little, and go on when it holds enough', async () => {
      const own = await aParty(bank)
      const sent = [await sendTransfer(bank, own), await sendTransfer(bank, own)].map(({ json }) => json.id as string)
      const adjust = (amount: string) =>
        control(bank, `/wallets/${own.walletId}/adjust`, { amount_micro: amount, reason: 'somebody spent it' })
      await adjust('-9800000000')
      await advance(bank, 500)
      const states = await Promise.all(sent.map((id) => stateOf(bank, id)))
      expect(states.toSorted()).toEqual(['awaiting_funds', 'payment_submitted'])
      expect(await balanceOf(bank, own)).toBe('72.53')
      await adjust('9800000000')
      await advance(bank, 60_000)
      expect(await Promise.all(sent.map((id) => stateOf(bank, id)))).toEqual(['payment_processed', 'payment_processed'])
      expect(await balanceOf(bank, own)).toBe('9745.06')
    })
  })

  describe('with a client_reference_id', () => {
    it('exist as often as they are asked for under another key', async () => {
      const own = await aParty(bank)
      const body = await aTransferBody(bank, own, { clientReference: 'more-than-once' })
      const replies = [await ask(bank, '/v0/transfers', { body }), await ask(bank, '/v0/transfers', { body })]
      expect(replies.map(({ status }) => status)).toEqual([201, 201])
    })

    it('exist once for it in the other reading, whatever the key, and say which one that is', async () => {
      await control(bank, '/readings', { client_references_are_unique: true })
      const own = await aParty(bank)
      const body = await aTransferBody(bank, own, { clientReference: 'only-once' })
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => ask(bank, '/v0/transfers', { body, key: aKey() })),
      )
      const created = replies.filter((reply) => reply.status === 201)
      expect(created).toHaveLength(1)
      const other = replies.find((reply) => reply.status === 400)
      expect(other?.json).toMatchObject({
        code: 'duplicate_record',
        id: created[0]?.json.id,
        source: { location: 'body', key: 'client_reference_id' },
      })
      expect(await balanceOf(bank, own)).toBe(FLOAT_LESS_HUNDRED_POUNDS)
      await control(bank, '/readings', undefined, 'DELETE')
    })

    it('are found by it', async () => {
      const sent = await sendTransfer(bank, party, { account, clientReference: 'find-me' })
      const found = await ask(bank, '/v0/transfers?client_reference_id=find-me')
      expect(found.json.data.map((each: { id: string }) => each.id)).toEqual([sent.json.id])
      expect((await ask(bank, '/v0/transfers?client_reference_id=find-you')).json.count).toBe(0)
    })
  })

  describe('are stopped', () => {
    it('while they are awaiting_funds, with the money back at once', async () => {
      const own = await aParty(bank)
      const sent = await sendTransfer(bank, own)
      const stopped = await ask(bank, `/v0/transfers/${sent.json.id}`, { method: 'DELETE' })
      expect([stopped.status, stopped.json.state]).toEqual([200, 'canceled'])
      expect(await balanceOf(bank, own)).toBe(FLOAT)
      await advance(bank, 60_000)
      expect(await stateOf(bank, sent.json.id)).toBe('canceled')
    })

    it.each([
      ['pending', []],
      ['in_review', ['review']],
      ['payment_submitted', ['submit']],
      ['payment_processed', ['settle']],
      ['returned', ['settle', 'return']],
      ['canceled', ['cancel']],
    ] as const)('and not while they are %s: nothing moves', async (state, steps) => {
      const own = await aParty(bank)
      await control(bank, '/readings', { transfers_await_funds_first: state !== 'pending' })
      const { id } = (await sendTransfer(bank, own)).json
      await control(bank, '/readings', undefined, 'DELETE')
      for (const step of steps) await control(bank, `/transfers/${id}/${step}`, {})
      const before = [await stateOf(bank, id), await balanceOf(bank, own)]
      expect(before[0]).toBe(state)
      const refused = await ask(bank, `/v0/transfers/${id}`, { method: 'DELETE' })
      expect([refused.status, refused.json.code, refused.json.source]).toEqual([
        400,
        'invalid_parameters',
        { location: 'path', key: 'transferID' },
      ])
      expect(disagreements('Error', refused.json)).toEqual([])
      expect([await stateOf(bank, id), await balanceOf(bank, own)]).toEqual(before)
    })

    it('and while they are underfunded in the other reading alone', async () => {
      const own = await aParty(bank)
      const { id } = (await sendTransfer(bank, own)).json
      await control(bank, '/rate', { rate: '0.75' })
      await advance(bank, 500)
      await control(bank, '/rate', { rate: '0.79' })
      const path = `/v0/transfers/${id}`
      expect((await ask(bank, path, { method: 'DELETE' })).json.message).toMatch(/this one is underfunded/)
      await control(bank, '/readings', { underfunded_can_be_cancelled: true })
      expect((await ask(bank, path, { method: 'DELETE' })).json.state).toBe('canceled')
      await control(bank, '/readings', undefined, 'DELETE')
      expect(await balanceOf(bank, own)).toBe(FLOAT)
    })

    it('or handed over, never both, when both happen at once', async () => {
      for (let round = 0; round < 6; round++) {
        const own = await aParty(bank)
        const { id } = (await sendTransfer(bank, own)).json
        const path = `/v0/transfers/${id}`
        const [stopped, again] = await Promise.all([
          ask(bank, path, { method: 'DELETE' }),
          ask(bank, path, { method: 'DELETE' }),
          advance(bank, 500),
        ])
        const stops = [stopped, again].filter(({ status }) => status === 200)
        const wasStopped = stops.length > 0
        expect(stops.length).toBeLessThan(2)
        expect(await stateOf(bank, id)).toBe(wasStopped ? 'canceled' : 'payment_submitted')
        expect(await balanceOf(bank, own)).toBe(wasStopped ? FLOAT : FLOAT_LESS_HUNDRED_POUNDS)
      }
    })

    it('once, when two ask at the same time', async () => {
      const own = await aParty(bank)
      const sent = await sendTransfer(bank, own)
      const path = `/v0/transfers/${sent.json.id}`
      const replies = await Promise.all([1, 2, 3].map(() => ask(bank, path, { method: 'DELETE' })))
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
      expect(await balanceOf(bank, own)).toBe(FLOAT)
    })
  })

  it('that nobody knows are 404, in the words of the real bank', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const reply = await ask(bank, `/v0/transfers/${id}`)
      expect([reply.status, reply.json]).toEqual([404, { code: 'Invalid', message: 'Unknown transfer id' }])
    }
  })
})

describe('lists of transfers', () => {
  let bank: TestBank
  let party: Party
  let ids: string[]

  const idsOf = async (query: string, path = '/v0/transfers') => {
    const reply = await ask(bank, `${path}?${query}`)
    expect(reply.json.count).toBe(reply.json.data.length)
    return reply.json.data.map((each: { id: string }) => each.id) as string[]
  }

  // Twelve of them, newest first.
  beforeAll(async () => {
    bank = await aBank()
    party = await aParty(bank)
    const body = await aTransferBody(bank, party, { amount: '1.00' })
    ids = []
    for (let made = 0; made < 12; made++) {
      ids.unshift((await ask(bank, '/v0/transfers', { body })).json.id)
    }
  })
  afterAll(() => bank.close())

  it('are ten long by default and newest first', async () => {
    expect(await idsOf('')).toEqual(ids.slice(0, 10))
    expect(await idsOf('limit=100')).toEqual(ids)
    expect(await idsOf('limit=3', `/v0/customers/${party.customerId}/transfers`)).toEqual(ids.slice(0, 3))
  })

  it('go on after an id, and back before one', async () => {
    expect(await idsOf(`limit=4&starting_after=${ids[3]}`)).toEqual(ids.slice(4, 8))
    expect(await idsOf(`limit=4&ending_before=${ids[8]}`)).toEqual(ids.slice(4, 8))
    expect(await idsOf(`starting_after=${ids[11]}`)).toEqual([])
    expect(await idsOf(`ending_before=${ids[0]}`)).toEqual([])
  })

  it('hold what was updated after or before a moment, page by page', async () => {
    const seen = (await ask(bank, '/v0/transfers?limit=100')).json.data as { updated_at: string }[]
    const newest = Math.max(...seen.map((each) => Date.parse(each.updated_at)))
    expect(await idsOf(`updated_after_ms=${newest}`)).toEqual([])
    expect(await idsOf(`updated_before_ms=${newest + 1}&limit=100`)).toEqual(ids)
    await control(bank, `/transfers/${ids[7]}/submit`, {})
    await control(bank, `/transfers/${ids[2]}/submit`, {})
    expect(await idsOf(`updated_after_ms=${newest}`)).toEqual([ids[2], ids[7]])
    expect(await idsOf(`updated_after_ms=${newest}&limit=1&starting_after=${ids[2]}`)).toEqual([ids[7]])
  })

  it('take no cursor together with a time in the other reading', async () => {
    await control(bank, '/readings', { cursors_go_with_times: false })
    const reply = await ask(bank, `/v0/transfers?updated_after_ms=1&starting_after=${ids[2]}`)
    expect([reply.status, reply.json.source]).toEqual([
      400,
      { location: 'query', key: 'starting_after,updated_after_ms' },
    ])
    expect(await idsOf('updated_after_ms=1&limit=100')).toEqual(ids)
    expect(await idsOf(`starting_after=${ids[3]}&limit=4`)).toEqual(ids.slice(4, 8))
    await control(bank, '/readings', undefined, 'DELETE')
  })

  it('can be of one state', async () => {
    await control(bank, `/transfers/${ids[5]}/cancel`, {})
    expect(await idsOf('state=canceled')).toEqual([ids[5]])
    expect(await idsOf('state=funds_received')).toEqual([])
  })

  it.each(['limit=0', 'limit=101', 'limit=ten', 'state=lost', 'starting_after=x', 'updated_after_ms=yesterday'])(
    'with %s are refused',
    async (query) => {
      const reply = await ask(bank, `/v0/transfers?${query}`)
      expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameters'])
      expect(reply.json.source).toEqual({ location: 'query', key: query.split('=')[0] })
    },
  )

  it('of an unknown customer are 404', async () => {
    expect((await ask(bank, `/v0/customers/${ids[0]}/transfers`)).json.message).toBe('Unknown customer id')
  })
})
