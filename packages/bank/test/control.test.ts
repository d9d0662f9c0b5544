import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Json, ask, control } from './support/ask.ts'
import {
  CANARY,
  FLOAT,
  FLOAT_LESS_HUNDRED_POUNDS,
  HUNDRED_POUNDS_COST,
  type Party,
  aParty,
  anExternalAccount,
  balanceOf,
  sendTransfer,
  until,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { Receiver, anActiveWebhook } from './support/receiver.ts'
import { API_KEY, CONTROL_KEY, type TestBank, aBank } from './support/test-bank.ts'

describe('the control plane', () => {
  let bank: TestBank
  let party: Party

  beforeAll(async () => {
    bank = await aBank()
    party = await aParty(bank)
  })
  afterAll(() => bank.close())

  it('wants its own key, and no other', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${API_KEY}` }]) {
      expect((await ask(bank, '/_control/ledger', { headers })).status).toBe(401)
    }
    expect((await control(bank, '/ledger')).status).toBe(200)
    expect((await ask(bank, '/v0/transfers', { apiKey: CONTROL_KEY })).status).toBe(401)
  })

  it('leaves optional fields out of transfers, and shows a state that nobody knows, wherever they are shown', async () => {
    const own = await aParty(bank)
    const receiver = await Receiver.open()
    await anActiveWebhook(bank, receiver)
    const toldOf = (id: string) => receiver.received.find(({ event }) => event.event_object_id === id)?.event
    const seen = async (id: string, posted: Json) => {
      const lists = ['/v0/transfers', `/v0/customers/${own.customerId}/transfers`]
      const listed = await Promise.all(lists.map(async (path) => (await ask(bank, path)).json.data as Json[]))
      await until(
        () => toldOf(id),
        (told) => told !== undefined,
      )
      expect(toldOf(id)!.event_object_status).toBe('quantum')
      const rows = listed.map((list) => list.find((row) => row.id === id))
      return [posted, (await ask(bank, `/v0/transfers/${id}`)).json, ...rows, toldOf(id)!.event_object]
    }
    const without = ['client_reference_id', 'destination.amount', 'receipt.final_amount']
    expect((await control(bank, '/appearances', { without, state: 'quantum' })).status).toBe(200)
    const { json } = await sendTransfer(bank, own)
    for (const shown of await seen(json.id, json)) {
      expect(shown.state).toBe('quantum')
      expect([shown.client_reference_id, shown.destination.amount, shown.receipt.final_amount]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect(shown.destination.currency).toBe('gbp')
    }
    await control(bank, '/appearances', { transfer_id: json.id })
    expect((await ask(bank, `/v0/transfers/${json.id}`)).json.destination.amount).toBe('100.00')
    expect((await sendTransfer(bank, own)).json.state).toBe('quantum')
    await control(bank, '/appearances', undefined, 'DELETE')
    expect((await sendTransfer(bank, own)).json.state).not.toBe('quantum')
    await receiver.close()
    for (const wrong of [{ without: ['id'] }, { without: ['amount'] }, { states: 'quantum' }, { transfer_id: 'x' }]) {
      expect((await control(bank, '/appearances', wrong)).status).toBe(400)
    }
  })

  describe('moves a transfer', () => {
    const steer = (id: string, action: string, body: object = {}) => control(bank, `/transfers/${id}/${action}`, body)

    it.each([
      { moves: ['submit', 'settle', 'return', 'refund'], balances: ['', '', '', FLOAT] },
      { moves: ['settle', 'return'], balances: ['', ''] },
      { moves: ['review', 'submit', 'undeliver', 'refund'], balances: ['', '', '', FLOAT] },
      { moves: ['review', 'cancel'], balances: ['', FLOAT] },
      { moves: ['cancel'], balances: [FLOAT] },
      { moves: ['submit', 'return', 'refund'], balances: ['', '', FLOAT] },
      { moves: ['undeliver', 'refund'], balances: ['', FLOAT] },
    ])('along $moves', async ({ moves, balances }) => {
      const own = await aParty(bank)
      const { id } = (await sendTransfer(bank, own)).json
      for (const [index, action] of moves.entries()) {
        const moved = await steer(id, action)
        expect(moved.status).toBe(200)
        expect(disagreements('Transfer', moved.json)).toEqual([])
        expect(await balanceOf(bank, own)).toBe(balances[index] === '' ? FLOAT_LESS_HUNDRED_POUNDS : FLOAT)
      }
    })

    it.each([
      { after: [], illegal: ['return', 'refund'] },
      { after: ['settle'], illegal: ['submit', 'settle', 'cancel', 'undeliver', 'review', 'refund'] },
      { after: ['submit'], illegal: ['cancel', 'submit', 'refund'] },
      { after: ['cancel'], illegal: ['submit', 'settle', 'return', 'undeliver', 'review', 'refund', 'cancel'] },
      { after: ['settle', 'return', 'refund'], illegal: ['refund', 'return', 'cancel'] },
    ])('nowhere that is not allowed: after $after not to $illegal', async ({ after, illegal }) => {
      const own = await aParty(bank)
      const { id } = (await sendTransfer(bank, own)).json
      for (const action of after) await steer(id, action)
      const before = await balanceOf(bank, own)
      for (const action of illegal) {
        const reply = await steer(id, action)
        expect([action, reply.status, reply.json.code]).toEqual([action, 409, 'illegal_move'])
      }
      expect(await balanceOf(bank, own)).toBe(before)
    })

    it('for the reason that it is given', async () => {
      const own = await aParty(bank)
      const reasons = [
        { action: 'undeliver', body: {}, reason: 'Beneficiary account stopped (1161)' },
        { action: 'undeliver', body: { reason_code: '1160' }, reason: 'Beneficiary account closed (1160)' },
        { action: 'undeliver', body: { reason_code: 'AC03', reason: 'Unknown' }, reason: 'Unknown (AC03)' },
      ]
      for (const { action, body, reason } of reasons) {
        const { id } = (await sendTransfer(bank, own, { amount: '1.00' })).json
        expect((await steer(id, action, body)).json.return_details).toEqual({ reason })
      }
    })

    it('that exists', async () => {
      expect((await steer('00000000-0000-4000-8000-000000000000', 'settle')).status).toBe(404)
    })

    it('without a body as well', async () => {
      const own = await aParty(bank)
      const { id } = (await sendTransfer(bank, own)).json
      expect((await control(bank, `/transfers/${id}/settle`, undefined, 'POST')).json.state).toBe('payment_processed')
    })
  })

  it('adjusts a wallet by as little as a millionth, and never below nothing', async () => {
    const own = await aParty(bank)
    const adjust = (amount: string) =>
      control(bank, `/wallets/${own.walletId}/adjust`, { amount_micro: amount, reason: 'seeded difference' })
    expect((await adjust('1')).json.balances[0].balance).toBe('10000.000001')
    expect((await adjust('-2')).json.balances[0].balance).toBe('9999.999999')
    const refused = await adjust('-9999999999999')
    expect([refused.status, refused.json.code]).toEqual([409, 'wallet_too_low'])
    expect((await adjust('0')).status).toBe(400)
    expect((await adjust('0.5')).status).toBe(400)
    expect(await balanceOf(bank, own)).toBe('9999.999999')
  })

  it('shows every transfer that was really created, and what every wallet holds', async () => {
    const own = await aParty(bank)
    const sent = await sendTransfer(bank, own, { clientReference: 'in-the-books' }, { key: 'the-key' })
    const refused = await anExternalAccount(bank, own, '99990000')
    await sendTransfer(bank, own, { account: refused })
    const books = (await control(bank, `/ledger?customer_id=${own.customerId}`)).json
    expect(books.transfers).toMatchObject([
      {
        id: sent.json.id,
        client_reference_id: 'in-the-books',
        idempotency_key: 'the-key',
        wallet_id: own.walletId,
        amount: HUNDRED_POUNDS_COST,
        amount_micro: '127470000',
        debited_micro: '127470000',
        destination_amount: '100.00',
        state: 'awaiting_funds',
        is_refunded: false,
      },
      { state: 'undeliverable', debited_micro: '0', story: 'refuse' },
    ])
    expect(books.wallets).toEqual([
      {
        id: own.walletId,
        customer_id: own.customerId,
        balance: FLOAT_LESS_HUNDRED_POUNDS,
        balance_micro: '9872530000',
      },
    ])
  })

  it.each([
    { path: '/rate', body: { rate: '-1' } },
    { path: '/rate', body: {} },
    { path: '/clock/advance', body: { ms: -1 } },
    { path: '/clock/advance', body: { ms: 0.5 } },
    { path: '/wallets/00000000-0000-4000-8000-000000000000/credit', body: { source: 'bank' } },
    { path: '/wallets/00000000-0000-4000-8000-000000000000/credit', body: { source: 'cash', amount: '1.00' } },
  ])('refuses $body for $path', async ({ path, body }) => {
    expect((await control(bank, path, body)).status).toBe(400)
  })

  it('lists the requests that were made, newest first, and none of its own', async () => {
    await ask(bank, `/v0/customers/${party.customerId}`)
    const { data } = (await control(bank, '/requests?limit=5')).json
    expect(data[0]).toMatchObject({ method: 'GET', route: '/v0/customers/{customerId}', status: 200, fault: null })
    expect(data.filter((request: Json) => request.route.startsWith('/_control'))).toEqual([])
  })

  it('lets a wallet’s time pass for many at once, while the bank goes on by itself', async () => {
    const own = await aParty(bank)
    const advance = (ms: number) => control(bank, `/wallets/${own.walletId}/advance`, { ms })
    const sent: string[] = []
    for (let round = 1; round <= 8; round++) {
      for (const reference of ['sandbox:return', 'rent', 'sandbox:fail', 'sandbox:cancel']) {
        sent.push((await sendTransfer(bank, own, { reference })).json.id)
      }
      const answers = await Promise.all([250, 700, 250, 0, 1_000, 250, 500, 0].map(advance))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
    await advance(60_000)
    const states = await Promise.all(sent.map(async (id) => (await ask(bank, `/v0/transfers/${id}`)).json.state))
    expect(states.slice(-4)).toEqual(['refunded', 'payment_processed', 'refunded', 'canceled'])
    // Of each four only the rent is gone, once.
    const spent = Math.round((Number(FLOAT) - Number(await balanceOf(bank, own))) * 100)
    expect(spent).toBe(8 * Math.round(Number(HUNDRED_POUNDS_COST) * 100))
  })

  it('wipes everything on a reset, and the bank goes on', async () => {
    const other = await aBank()
    const own = await aParty(other)
    await sendTransfer(other, own)
    await control(other, '/rate', { rate: '0.9' })
    await control(other, '/clock/advance', { ms: 86_400_000 })
    await control(other, '/faults', { mode: 'drop' })
    expect((await control(other, '/reset', {})).status).toBe(200)
    // Nobody's but the developer's own wallet, which is always there.
    const wallets = [expect.objectContaining({ customer_id: null, balance: '0.00' })]
    expect((await control(other, '/ledger')).json).toEqual({ transfers: [], wallets })
    expect((await control(other, '/faults')).json.count).toBe(0)
    expect((await ask(other, '/v0/exchange_rates?from=usd&to=gbp')).json.sell_rate).toBe('0.79')
    const again = await aParty(other)
    const sent = await sendTransfer(other, again)
    expect(Math.abs(Date.parse(sent.json.created_at) - Date.now())).toBeLessThan(60_000)
    await other.close()
  })

  it('wipes everything also when somebody has what it needs, and waits for what it has', async () => {
    const other = await aBank()
    await aParty(other)
    const somebody = new pg.Client({ connectionString: other.database.url })
    await somebody.connect()
    await somebody.query('begin')
    await somebody.query('select from endorsements')
    const reset = control(other, '/reset', {})
    await until(
      async () =>
        (
          await somebody.query(
            'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
          )
        ).rowCount,
      (waiting) => waiting! > 0,
    )
    // PostgreSQL ends one of the two, whichever looks first.
    await somebody.query('select from customers').catch(() => undefined)
    await somebody.query('rollback')
    expect((await reset).status).toBe(200)
    expect((await control(other, '/ledger')).json.wallets).toHaveLength(1)
    await somebody.end()
    await other.close()
  })
})

describe('the log', () => {
  it('has one line a request, of known fields, with nobody’s name, number or key in it', async () => {
    const bank = await aBank({ settleAfterMs: 40 })
    const own = await aParty(bank)
    const account = await anExternalAccount(bank, own, CANARY.accountNumber)
    await sendTransfer(bank, own, { account })
    await sendTransfer(bank, own, { account, amount: 'nonsense' })
    await ask(bank, `/v0/customers/${own.customerId}/external_accounts?name=${CANARY.lastName}`)
    await control(bank, '/faults', { mode: 'reset_before' })
    await ask(bank, '/v0/transfers').catch(() => undefined)
    await control(bank, '/ledger')
    await bank.close()
    const lines = bank.log.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(10)
    const known = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'requestId', 'method', 'route', 'status', 'ms'])
    expect(lines.flatMap((line) => Object.keys(line)).filter((field) => !known.has(field))).toEqual([])
    for (const secret of [...Object.values(CANARY), API_KEY, CONTROL_KEY]) {
      expect(bank.log.lines.filter((line) => line.includes(secret))).toEqual([])
    }
  })
})

describe('the copy of the real bank’s schemas', () => {
  it('finds what does not agree with it', () => {
    const wallet = { id: 'w', chain: 'base', address: 'a', created_at: '2026-01-01T00:00:00.000Z' }
    expect(disagreements('Wallet', wallet)).toEqual([])
    expect(disagreements('Wallet', { ...wallet, chain: 'tempo' })).not.toEqual([])
    expect(disagreements('Wallet', { ...wallet, invented: true })).not.toEqual([])
    expect(disagreements('Wallet', { chain: 'base' })).not.toEqual([])
  })
})
