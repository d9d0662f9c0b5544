// A recipient is registered at the bank once, found again by a keyed hash, and nowhere here in the clear.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { CANARY } from '../support/canaries.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'
import {
  type TestPartner,
  aRecipient,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  sql,
} from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const ROUTE = 'POST /v0/customers/{customerId}/external_accounts'
const HOUR_MS = 60 * 60 * 1_000

let test: BankApp
beforeAll(async () => {
  test = await startBankApp({ totalTimeoutMs: 2_000 })
})
afterAll(() => test.close())

/** The accounts that the bank knows for a partner. */
async function registered(partner: TestPartner): Promise<{ id: string; last_4: string; account_owner_name: string }[]> {
  const { holderRef } = await accountAtBank(test, partner)
  return test.bank.query(
    'select id, last_4, account_owner_name from external_accounts where customer_id = $1 order by seq',
    [holderRef],
  )
}

async function timesAsked(during: () => Promise<unknown>): Promise<number> {
  const before = (await test.bank.requests(ROUTE)).length
  await during()
  return (await test.bank.requests(ROUTE)).length - before
}

async function paidTo(partner: TestPartner): Promise<Set<string>> {
  const { holderRef } = await accountAtBank(test, partner)
  const { transfers } = await test.bank.books()
  return new Set(transfers.filter((each) => each.customer_id === holderRef).map((each) => each.external_account_id))
}

async function pay(partner: TestPartner, recipient: object = aRecipient()): Promise<void> {
  expect((await createPayout(test, partner, { recipient })).statusCode).toBe(201)
}

describe('a recipient, on the wire', () => {
  let seen: BankApp
  let bank: LyingBank
  beforeAll(async () => {
    seen = await startBankApp({
      through: async ({ provider }) => {
        bank = await startLyingBank(provider)
        return bank.provider
      },
    })
  })
  afterAll(async () => {
    await seen.close()
    await bank.close()
  })

  it.each([
    { region: 'Kent', city: 'Dover', sent: { city: 'Dover, Kent' } },
    { region: 'Scotland', city: 'Perth', sent: { city: 'Perth', state: 'SCT' } },
    // The town is the region when none is said, and says nothing new.
    { region: undefined, city: 'Leeds', sent: { city: 'Leeds' } },
  ])('has its region in the address that reaches the bank: $region of $city', async ({ region, city, sent }) => {
    const partner = await seen.aConnectedPartner()
    const { address, ...rest } = aRecipient()
    const { holderRef } = await accountAtBank(seen, partner)
    const recipient = { ...rest, address: { ...address, city, region } }
    expect((await createPayout(seen, partner, { recipient })).statusCode).toBe(201)
    const asked = bank.wire.filter(({ path }) => path === `/customers/${holderRef}/external_accounts`)
    expect(asked.map(({ body }) => (JSON.parse(body) as { address: object }).address)).toEqual([
      { street_line_1: expect.any(String), postal_code: expect.any(String), country: 'GBR', ...sent },
    ])
  })

  it('whose account the bank has, of the same owner and deactivated, is refused with 422, and nothing moves', async () => {
    const partner = await seen.aConnectedPartner()
    expect((await createPayout(seen, partner)).statusCode).toBe(201)
    const { holderRef } = await accountAtBank(seen, partner)
    const [kept] = await seen.bank.query<{ id: string }>('select id from external_accounts where customer_id = $1', [
      holderRef,
    ])
    bank.lieAbout(`/customers/${holderRef}/external_accounts/${kept!.id}`, ([account]) => [
      { ...account, active: false },
    ])
    const orders = () => bank.log.filter((asked) => asked === 'POST /transfers').length
    const before = orders()
    const recipient = { ...aRecipient(), first_name: aRecipient().first_name.toUpperCase() }
    const reply = await createPayout(seen, partner, { recipient })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_recipient'])
    expect(reply.json().error.message).toContain('deactivated')
    expect(orders()).toBe(before)
    expect(await balanceOf(seen, partner)).toBe(FLOAT - SENT)
    bank.tellTheTruth()
    expect((await createPayout(seen, partner, { recipient })).statusCode).toBe(201)
  })
})

describe('the same recipient', () => {
  it('is registered once for many payouts', async () => {
    const partner = await test.aConnectedPartner()
    const asked = await timesAsked(async () => {
      for (let time = 0; time < 5; time++) await pay(partner)
    })
    expect(asked).toBe(1)
    const accounts = await registered(partner)
    expect(accounts).toHaveLength(1)
    expect(await paidTo(partner)).toEqual(new Set([accounts[0]?.id]))
    expect(await balanceOf(test, partner)).toBe(FLOAT - 5n * SENT)
  })

  it('is registered once for ten payouts at once', async () => {
    const partner = await test.aConnectedPartner()
    await Promise.all(Array.from({ length: 10 }, () => pay(partner)))
    const accounts = await registered(partner)
    expect(accounts).toHaveLength(1)
    expect(await paidTo(partner)).toEqual(new Set([accounts[0]?.id]))
    expect(await balanceOf(test, partner)).toBe(FLOAT - 10n * SENT)
    const kept = await sql(test, 'select recipient_ref from bank_recipients where partner_id = $1', [partner.id])
    expect(kept).toEqual([{ recipient_ref: accounts[0]?.id }])
  })

  it('is registered once for ten payouts at once that give its address differently', async () => {
    const partner = await test.aConnectedPartner()
    const recipients = Array.from({ length: 10 }, (_, index) => ({
      ...aRecipient(),
      address: { line1: `${index} Canary Lane`, city: 'Leeds', postal_code: CANARY.postalCode },
    }))
    const replies = await Promise.all(recipients.map((recipient) => createPayout(test, partner, { recipient })))
    expect(replies.map((reply) => reply.statusCode)).toEqual(replies.map(() => 201))
    expect(await registered(partner)).toHaveLength(1)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 10n * SENT)
  })

  it('is another one for another partner', async () => {
    const [one, other] = [await test.aConnectedPartner(), await test.aConnectedPartner()]
    await pay(one)
    await pay(other)
    const [first, second] = [await registered(one), await registered(other)]
    expect([first.length, second.length]).toEqual([1, 1])
    expect(first[0]?.id).not.toBe(second[0]?.id)
    const kept = await sql<{ hash: string }>(
      test,
      `select encode(recipient_fingerprint, 'hex') as hash from bank_recipients where partner_id in ($1, $2)`,
      [one.id, other.id],
    )
    expect(kept).toHaveLength(2)
  })
})

describe('recipients that are known', () => {
  const LOOK_UP = 'find_bank_recipients'

  it('are looked up together by payouts that come together, and each partner’s stay its own', async () => {
    const partners = await test.connectedPartners(2)
    const recipients = Array.from({ length: 6 }, (_, nth) => aRecipient({ account_number: `4433221${nth}` }))
    for (const partner of partners) for (const recipient of recipients) await pay(partner, recipient)
    const [first, second] = await Promise.all(partners.map(paidTo))
    const looks = vi.spyOn(test.deps.db.lookup, 'query')
    try {
      await Promise.all(partners.flatMap((partner) => recipients.map((recipient) => pay(partner, recipient))))
      const asked = looks.mock.calls.filter(([{ name }]) => name === LOOK_UP)
      expect(asked.length).toBeGreaterThan(0)
      expect(asked.length).toBeLessThan(recipients.length)
    } finally {
      looks.mockRestore()
    }
    // Nobody new was registered, and nobody was paid at another’s account.
    expect(await Promise.all(partners.map(paidTo))).toEqual([first, second])
    expect(first!.size).toBe(recipients.length)
    expect([...first!].filter((id) => second!.has(id))).toEqual([])
    for (const partner of partners)
      expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * BigInt(recipients.length) * SENT)
  })

  it('and whose look-up fails are not paid, and nothing moves', async () => {
    const partner = await test.aConnectedPartner()
    await pay(partner)
    const [before, query] = [await paidTo(partner), test.deps.db.lookup.query.bind(test.deps.db.lookup)]
    const looks = vi.spyOn(test.deps.db.lookup, 'query').mockImplementation((statement, values) => {
      if (statement.name === LOOK_UP) return Promise.reject(new Error('Connection terminated unexpectedly'))
      return query(statement, values)
    })
    const idempotencyKey = anIdempotencyKey()
    try {
      const refused = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
      expect(refused.statusCode).toBeGreaterThanOrEqual(500)
    } finally {
      looks.mockRestore()
    }
    expect(await paidTo(partner)).toEqual(before)
    await test.pass(60_000)
    const paid = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect([200, 201]).toContain(paid.statusCode)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})

describe('the transfer of a payout', () => {
  const kept = (partner: TestPartner) =>
    sql<{ payout: string; ref: string; version: string }>(
      test,
      `select payout_id as payout, transfer_ref as ref, xmin::text as version from payout_transfers
        where partner_id = $1 order by payout_id`,
      [partner.id],
    )

  it('is noted with those of its batch, and not again by what follows', async () => {
    const partner = await test.aConnectedPartner()
    await Promise.all(Array.from({ length: 12 }, () => pay(partner)))
    const payouts = await sql<{ payout: string; ref: string }>(
      test,
      'select id as payout, provider_ref as ref from payouts where partner_id = $1 order by id',
      [partner.id],
    )
    const noted = await kept(partner)
    expect(noted.map(({ payout, ref }) => ({ payout, ref }))).toEqual(payouts)
    expect(new Set(noted.map(({ ref }) => ref)).size).toBe(12)
    await test.pass(60_000)
    const ends = await sql(test, 'select distinct status from payouts where partner_id = $1', [partner.id])
    expect(ends).toEqual([{ status: 'completed' }])
    expect(await kept(partner)).toEqual(noted)
  })
})

describe('another recipient', () => {
  it('at another account is registered too', async () => {
    const partner = await test.aConnectedPartner()
    const asked = await timesAsked(async () => {
      await pay(partner)
      await pay(partner, aRecipient({ account_number: '98765433' }))
      await pay(partner, { ...aRecipient(), bank: { ...aRecipient().bank, sort_code: '112234' } })
      await pay(partner)
    })
    expect(asked).toBe(3)
    const accounts = await registered(partner)
    expect(accounts.map((account) => account.last_4)).toEqual(['5432', '5433', '5432'])
    expect((await paidTo(partner)).size).toBe(3)
  })

  describe.each([{ duplicates_say_their_id: true }, { duplicates_say_their_id: false }])(
    'at an account that the bank has under another name, where %j',
    (reading) => {
      beforeEach(() => test.bank.control('POST', '/readings', reading))
      afterEach(() => test.bank.control('DELETE', '/readings'))

      it('is refused with 422, is never paid under that name, and nothing moves', async () => {
        const partner = await test.aConnectedPartner()
        await pay(partner)
        for (const recipient of [
          { ...aRecipient(), first_name: 'Zephyr' },
          { ...aRecipient(), type: 'business' as const },
        ]) {
          const reply = await createPayout(test, partner, { recipient })
          expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_recipient'])
          expect(reply.json().error.message).toContain('under another name')
        }
        expect([(await registered(partner)).length, (await paidTo(partner)).size]).toEqual([1, 1])
        expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
      })

      it('in another spelling of it only, is paid at the account that is there', async () => {
        const partner = await test.aConnectedPartner()
        await pay(partner)
        const { first_name: first, last_name: last } = aRecipient()
        await pay(partner, { ...aRecipient(), first_name: first.toUpperCase(), last_name: `${last.toLowerCase()}.` })
        expect([(await registered(partner)).length, (await paidTo(partner)).size]).toEqual([1, 1])
        expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
      })
    },
  )

  it('that the bank has deactivated since is registered anew when the request is repeated', async () => {
    const partner = await test.aConnectedPartner()
    await pay(partner)
    const [before] = await registered(partner)
    await test.bank.query('update external_accounts set is_active = false where id = $1', [before!.id])
    const key = { 'idempotency-key': anIdempotencyKey() }
    const refused = await createPayout(test, partner, {}, key)
    expect([refused.statusCode, refused.json().error.code]).toEqual([502, 'payout_not_created'])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    // Within the minute the bank would give its first answer to the registration again.
    await test.moveClocks(60_000)
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect((await registered(partner)).length).toBe(2)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('with a name, street or town of any length and alphabet is taken by the bank', async () => {
    const partner = await test.aConnectedPartner()
    const odd = [
      { first_name: 'É'.repeat(60), last_name: 'Ångström' },
      { first_name: 'A', last_name: 'B' },
      { first_name: '  Ada  ', last_name: 'Lovelace' },
    ]
    const streets = ['1', 'é', 'x'.repeat(120), '12 Straße', '  7 ']
    for (const [index, street] of streets.entries()) {
      await pay(partner, {
        ...aRecipient({ account_number: `1234567${index}` }),
        ...odd[index % odd.length],
        address: {
          line1: street,
          line2: street,
          city: index === 0 ? 'Y' : 'Llanfairpwll'.repeat(4),
          postal_code: 'SW1A 1AA',
        },
      })
    }
    expect(await registered(partner)).toHaveLength(streets.length)
  })
})

describe('a registration that goes wrong', () => {
  it.each([
    'hang_before',
    'reset_before',
    '500_before',
    '429',
    'reset_after',
    '500_after',
    'malformed_2xx',
    'truncated',
  ])('with %s sends and holds nothing, and the same key pays afterwards', async (mode) => {
    const partner = await test.aConnectedPartner()
    const idempotencyKey = anIdempotencyKey()
    await test.bank.control('POST', '/faults', { route: ROUTE, mode, ...(mode === 'hang_before' ? { ms: 3_000 } : {}) })
    const refused = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect(refused.statusCode).toBe(502)
    expect(refused.json()).toMatchObject({ error: { code: 'payout_not_created' } })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    expect(await paidTo(partner)).toEqual(new Set())
    const paid = await createPayout(test, partner, {}, { 'idempotency-key': idempotencyKey })
    expect(paid.statusCode).toBe(201)
    expect(await registered(partner)).toHaveLength(1)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('and is tried again with another address is no refusal of the account', async () => {
    const partner = await test.aConnectedPartner()
    await test.bank.control('POST', '/faults', { route: ROUTE, mode: '500_after' })
    expect((await createPayout(test, partner)).statusCode).toBe(502)
    const moved = { ...aRecipient(), address: { line1: '1 Elsewhere', city: 'York', postal_code: 'YO1 7HH' } }
    const paid = await createPayout(test, partner, { recipient: moved })
    expect(paid.json()).toMatchObject({ status: 'processing' })
    expect(await registered(partner)).toHaveLength(1)
  })

  it('and is tried again a day later is no refusal of the account', async () => {
    const partner = await test.aConnectedPartner()
    await test.bank.control('POST', '/faults', { route: ROUTE, mode: '500_after' })
    expect((await createPayout(test, partner)).statusCode).toBe(502)
    await test.moveClocks(25 * HOUR_MS)
    const paid = await createPayout(test, partner)
    expect(paid.json()).toMatchObject({ status: 'processing' })
    expect(await registered(partner)).toHaveLength(1)
  })
})

describe('bank details', () => {
  const HIDDEN = [CANARY.sortCode, CANARY.accountNumber, CANARY.line1, CANARY.postalCode, CANARY.email]

  interface Column {
    readonly table_name: string
    readonly column_name: string
    readonly data_type: string
  }
  const COLUMNS = `
    select c.table_name, c.column_name, c.data_type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')
     order by 1, 2`

  /** Everything that can hold words, of every table, as one text each. */
  async function dump(read: <Row extends object>(text: string) => Promise<Row[]>): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const { table_name, column_name, data_type } of await read<Column>(COLUMNS)) {
      const value = data_type === 'bytea' ? `encode("${column_name}", 'escape')` : `"${column_name}"::text`
      const [row] = await read<{ words: string | null }>(
        `select string_agg(${value}, chr(10)) as words from "${table_name}"`,
      )
      found.set(`${table_name}.${column_name}`, row?.words ?? '')
    }
    return found
  }

  it('are in none of our tables in the clear', async () => {
    const partner = await test.aConnectedPartner()
    await pay(partner)
    await createPayout(test, partner, { reference: 'sandbox:reject' })
    await createPayout(test, partner, { reference: 'sandbox:late' })
    await test.pass(10_000)
    await get(test, partner, '/v1/recipients')
    const words = await dump((text) => sql(test, text))
    expect(words.size).toBeGreaterThan(60)
    // The search itself works: what may be read is found.
    expect(words.get('payouts.recipient_name')).toContain(`${CANARY.firstName} ${CANARY.lastName}`)
    const found = [...words].flatMap(([column, text]) =>
      HIDDEN.filter((canary) => text.includes(canary)).map((canary) => `${canary} in ${column}`),
    )
    expect(found).toEqual([])
    const named = [...words].filter(([, text]) => text.includes(CANARY.lastName)).map(([column]) => column)
    expect(named).toEqual(['payouts.recipient_name'])
  })

  it('of an account are not in the bank’s tables either, beyond four digits', async () => {
    const words = await dump((text) => test.bank.query(text))
    expect(words.get('external_accounts.last_4')).toContain('5432')
    const found = [...words].filter(([, text]) => text.includes(CANARY.accountNumber)).map(([column]) => column)
    expect(found).toEqual([])
  })
})
