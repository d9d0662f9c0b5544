import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { microUsdc } from '../../src/core/money.ts'
import { creditDeposit } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { creditWallet, creditWalletIn } from '../../src/domain/wallet/credit-wallet.ts'
import { sumMovements } from '../../src/storage/statements.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, setBalance, sql } from '../support/fixtures.ts'

interface Line {
  at: string
  kind: string
  in_usdc: string | null
  out_usdc: string | null
  balance_usdc: string
  payout_id: string | null
  deposit_id: string | null
}

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp()
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})
beforeEach(async () => {
  test.clock.set('2026-06-10T12:00:00Z')
  partner = await aPartner(test)
})

const statement = async (query = '') => (await get(test, partner, `/v1/statement${query}`)).json()
const micro = (text: string) => {
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(6, '0'))
}

async function deposit(amount: bigint, depositRef: string): Promise<void> {
  const scope = { partnerId: partner.id, environment: 'sandbox' as const }
  const now = test.clock.now()
  const arrived = { depositRef, source: 'chain', amount: microUsdc(amount), receivedAt: now, updatedAt: now } as const
  await test.deps.db.inTransaction((tx) =>
    creditDeposit({ ...test.deps, clock: { now: () => now } }, tx, scope, { ...arrived, holderRef: 'c' }),
  )
}

describe('GET /v1/statement, 200', () => {
  it('shows every movement with its payout or deposit, and what the wallet held after it', async () => {
    test.clock.advance(1_000)
    const paid = (await createPayout(test, partner)).json()
    test.clock.advance(1_000)
    const failed = (await createPayout(test, partner, { reference: 'sandbox:fail' })).json()
    test.clock.advance(5_000)
    await test.follow()
    test.clock.advance(5_000)
    await test.follow()
    await deposit(10_005_000n, 'dep_1')
    const shown = await statement()
    expect(shown).toMatchObject({
      object: 'statement',
      environment: 'sandbox',
      from: '2026-06-01',
      to: '2026-06-10',
      opening_usdc: '0.00',
      closing_usdc: '9977.935',
      has_more: false,
      next_cursor: null,
    })
    expect(
      shown.data.map(({ kind, in_usdc, out_usdc, balance_usdc, payout_id, deposit_id }: Line) => [
        kind,
        in_usdc,
        out_usdc,
        balance_usdc,
        payout_id ?? deposit_id,
      ]),
    ).toEqual([
      ['top_up', '10000.00', null, '10000.00', null],
      ['payout', null, '32.07', '9967.93', paid.id],
      ['payout', null, '32.07', '9935.86', failed.id],
      ['payout_refunded', '32.07', null, '9967.93', failed.id],
      ['top_up', '10.005', null, '9977.935', 'dep_1'],
    ])
  })

  it('shows what was given back at once without a payout, because there is none', async () => {
    await createPayout(test, partner, { reference: 'sandbox:down' })
    const { data, closing_usdc } = await statement()
    expect(data.map(({ kind, payout_id }: Line) => [kind, payout_id])).toEqual([
      ['top_up', null],
      ['payout', null],
      ['payout_released', null],
    ])
    expect(closing_usdc).toBe('10000.00')
  })

  it('never shows money that leaves before it came, though the payout was asked for first and waited', async () => {
    await setBalance(test, partner, '10.00')
    test.clock.advance(1_000)
    const scope = { partnerId: partner.id, environment: 'sandbox' as const }
    const later = new Date(test.clock.now().getTime() + 20_000)
    // Another process, which is a moment ahead or was asked later, has the wallet's lock.
    const paid = await test.deps.db.inTransaction(async (tx) => {
      await creditWalletIn(tx, scope, { amount: microUsdc(90_000_000n), reason: 'More' }, later)
      const asked = createPayout(test, partner)
      await untilOneWaits(test)
      return { asked }
    })
    expect((await paid.asked).statusCode).toBe(201)
    const { data } = await statement()
    expect(data.slice(-2).map(({ at, kind, balance_usdc }: Line) => [at, kind, balance_usdc])).toEqual([
      [later.toISOString(), 'top_up', '100.00'],
      [later.toISOString(), 'payout', '67.93'],
    ])
    // A clock that is wrong by more than that is not followed.
    await creditWallet({ ...test.deps, clock: { now: () => new Date(later.getTime() + 3_600_000) } }, scope, {
      amount: microUsdc(1_000_000n),
      reason: 'Ahead',
    })
    test.clock.advance(1_000)
    await createPayout(test, partner)
    expect((await statement()).data.map(({ kind }: Line) => kind).slice(-3)).toEqual(['payout', 'payout', 'top_up'])
  })

  it('has days of London, both included, and begins with what there was', async () => {
    test.clock.set('2026-06-30T22:59:59Z')
    await setBalance(test, partner, '9000.00')
    test.clock.set('2026-06-30T23:00:00Z')
    await setBalance(test, partner, '9500.00')
    const june = await statement('?from=2026-06-30&to=2026-06-30')
    expect(june).toMatchObject({ opening_usdc: '10000.00', closing_usdc: '9000.00' })
    expect(june.data).toMatchObject([{ kind: 'correction', out_usdc: '1000.00', balance_usdc: '9000.00' }])
    const july = await statement('?from=2026-07-01&to=2026-07-31')
    expect(july).toMatchObject({ opening_usdc: '9000.00', closing_usdc: '9500.00' })
    expect(july.data).toMatchObject([{ kind: 'top_up', in_usdc: '500.00', balance_usdc: '9500.00' }])
    expect(await statement('?from=2026-05-01&to=2026-05-31')).toMatchObject({
      opening_usdc: '0.00',
      closing_usdc: '0.00',
      data: [],
    })
  })

  it('is the same in pages of any size, each line following from the one before', async () => {
    for (let nth = 0; nth < 7; nth++) {
      await createPayout(test, partner, { amount_gbp: `${nth + 1}.00` })
      test.clock.advance(nth % 2 === 0 ? 0 : 1_000)
    }
    await test.follow()
    const whole = await statement()
    for (const limit of [1, 3, 50]) {
      const lines: Line[] = []
      let query = `?limit=${limit}`
      for (;;) {
        const page = await statement(query)
        lines.push(...page.data)
        if (page.next_cursor === null) break
        query = `?limit=${limit}&cursor=${page.next_cursor}`
      }
      expect(lines).toEqual(whole.data)
    }
    let held = micro(whole.opening_usdc)
    for (const line of whole.data as Line[]) {
      held += micro(line.in_usdc ?? '0.00') - micro(line.out_usdc ?? '0.00')
      expect(micro(line.balance_usdc)).toBe(held)
    }
    expect(held).toBe(micro(whole.closing_usdc))
  })

  it('comes to the same in sums, which each page has of the whole period', async () => {
    await createPayout(test, partner, { reference: 'sandbox:fail' })
    await createPayout(test, partner, { reference: 'sandbox:down' })
    await createPayout(test, partner)
    for (let round = 0; round < 3; round++) {
      test.clock.advance(5_000)
      await test.follow()
    }
    const scope = { partnerId: partner.id, environment: 'sandbox' as const }
    const period = { from: new Date('2026-06-01T00:00:00Z'), to: new Date('2026-07-01T00:00:00Z') }
    const sums = await sumMovements(test.deps.db, scope, period)
    expect(sums).toEqual({
      opening: 0n,
      in: 10_064_140_000n,
      out: 96_210_000n,
      toppedUp: 10_000_000_000n,
      takenOut: 0n,
      paidOut: 64_140_000n,
      cameBack: 32_070_000n,
      closing: 9_967_930_000n,
    })
    for (const query of ['', '?limit=1']) {
      expect((await statement(query)).totals).toEqual({
        in_usdc: '10064.14',
        out_usdc: '96.21',
        topped_up_usdc: '10000.00',
        taken_out_usdc: '0.00',
        paid_out_usdc: '64.14',
        came_back_usdc: '32.07',
      })
    }
  })

  it('is there as a file, of more than a page, with balances that go on', async () => {
    const at = test.clock.now()
    await sql(
      test,
      `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       select $1, 'sandbox', gen_random_uuid(), 'credit', 'external', 'available', 1, $2::timestamptz + n * interval '1 ms'
         from generate_series(1, 2500) n`,
      [partner.id, at],
    )
    const spy = vi.spyOn(test.deps.reports, 'query')
    const reply = await get(test, partner, '/v1/statement.csv?from=2026-06-01&to=2026-06-30')
    const limits = spy.mock.calls.map(([, values]) => values?.at(-1))
    spy.mockRestore()
    expect(limits).toEqual(Array<number>(26).fill(100))
    expect(reply.headers['content-disposition']).toBe(
      'attachment; filename="statement-sandbox-2026-06-01_2026-06-30.csv"',
    )
    const rows = reply.body.trim().split('\r\n')
    expect(rows).toHaveLength(2_504)
    expect(rows[0]).toBe(
      '"Time (UTC)","Kind","In (USDC)","Out (USDC)","Balance (USDC)","Payout","Deposit","Recipient","Detail"',
    )
    expect(rows[1]).toBe('"2026-05-31T23:00:00.000Z","opening_balance","","","0.00","","","",""')
    expect(rows.at(-2)).toContain('"top_up","0.000001","","10000.0025"')
    expect(rows.at(-1)).toBe('"2026-06-30T22:59:59.999Z","closing_balance","","","10000.0025","","","",""')
    const july = await get(test, partner, '/v1/statement.csv?from=2026-07-01&to=2026-07-31')
    expect(july.body.trim().split('\r\n').slice(1)).toEqual([
      '"2026-06-30T23:00:00.000Z","opening_balance","","","10000.0025","","","",""',
      '"2026-07-31T22:59:59.999Z","closing_balance","","","10000.0025","","","",""',
    ])
  })

  it('counts what was held in one month and released in the next as come back, and never a payout below zero', async () => {
    test.clock.set('2026-06-30T22:59:00Z')
    const cause = randomUUID()
    const move = (kind: string, from: string, to: string, at: string) =>
      sql(
        test,
        `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
         values ($1, 'sandbox', $2, $3, $4, $5, 32070000, $6)`,
        [partner.id, cause, kind, from, to, at],
      )
    await move('hold', 'available', 'held', '2026-06-30T22:59:00Z')
    await move('release', 'held', 'available', '2026-06-30T23:01:00Z')
    const june = await statement('?from=2026-06-01&to=2026-06-30')
    expect(june.totals).toMatchObject({ paid_out_usdc: '32.07', came_back_usdc: '0.00' })
    const july = await statement('?from=2026-07-01&to=2026-07-31')
    expect(july.totals).toMatchObject({ paid_out_usdc: '0.00', came_back_usdc: '32.07' })
    expect(july).toMatchObject({ opening_usdc: '9967.93', closing_usdc: '10000.00' })
  })

  it('has nothing of another partner’s or environment’s', async () => {
    const other = await aPartner(test)
    await createPayout(test, other)
    expect((await statement()).data).toHaveLength(1)
  })
})

describe('GET /v1/statement, 422', () => {
  it.each([
    ['?from=2026-02-30', 'from (a day such as 2026-11-01)'],
    ['?from=0000-01-01', 'from (a day such as 2026-11-01)'],
    ['?from=2026-06-01&to=9999-12-31', 'to (a day such as 2026-11-30, not before from)'],
    ['?from=yesterday', 'from (a day such as 2026-11-01)'],
    ['?from=2026-06-02&to=2026-06-01', 'to (a day such as 2026-11-30, not before from)'],
    ['?cursor=x', 'cursor (from next_cursor of the page before)'],
    ['?limit=0', 'limit (a whole number from 1 to 200)'],
  ])('refuses %s', async (query, field) => {
    const reply = await get(test, partner, `/v1/statement${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: [field] })
  })

  it('refuses a file of days that do not exist, instead of half a file', async () => {
    const reply = await get(test, partner, '/v1/statement.csv?from=2026-02-30')
    expect(reply.statusCode).toBe(422)
    expect(reply.headers['content-disposition']).toBeUndefined()
  })
})
