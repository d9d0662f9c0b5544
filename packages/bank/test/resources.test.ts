import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Json, ask, control } from './support/ask.ts'
import {
  FLOAT,
  type Party,
  aParty,
  advance,
  anAccountNumber,
  anApprovedCustomer,
  anExternalAccount,
  anExternalAccountBody,
  balanceOf,
  sendTransfer,
  until,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { API_KEY, type TestBank, aBank } from './support/test-bank.ts'

let bank: TestBank
let party: Party
let path: string

beforeAll(async () => {
  bank = await aBank()
  party = await aParty(bank)
  path = `/v0/customers/${party.customerId}`
})
afterAll(() => bank.close())

describe('an Api-Key', () => {
  it('is required', async () => {
    const reply = await ask(bank, '/v0/transfers', { apiKey: null })
    expect([reply.status, reply.json]).toEqual([
      401,
      { code: 'required', location: 'header', name: 'Api-Key', message: 'Missing Api-Key header' },
    ])
  })

  it.each(['wrong', `${API_KEY}x`])('that is wrong is refused', async (apiKey) => {
    const reply = await ask(bank, '/v0/transfers', { apiKey })
    expect([reply.status, reply.json]).toEqual([
      401,
      { code: 'invalid', location: 'header', name: 'Api-Key', message: 'Invalid Api-Key header' },
    ])
  })

  it('is looked at before the body', async () => {
    expect((await sendTransfer(bank, party, { amount: 'x' }, { apiKey: 'wrong' })).status).toBe(401)
  })
})

describe('wallets', () => {
  it('start with 10,000.00 USDC when they are a customer’s first, and with nothing afterwards', async () => {
    const own = await aParty(bank)
    expect(await balanceOf(bank, own)).toBe(FLOAT)
    const second = await ask(bank, `/v0/customers/${own.customerId}/wallets`, { body: { chain: 'solana' } })
    expect(await balanceOf(bank, { ...own, walletId: second.json.id })).toBe('0.00')
    expect(second.json.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{44}$/)
  })

  it('opened ten at once give the float once', async () => {
    const customerId = await anApprovedCustomer(bank)
    const open = () => ask(bank, `/v0/customers/${customerId}/wallets`, { body: { chain: 'base' } })
    await Promise.all(Array.from({ length: 10 }, open))
    const { wallets } = (await control(bank, `/ledger?customer_id=${customerId}`)).json
    expect(wallets).toHaveLength(10)
    expect(wallets.filter((wallet: Json) => wallet.balance === FLOAT)).toHaveLength(1)
    expect(wallets.filter((wallet: Json) => wallet.balance_micro === '0')).toHaveLength(9)
  })

  it('agree with the real bank, alone with balances and in lists without', async () => {
    const one = (await ask(bank, `${path}/wallets/${party.walletId}`)).json
    expect(disagreements('WalletWithBalances', one)).toEqual([])
    for (const list of ['/v0/wallets', `${path}/wallets`]) {
      const { data } = (await ask(bank, list)).json
      expect(data.flatMap((wallet: Json) => disagreements('Wallet', wallet))).toEqual([])
    }
    const totals = (await ask(bank, '/v0/wallets/total_balances')).json
    expect(totals.map((total: Json) => total.chain)).toContain('base')
  })

  it('keep their history, newest first', async () => {
    const own = await aParty(bank)
    bank.clock.tick(10)
    await sendTransfer(bank, own)
    const { data } = (await ask(bank, `/v0/wallets/${own.walletId}/history`)).json
    expect(data.flatMap((entry: Json) => disagreements('WalletHistoryEntry', entry))).toEqual([])
    expect(data.map((entry: Json) => [entry.amount, entry.destination.currency])).toEqual([
      ['127.47', 'gbp'],
      [FLOAT, 'usdc'],
    ])
    const since = Date.parse(data[1].created_at)
    expect((await ask(bank, `/v0/wallets/${own.walletId}/history?updated_after_ms=${since}`)).json.count).toBe(1)
  })

  it('take the real bank’s simulated deposits', async () => {
    const own = await aParty(bank)
    const deposit = (amount: string) =>
      ask(bank, `/v0/customers/${own.customerId}/wallets/${own.walletId}/simulate_deposit`, {
        body: { amount, currency: 'usdc' },
      })
    expect((await deposit('100.5')).json.balances[0].balance).toBe('10100.50')
    expect((await deposit('0')).status).toBe(400)
    expect((await deposit('1.001')).status).toBe(400)
  })

  it('of somebody else are unknown', async () => {
    const other = await aParty(bank)
    const reply = await ask(bank, `${path}/wallets/${other.walletId}`)
    expect([reply.status, reply.json.message]).toEqual([404, 'Unknown wallet id'])
  })
})

describe('deposits by bank transfer', () => {
  it('arrive at the virtual account, in pounds, and in the wallet, in USDC', async () => {
    const own = await aParty(bank)
    const destination = { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: own.walletId }
    const made = await ask(bank, `/v0/customers/${own.customerId}/virtual_accounts`, {
      body: { source: { currency: 'gbp' }, destination, developer_fee_percent: '0' },
    })
    expect(made.status).toBe(200)
    expect(disagreements('VirtualAccount', made.json)).toEqual([])
    expect(made.json.source_deposit_instructions).toMatchObject({
      currency: 'gbp',
      payment_rails: ['faster_payments'],
      account_holder_name: 'Thistle Market Ltd',
    })
    const account = `/v0/customers/${own.customerId}/virtual_accounts/${made.json.id}`
    expect((await ask(bank, account)).json).toEqual(made.json)

    const credit = await control(bank, `/wallets/${own.walletId}/credit`, { source: 'bank', amount_gbp: '79.00' })
    expect(credit.json.wallet.balances[0].balance).toBe('10100.00')
    const history = (await ask(bank, `${account}/history`)).json
    expect(history.data.flatMap((event: Json) => disagreements('VirtualAccountEvent', event))).toEqual([])
    expect(history.data.map((event: Json) => [event.type, event.amount, event.currency])).toEqual([
      ['payment_processed', '100.00', 'usdc'],
      ['payment_submitted', '100.00', 'usdc'],
      ['funds_received', '79.00', 'gbp'],
    ])
    expect(new Set(history.data.map((event: Json) => event.deposit_id))).toEqual(new Set([credit.json.deposit_id]))

    const all = await ask(
      bank,
      `/v0/virtual_accounts/history?deposit_id=${credit.json.deposit_id}&event_type=funds_received`,
    )
    expect(all.json.count).toBe(1)
    const since = Date.parse(history.data[0].created_at)
    expect((await ask(bank, `/v0/virtual_accounts/history?updated_after_ms=${since}`)).json.count).toBe(0)
    expect((await ask(bank, `/v0/virtual_accounts/history?updated_after_ms=${since - 1}`)).json.count).toBe(1)
  })

  it('may be given in both currencies', async () => {
    const own = await aParty(bank)
    const destination = { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: own.walletId }
    await ask(bank, `/v0/customers/${own.customerId}/virtual_accounts`, {
      body: { source: { currency: 'gbp' }, destination },
    })
    const body = { source: 'bank', amount: '50.00', amount_gbp: '40.00' }
    const credit = await control(bank, `/wallets/${own.walletId}/credit`, body)
    expect(credit.json.wallet.balances[0].balance).toBe('10050.00')
  })

  it('need a virtual account, which needs a wallet of the same chain', async () => {
    const own = await aParty(bank)
    const credit = await control(bank, `/wallets/${own.walletId}/credit`, { source: 'bank', amount: '1.00' })
    expect([credit.status, credit.json.code]).toEqual([409, 'no_virtual_account'])
    const destination = { payment_rail: 'solana', currency: 'usdc', bridge_wallet_id: own.walletId }
    const refused = await ask(bank, `/v0/customers/${own.customerId}/virtual_accounts`, {
      body: { source: { currency: 'gbp' }, destination },
    })
    expect(refused.json.source.key).toBe('destination.payment_rail')
    expect(await balanceOf(bank, own)).toBe(FLOAT)
  })
})

describe('deposits on chain', () => {
  const address = (own: Party, said: object = {}) =>
    ask(bank, `/v0/customers/${own.customerId}/liquidation_addresses`, {
      body: {
        chain: 'base',
        currency: 'usdc',
        destination_payment_rail: 'base',
        destination_currency: 'usdc',
        bridge_wallet_id: own.walletId,
        return_address: '0xabc',
        ...said,
      },
    })

  it('drain from the liquidation address into the wallet', async () => {
    const own = await aParty(bank)
    const made = await address(own)
    expect(made.status).toBe(201)
    expect(disagreements('LiquidationAddress', made.json)).toEqual([])
    const one = `/v0/customers/${own.customerId}/liquidation_addresses/${made.json.id}`
    expect((await ask(bank, one)).json).toEqual(made.json)
    expect((await ask(bank, `/v0/customers/${own.customerId}/liquidation_addresses`)).json.count).toBe(1)

    const credit = await control(bank, `/wallets/${own.walletId}/credit`, { source: 'onchain', amount: '250.00' })
    expect(credit.json.wallet.balances[0].balance).toBe('10250.00')
    const drains = (await ask(bank, `${one}/drains`)).json
    expect(drains.data.flatMap((drain: Json) => disagreements('Drain', drain))).toEqual([])
    expect(drains.data).toMatchObject([{ id: credit.json.deposit_id, amount: '250.00', state: 'payment_processed' }])
    const all = (await ask(bank, '/v0/liquidation_addresses/drains')).json
    expect(all.data[0]).toEqual(drains.data[0])
    const since = Date.parse(drains.data[0].updated_at)
    expect((await ask(bank, `/v0/liquidation_addresses/drains?updated_after_ms=${since}`)).json.count).toBe(0)
  })

  it('find one address only: a second one for the same destination is refused', async () => {
    const own = await aParty(bank)
    const first = await address(own)
    const second = await address(own)
    expect([second.status, second.json.code, second.json.source]).toEqual([
      400,
      'invalid_parameters',
      { location: 'body', key: 'chain,currency,bridge_wallet_id' },
    ])
    expect(disagreements('Error', second.json)).toEqual([])
    const listed = await ask(bank, `/v0/customers/${own.customerId}/liquidation_addresses`)
    expect(listed.json.data.map((each: { id: string }) => each.id)).toEqual([first.json.id])
  })

  it.each([
    { said: {}, key: 'destination_payment_rail,destination_currency' },
    { said: { destination_payment_rail: 'base' }, key: 'destination_currency' },
    { said: { destination_payment_rail: 'solana', destination_currency: 'usdc' }, key: 'destination_payment_rail' },
  ])('need a destination that is said, for the default is dollars to a bank account: $said', async ({ said, key }) => {
    const own = await aParty(bank)
    const unsaid = { destination_payment_rail: undefined, destination_currency: undefined }
    const refused = await address(own, { ...unsaid, ...said })
    expect([refused.status, refused.json.code, refused.json.source]).toEqual([
      400,
      'invalid_parameters',
      { location: 'body', key },
    ])
    expect((await ask(bank, `/v0/customers/${own.customerId}/liquidation_addresses`)).json.count).toBe(0)
  })

  it('show no wallet’s id in the list of addresses, only the wallet’s address', async () => {
    const own = await aParty(bank)
    await address(own)
    const [listed] = (await ask(bank, `/v0/customers/${own.customerId}/liquidation_addresses`)).json.data
    expect(disagreements('LiquidationAddress', listed)).toEqual([])
    expect(listed).not.toHaveProperty('bridge_wallet_id')
    const wallet = (await ask(bank, `/v0/customers/${own.customerId}/wallets/${own.walletId}`)).json
    expect(listed).toMatchObject({
      destination_payment_rail: 'base',
      destination_currency: 'usdc',
      destination_address: wallet.address,
    })
  })

  it('need an address', async () => {
    const own = await aParty(bank)
    const credit = await control(bank, `/wallets/${own.walletId}/credit`, { source: 'onchain', amount: '1.00' })
    expect([credit.status, credit.json.code]).toEqual([409, 'no_liquidation_address'])
  })
})

describe('external accounts', () => {
  it('agree with the real bank, and never give the account number back', async () => {
    const body = anExternalAccountBody({ account_number: '87654321' })
    const made = await ask(bank, `${path}/external_accounts`, { body })
    expect(made.status).toBe(201)
    expect(disagreements('ExternalAccount', made.json)).toEqual([])
    expect(made.json).toMatchObject({
      account_type: 'gb',
      active: true,
      account: { sort_code: '112233', last_4: '4321' },
    })
    const one = `${path}/external_accounts/${made.json.id}`
    const listed = [
      await ask(bank, one),
      await ask(bank, `${path}/external_accounts`),
      await ask(bank, '/v0/external_accounts'),
    ]
    for (const each of [made, ...listed]) expect(each.text).not.toContain('87654321')
    expect(listed[0]?.json).toEqual(made.json)
  })

  it('are recognised: the same number twice is refused with the id of the first', async () => {
    const own = await aParty(bank)
    const where = `/v0/customers/${own.customerId}/external_accounts`
    const body = anExternalAccountBody()
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(bank, where, { body })))
    const made = replies.filter((reply) => reply.status === 201)
    expect(made).toHaveLength(1)
    const refused = replies.filter((reply) => reply.status === 400)
    expect(refused.map((reply) => [reply.json.code, reply.json.id])).toEqual(
      Array.from({ length: 4 }, () => ['duplicate_external_account', made[0]?.json.id]),
    )
    expect(disagreements('Error', refused[0]?.json)).toEqual([])
  })

  it('are recognised whoever they are said to belong to, but not across customers or sort codes', async () => {
    const number = anAccountNumber()
    const body = anExternalAccountBody({ account_number: number })
    expect((await ask(bank, `${path}/external_accounts`, { body })).status).toBe(201)
    const renamed = { ...body, account_owner_name: 'Somebody Else' }
    expect((await ask(bank, `${path}/external_accounts`, { body: renamed })).status).toBe(400)
    const elsewhere = anExternalAccountBody({ account_number: number, sort_code: '445566' })
    expect((await ask(bank, `${path}/external_accounts`, { body: elsewhere })).status).toBe(201)
    const other = await aParty(bank)
    expect((await ask(bank, `/v0/customers/${other.customerId}/external_accounts`, { body })).status).toBe(201)
  })

  it('are gone when deleted, and may come back as new ones', async () => {
    const number = anAccountNumber()
    const id = await anExternalAccount(bank, party, number)
    const deleted = await ask(bank, `${path}/external_accounts/${id}`, { method: 'DELETE' })
    expect([deleted.status, deleted.json.active]).toEqual([200, false])
    expect((await ask(bank, `${path}/external_accounts/${id}`)).status).toBe(404)
    expect((await sendTransfer(bank, party, { account: id })).status).toBe(400)
    expect(await anExternalAccount(bank, party, number)).not.toBe(id)
  })

  it.each([
    {
      why: 'a sort code with hyphens',
      change: { account: { sort_code: '11-22-33', account_number: '12345678' } },
      key: 'account.sort_code',
    },
    {
      why: 'seven digits',
      change: { account: { sort_code: '112233', account_number: '1234567' } },
      key: 'account.account_number',
    },
    { why: 'another kind of account', change: { account_type: 'iban' }, key: 'account_type' },
    { why: 'a business without a name', change: { account_owner_type: 'business' }, key: 'business_name' },
    {
      why: 'a street of three letters',
      change: { address: { street_line_1: 'abc', city: 'Leeds', country: 'GBR' } },
      key: 'address.street_line_1',
    },
    {
      why: 'a country of two letters',
      change: { address: { street_line_1: '1 High St', city: 'Leeds', country: 'GB' } },
      key: 'address.country',
    },
  ])('with $why are refused', async ({ change, key }) => {
    const body = { ...anExternalAccountBody(), ...change }
    const reply = await ask(bank, `${path}/external_accounts`, { body })
    expect([reply.status, reply.json.source]).toEqual([400, { location: 'body', key }])
  })

  it('keep no account number in the database', async () => {
    await anExternalAccount(bank, party, '31415926')
    const client = new pg.Client({ connectionString: bank.database.url })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    for (const { name } of rows) {
      const found = await client.query(`select from ${name} each where to_jsonb(each)::text like '%31415926%'`)
      expect([name, found.rowCount]).toEqual([name, 0])
    }
    await client.end()
  })
})

describe('a payee check', () => {
  const verify = (id: string) => ask(bank, `${path}/external_accounts/${id}/verify`, { method: 'POST', key: null })
  const verification = async (id: string) =>
    (await ask(bank, `${path}/external_accounts/${id}`)).json.account_verification

  it('is pending at first, refused while it runs, and then says whose account it is', async () => {
    const id = await anExternalAccount(bank, party)
    const asked = await verify(id)
    expect([asked.status, asked.json]).toMatchObject([
      200,
      {
        account_type: 'gb',
        account_verification: { gb: { match_level: 'pending', reason_code: null }, completed_at: null },
      },
    ])
    const again = await verify(id)
    expect([again.status, again.json.code]).toEqual([409, 'invalid_parameters'])
    expect(disagreements('Error', again.json)).toEqual([])
    await advance(bank, 300)
    const done = await until(
      () => verification(id),
      (seen) => seen.completed_at !== null,
    )
    expect(done.gb).toEqual({
      match_level: 'match',
      reason_code: null,
      validated_account_owner_name: 'Zephyrine Quillfeather',
    })
    expect((await verify(id)).status).toBe(200)
  })

  it('finds nobody behind an account ending 0000', async () => {
    const id = await anExternalAccount(bank, party, '55550000')
    await verify(id)
    await advance(bank, 300)
    expect((await verification(id)).gb).toMatchObject({ match_level: 'no_match', reason_code: 'AC01' })
    const { json } = await ask(bank, `${path}/external_accounts/${id}`)
    expect(disagreements('ExternalAccount', json)).toEqual([])
  })
})

describe('exchange rates', () => {
  it('are 0.79 until somebody says otherwise', async () => {
    const rates = () => ask(bank, '/v0/exchange_rates?from=usd&to=gbp')
    expect((await rates()).json).toEqual({ midmarket_rate: '0.79', buy_rate: '0.79', sell_rate: '0.79' })
    await control(bank, '/rate', { rate: '0.7512' })
    expect((await rates()).json.sell_rate).toBe('0.7512')
    await control(bank, '/rate', { rate: '0.79' })
  })

  it.each(['', 'from=usd', 'from=usd&to=eur', 'from=gbp&to=usd'])('of %s are refused', async (query) => {
    expect((await ask(bank, `/v0/exchange_rates?${query}`)).status).toBe(400)
  })
})

describe('a route that the bank does not have', () => {
  it('is 404', async () => {
    expect((await ask(bank, '/v0/cards')).status).toBe(404)
  })
})
