// A bank that puts anything at all into one row of a list, one transfer or one message. That row waits by itself and is
// told of by name; every other one of the same page, wallet and batch comes to its end; and it does too, once it is true.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { connectPause } from '../../src/domain/banking/sandbox/connect-later.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { DEEP, type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NUL = 'a\u0000b'
const LONG = 'x'.repeat(100_000)
const HUGE = 'y'.repeat(5 * 1024 * 1024)

type Row = Record<string, unknown>
type Lie = (row: Row) => unknown

const same: Lie = (row) => row

const put =
  (name: string, value: unknown): Lie =>
  (row) => ({ ...row, [name]: value })
const without =
  (name: string): Lie =>
  (row) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => key !== name))
/** The bank states the sent amount twice; the receipt's figure is used first. */
const sent =
  (amount: unknown): Lie =>
  (row) => ({ ...row, amount, receipt: { initial_amount: amount } })

/** Each as a whole row of a list of transfers. */
const TRANSFER_LIES: Readonly<Record<string, Lie>> = {
  '5 MB in a field that nobody reads': (row) => ({ ...row, state: null, more: HUGE }),
  'no object': () => 'nonsense',
  null: () => null,
  'a list': () => [1],
  'no fields': () => ({}),
  'a null id': put('id', null),
  'no id': without('id'),
  'a number for an id': put('id', 7),
  'NUL in its id': put('id', NUL),
  'half a character in its id': put('id', 'x\ud800'),
  'a huge id': put('id', LONG),
  'a null state': put('state', null),
  'NUL in its state': put('state', NUL),
  'a huge state': put('state', LONG),
  'an object for a state': put('state', { is: 'settled' }),
  'NUL in its reference': put('client_reference_id', NUL),
  'an object for a reference': put('client_reference_id', { id: 1 }),
  'NUL in its customer': put('on_behalf_of', NUL),
  'no customer': without('on_behalf_of'),
  'NUL in its reason': put('return_details', { reason: NUL }),
  'a word for the details of a return': put('return_details', 'because'),
  'an amount of 1e5': sent('1e5'),
  'an amount of NaN': sent('NaN'),
  'an amount of -0': sent('-0'),
  'a number for an amount': sent(5),
  'a nested amount': sent({ value: '5.00' }),
  'an amount of forty digits': sent('9'.repeat(40)),
  'a destination that is text': put('destination', 'somewhere'),
  'a destination whose amount is a list': put('destination', { amount: ['25.00'] }),
  'a list for a receipt': put('receipt', []),
  'no moment': put('updated_at', 'never'),
  'a moment that is a number': put('updated_at', 7),
  'a moment before Rome': put('updated_at', '-271821-04-20T00:00:00.000Z'),
  'a moment after everything': put('updated_at', '+275760-09-13T00:00:00.000Z'),
  '5 MB in another field': (row) => ({ ...row, state: null, more: HUGE }),
  'a hundred thousand brackets, and no id': (row) => ({ ...row, id: null, more: DEEP }),
}

const DEPOSIT_LIES: Readonly<Record<string, Lie>> = {
  'no object': () => 'nonsense',
  'a null id': (row) => ({ ...row, id: null, deposit_id: null }),
  'NUL in its id': (row) => ({ ...row, id: NUL, deposit_id: NUL }),
  'a huge id': (row) => ({ ...row, id: LONG, deposit_id: LONG }),
  'NUL in its state': (row) => ({ ...row, state: NUL, type: NUL }),
  'a null state': (row) => ({ ...row, state: null, type: null }),
  'NUL in its customer': put('customer_id', NUL),
  'an amount of 1e5': put('amount', '1e5'),
  'an amount of NaN': put('amount', 'NaN'),
  'an amount of -0': put('amount', '-0'),
  'a number for an amount': put('amount', 5),
  'an amount of nothing': put('amount', '0.00'),
  'no currency': put('currency', null),
  'an amount of euros': (row) => ({ ...row, currency: 'eurc', receipt: null }),
  'an amount of pounds that became euros': (row) => ({
    ...row,
    currency: 'gbp',
    receipt: { final_amount: '1.00', outgoing_amount: '1.00', destination_currency: 'eurc' },
  }),
  'a moment before Rome': put('created_at', '-271821-04-20T00:00:00.000Z'),
  'a moment after everything': (row) => ({ ...row, created_at: '+275760-09-13T00:00:00.000Z' }),
  'a megabyte in a field that nobody reads, and no amount': (row) => ({
    ...row,
    amount: null,
    more: HUGE.slice(0, 1_000_000),
  }),
  'a hundred thousand brackets, and no id': (row) => ({ ...row, id: null, deposit_id: null, more: DEEP }),
}

let test: BankApp
let lying: LyingBank
let one: TestPartner
let other: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
  one = await test.aConnectedPartner()
  other = await test.aConnectedPartner()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})

afterEach(() => lying.tellTheTruth())

interface AtBank {
  readonly name: string
  readonly partner: TestPartner
  readonly id: string
  readonly ref: string
}

/** A payout for each name, of the same wallet, and three more: two of it and one of another. All are settled at the bank. */
async function settledAtBank(names: readonly string[]): Promise<{ victims: AtBank[]; others: AtBank[] }> {
  const wanted = ['before', ...names, 'after', 'elsewhere']
  const made: Omit<AtBank, 'ref'>[] = []
  for (const name of wanted) {
    const partner = name === 'elsewhere' ? other : one
    made.push({ name, partner, id: (await createPayout(test, partner)).json<{ id: string }>().id })
  }
  const { transfers } = await test.bank.books()
  const refs = new Map(transfers.map((each) => [each.client_reference_id, each.id]))
  const all = made.map((each) => ({ ...each, ref: refs.get(each.id)! }))
  for (const { ref } of all) await test.bank.control('POST', `/transfers/${ref}/settle`)
  return {
    victims: all.filter(({ name }) => names.includes(name)),
    others: all.filter(({ name }) => !names.includes(name)),
  }
}

async function statuses(all: readonly AtBank[]): Promise<Record<string, string>> {
  const read = all.map(async ({ name, partner, id }) => {
    const payout = (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>()
    return [name, payout.status] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

const every = (all: readonly AtBank[], status: string) => Object.fromEntries(all.map(({ name }) => [name, status]))
const alarmsSince = (count: number) => test.alarms.slice(count)

/** Asserts that an alarm can be stored, and read by people. */
function expectPlain(about: unknown): void {
  expect(JSON.stringify(about)).not.toContain('\\u0000')
  expect(JSON.stringify(about).length).toBeLessThan(2_000)
}

describe('rows of the list of transfers', () => {
  it('that make no sense, each in a way of its own, hold back themselves alone and are told of once', async () => {
    const { victims, others } = await settledAtBank(Object.keys(TRANSFER_LIES))
    const lieOf = new Map<unknown, Lie>(victims.map(({ ref, name }) => [ref, TRANSFER_LIES[name]!]))
    const alarms = test.alarms.length
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (lieOf.get(row['id']) ?? same)(row)))
    for (let round = 0; round < 3; round++) {
      await sweepTransfers(test.deps, 'sandbox')
      expect(await statuses(others)).toEqual(every(others, 'completed'))
    }
    expect(await statuses(victims)).toEqual(every(victims, 'processing'))
    const told = alarmsSince(alarms)
    for (const { about } of told) expectPlain(about)
    const named = told.map(({ about }) => about['transferRef'])
    expect(new Set(named).size).toBe(named.length)
    // Those that still have their id are told of by it.
    const withId = victims.filter(({ name }) => !/\bid\b|no object|^null$|a list$|no fields/.test(name))
    expect(withId.filter(({ ref }) => !named.includes(ref))).toEqual([])
    expect(named.length).toBeGreaterThanOrEqual(victims.length)
    lying.lieAbout('/transfers', null)
    await test.moveClocks(10 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses(victims)).toEqual(every(victims, 'completed'))
  })

  it('with a reason of 5 MB are believed, and the reason is cut short', async () => {
    const { victims } = await settledAtBank(['talker'])
    const lie = put('return_details', { reason: HUGE })
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (row['id'] === victims[0]!.ref ? lie(row) : row)))
    await sweepTransfers(test.deps, 'sandbox')
    lying.lieAbout('/transfers', null)
    expect(await statuses(victims)).toEqual({ talker: 'completed' })
  })

  it('with a surplus that cannot be are followed: none of it is booked, and each is told of once', async () => {
    const fees: Readonly<Record<string, unknown>> = {
      'a millionth more than was sent': { amount: '32.070001', currency: 'usdc' },
      'below zero': { amount: '-0.42', currency: 'usdc' },
      'more than a bigint': { amount: '9'.repeat(20), currency: 'usdc' },
      'as much as a number of ours can be': { amount: '999999999999.99', currency: 'usdc' },
      'in pounds': { amount: '0.42', currency: 'gbp' },
      'a bare word': '0.42',
    }
    const { victims } = await settledAtBank(Object.keys(fees))
    const feeOf = new Map<unknown, unknown>(victims.map(({ ref, name }) => [ref, fees[name]]))
    const lie: Lie = (row) => ({
      ...row,
      receipt: { ...(row['receipt'] as Row), developer_exchange_fee: feeOf.get(row['id']) },
    })
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (feeOf.has(row['id']) ? lie(row) : row)))
    const alarms = test.alarms.length
    for (let round = 0; round < 3; round++) await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses(victims)).toEqual(every(victims, 'completed'))
    const ids = victims.map(({ id }) => id)
    expect(await sql(test, `select from ledger_entries where kind = 'surplus' and cause = any($1)`, [ids])).toEqual([])
    const told = alarmsSince(alarms).filter(({ about }) => ids.includes(String(about['payoutId'])))
    expect(told.map(({ what, about }) => `${what} ${String(about['payoutId'])}`).toSorted()).toEqual(
      ids.map((id) => `the bank leaves over of a payout what cannot be ${id}`).toSorted(),
    )
    for (const { about } of told) expectPlain(about)
    lying.lieAbout('/transfers', null)
    await test.moveClocks(10 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    const booked = await sql(test, `select from ledger_entries where kind = 'surplus' and cause = any($1)`, [ids])
    expect(booked).toHaveLength(ids.length)
  })

  it('that say something else of the same kind at every read are told of once per payout and kind, words at most five times', async () => {
    let reads = 0
    const saying = (row: Row, part: Row) => ({
      ...row,
      ...part,
      updated_at: new Date(Date.now() + reads).toISOString(),
    })
    const fee = (row: Row, amount: string) =>
      saying(row, { receipt: { ...(row['receipt'] as Row), developer_exchange_fee: { amount, currency: 'usdc' } } })
    const changing: Readonly<Record<string, Lie>> = {
      'a surplus below zero': (row) => fee(row, `-0.${reads}`),
      'a surplus of more than was sent': (row) => fee(row, `99.${reads}`),
      'a word that nobody knows': (row) => saying(row, { state: `quantum-${reads}` }),
      'what it pays': (row) =>
        saying(row, { destination: { currency: 'gbp', amount: `24.${10 + reads}` }, receipt: {} }),
      'what it lacks': (row) =>
        saying(row, { state: 'underfunded', additional_funding_instructions: { amount: `1.${10 + reads}` } }),
    }
    const { victims } = await settledAtBank(Object.keys(changing))
    const lieOf = new Map<unknown, Lie>(victims.map(({ ref, name }) => [ref, changing[name]!]))
    const tell = (rows: Row[]) => rows.map((row) => (lieOf.get(row['id']) ?? same)(row))
    for (const path of ['/transfers', ...victims.map(({ ref }) => `/transfers/${ref}`)]) lying.lieAbout(path, tell)
    const alarms = test.alarms.length
    for (; reads < 7; reads++) {
      await sweepTransfers(test.deps, 'sandbox')
      await test.moveClocks(10 * MINUTE_MS)
      await followPayouts(test.deps)
    }
    const nameOf = new Map(victims.map(({ id, name }) => [id, name]))
    const told = alarmsSince(alarms).map(({ what, about }) => `${nameOf.get(String(about['payoutId']))}: ${what}`)
    expect(told.toSorted()).toEqual([
      'a surplus below zero: the bank leaves over of a payout what cannot be',
      'a surplus of more than was sent: the bank leaves over of a payout what cannot be',
      ...Array.from({ length: 5 }, () => 'a word that nobody knows: the bank has a state that we do not know'),
      'what it lacks: a payout lacks money at the bank',
      'what it pays: the bank pays another amount than we asked for',
    ])
    lying.tellTheTruth()
    await test.moveClocks(10 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses(victims)).toEqual(every(victims, 'completed'))
  })

  it('without an id at the end of a full page do not end the list', async () => {
    const { others } = await settledAtBank([])
    const asked: (string | null)[] = []
    lying.lieAbout('/transfers', (rows, query) => {
      asked.push(query.get('starting_after'))
      if (query.has('starting_after')) return rows.filter(({ id }) => others.some(({ ref }) => ref === id))
      const filler = Array.from({ length: 97 }, (_, index) => ({ id: `filler-${index}` }))
      return [...filler, { id: others[0]!.ref }, { id: null }, null]
    })
    await sweepTransfers(test.deps, 'sandbox')
    lying.lieAbout('/transfers', null)
    expect(asked).toEqual([null, others[0]!.ref])
    await test.moveClocks(10 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses(others)).toEqual(every(others, 'completed'))
    await sql(test, `delete from bank_rows_waiting`)
  })
})

describe('news that the database would not take because two waited for each other', () => {
  /** As PostgreSQL ends one of two that wait for each other, so many times. What a sequence counts is not rolled back. */
  const deadlocks = async (times: number) => {
    await sql(test, 'create sequence deadlocks')
    await sql(
      test,
      `create function deadlock() returns trigger language plpgsql security definer as $$ begin
         if nextval('deadlocks') <= ${times} then raise exception 'deadlock detected' using errcode = '40P01'; end if;
         return new; end $$;
       create trigger deadlock before update on payouts for each row when (new.partner_id = '${one.id}')
         execute function deadlock()`,
    )
    return () => sql(test, 'drop trigger deadlock on payouts; drop function deadlock; drop sequence deadlocks')
  }

  it.each([
    ['a sweep', 1, () => sweepTransfers(test.deps, 'sandbox')],
    ['a sweep', 2, () => sweepTransfers(test.deps, 'sandbox')],
    ['following', 1, () => followPayouts(test.deps)],
    ['following', 3, () => followPayouts(test.deps)],
  ])('is written by the same round of %s (%i times)', async (_, times, round) => {
    await sweepTransfers(test.deps, 'sandbox')
    const { others } = await settledAtBank([])
    await test.moveClocks(10 * MINUTE_MS)
    const alarms = test.alarms.length
    const settled = await deadlocks(times)
    try {
      await round()
    } finally {
      await settled()
    }
    expect(await statuses(others)).toEqual(every(others, 'completed'))
    expect(alarmsSince(alarms)).toEqual([])
  })
})

describe('a list that cannot be gone on with', () => {
  const TOO_LARGE = 'z'.repeat(9 * 1024 * 1024)
  const asked: string[] = []
  /** What a moment's window holds is hidden by these rows: there are a hundred of them, and none has an id to go on from. */
  const nameless = (moment: Date) => (rows: Row[], query: URLSearchParams) => {
    asked.push(query.toString())
    const [since, until] = [Number(query.get('updated_after_ms')), Number(query.get('updated_before_ms') ?? Infinity)]
    const isWithin = since < moment.getTime() && until > moment.getTime()
    return isWithin ? Array.from({ length: 100 }, (_, index) => ({ state: 'nameless', index })) : rows
  }
  const tooLarge = (ref: string) => (rows: Row[], query: URLSearchParams) => {
    asked.push(query.toString())
    return rows.map((row) => ([row['id'], row['deposit_id']].includes(ref) ? { ...row, more: TOO_LARGE } : row))
  }
  beforeEach(async () => {
    await sweepTransfers(test.deps, 'sandbox')
    await sweepDeposits(test.deps, 'sandbox')
    asked.length = 0
  })

  it('because a hundred rows have no id is read around them, each time, and told of once', async () => {
    const moment = test.clock.now()
    await test.moveClocks(5 * MINUTE_MS)
    const { others } = await settledAtBank([])
    const alarms = test.alarms.length
    lying.lieAbout('/transfers', nameless(moment))
    for (let round = 0; round < 2; round++) {
      await sweepTransfers(test.deps, 'sandbox')
      expect(await statuses(others)).toEqual(every(others, 'completed'))
    }
    const told = alarmsSince(alarms)
    expect(told.length).toBe(101)
    const second = told.map(({ about }) => String(about['transferRef'])).filter((ref) => ref.startsWith('changed-at'))
    expect(second).toHaveLength(1)
    const at = Date.parse(second[0]!.slice('changed-at-'.length))
    expect([at <= moment.getTime(), at > moment.getTime() - 1_100]).toEqual([true, true])
    // A few windows on either side of it, and no more.
    expect(asked.length).toBeLessThan(250)
    await sql(test, 'delete from bank_rows_waiting')
  })

  it('because a row is too large to be read is read around it, and that transfer is read by itself', async () => {
    const { victims } = await settledAtBank(['too large'])
    await test.moveClocks(5 * MINUTE_MS)
    const { others } = await settledAtBank([])
    const alarms = test.alarms.length
    lying.lieAbout('/transfers', tooLarge(victims[0]!.ref))
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses([...victims, ...others])).toEqual({
      ...every(others, 'completed'),
      'too large': 'processing',
    })
    expect(alarmsSince(alarms)).toMatchObject([
      { what: 'a transfer cannot be read', about: { transferRef: expect.stringMatching(/^changed-at-20/) } },
    ])
    await followPayouts(test.deps)
    expect(await statuses(victims)).toEqual({ 'too large': 'completed' })
    await sql(test, 'delete from bank_rows_waiting')
  })

  it('because deposits have no id is read around them, and what they hid is credited once it is not', async () => {
    const before = await balanceOf(test, one)
    const moment = test.clock.now()
    await arrives(one, 'bank')
    await test.moveClocks(5 * MINUTE_MS)
    await arrives(one, 'bank')
    const alarms = test.alarms.length
    lying.lieAbout('/virtual_accounts/history', nameless(moment))
    await sweepDeposits(test.deps, 'sandbox')
    expect((await balanceOf(test, one)) - before).toBe(1_000_000n)
    expect(new Set(alarmsSince(alarms).map(({ what }) => what))).toEqual(
      new Set(['a deposit at the bank cannot be read']),
    )
    lying.lieAbout('/virtual_accounts/history', null)
    await test.moveClocks(10 * MINUTE_MS)
    await sweepDeposits(test.deps, 'sandbox')
    expect((await balanceOf(test, one)) - before).toBe(2_000_000n)
    await sql(test, 'delete from bank_rows_waiting')
  })

  it('anywhere is given up after a few tries, and not read second by second', async () => {
    lying.lieAbout('/transfers', (_, query) => {
      asked.push(query.toString())
      return Array.from({ length: 100 }, () => null)
    })
    await expect(sweepTransfers(test.deps, 'sandbox')).rejects.toThrow('no row with an id')
    expect(asked.length).toBeLessThan(100)
    lying.lieAbout('/transfers', null)
    for (let round = 0; round < 6; round++) await sweepTransfers(test.deps, 'sandbox').catch(() => undefined)
    expect(await sweepTransfers(test.deps, 'sandbox')).toBeGreaterThan(0)
    await sql(test, 'delete from bank_rows_waiting')
  })
})

describe('transfers that are read by themselves', () => {
  const lieAbout = (victims: readonly AtBank[]) => {
    for (const { ref, name } of victims) lying.lieAbout(`/transfers/${ref}`, ([row]) => [TRANSFER_LIES[name]!(row!)])
    return () => {
      for (const { ref } of victims) lying.lieAbout(`/transfers/${ref}`, null)
    }
  }

  it('and make no sense hold back themselves alone', async () => {
    const { victims, others } = await settledAtBank(Object.keys(TRANSFER_LIES))
    const tellTheTruth = lieAbout(victims)
    await test.moveClocks(MINUTE_MS)
    await followPayouts(test.deps)
    expect(await statuses(others)).toEqual(every(others, 'completed'))
    expect(await statuses(victims)).toEqual(every(victims, 'processing'))
    tellTheTruth()
    await test.moveClocks(DAY_MS)
    await followPayouts(test.deps)
    expect(await statuses(victims)).toEqual(every(victims, 'completed'))
  })

  it('and bear another’s id are not taken for that one', async () => {
    const { victims } = await settledAtBank(['liar', 'neighbour'])
    const [liar, neighbour] = victims
    await test.bank.control('POST', `/transfers/${liar!.ref}/return`)
    await test.bank.control('POST', `/transfers/${liar!.ref}/refund`)
    lying.lieAbout(`/transfers/${liar!.ref}`, ([row]) => [{ ...row, id: neighbour!.ref }])
    await test.moveClocks(MINUTE_MS)
    await followPayouts(test.deps)
    lying.lieAbout(`/transfers/${liar!.ref}`, null)
    expect(await statuses(victims)).toEqual({ liar: 'processing', neighbour: 'completed' })
    await test.moveClocks(DAY_MS)
    await followPayouts(test.deps)
    expect(await statuses(victims)).toEqual({ liar: 'returned', neighbour: 'completed' })
  })

  it('because a message names them are told of, and found again by the list', async () => {
    const { victims, others } = await settledAtBank(['NUL in its state', 'a null id', 'a destination that is text'])
    const alarms = test.alarms.length
    const tellTheTruth = lieAbout(victims)
    for (const { ref } of [...victims, others[0]!]) await toldOf(ref)
    await handleBankEvents(test.deps)
    expect(await statuses(victims)).toEqual(every(victims, 'processing'))
    expect(await statuses([others[0]!])).toEqual({ before: 'completed' })
    expect(await sql(test, 'select 1 from bank_events where handled_at is null')).toEqual([])
    expect(
      alarmsSince(alarms)
        .map(({ what, about }) => `${what}: ${String(about['transferRef'])}`)
        .toSorted(),
    ).toEqual(victims.map(({ ref }) => `a transfer cannot be read: ${ref}`).toSorted())
    tellTheTruth()
    await test.moveClocks(10 * MINUTE_MS)
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statuses([...victims, ...others])).toEqual(every([...victims, ...others], 'completed'))
  })

  const toldOf = (ref: string) => keepMessages(test.deps, [{ eventId: `event of ${ref}`, objectRef: ref }])
})

describe('news that the database refuses', () => {
  const refuse = async (id: string) => {
    await sql(
      test,
      `create function refuse_news() returns trigger language plpgsql as $$ begin
         if new.id = '${id}' and new.status = 'completed' then raise exception 'not this one'; end if; return new; end $$`,
    )
    await sql(test, 'create trigger refuse_news before update on payouts for each row execute function refuse_news()')
    return () => sql(test, 'drop function refuse_news cascade')
  }
  const followLate = async () => {
    await test.moveClocks(10 * MINUTE_MS)
    await followPayouts(test.deps)
  }

  it.each([
    ['from the list', () => sweepTransfers(test.deps, 'sandbox')],
    ['from the follow-up', followLate],
  ])('%s holds back itself alone, and is told of once', async (_from, bringHome) => {
    const { victims, others } = await settledAtBank(['victim'])
    const [{ id: payoutId, ref: transferRef }] = victims as [AtBank]
    const alarms = test.alarms.length
    const relent = await refuse(payoutId)
    for (let round = 0; round < 2; round++) await bringHome()
    expect(await statuses([...victims, ...others])).toEqual({ ...every(others, 'completed'), victim: 'processing' })
    expect(alarmsSince(alarms)).toMatchObject([
      { what: 'a transfer’s news could not be written down', about: { payoutId, transferRef } },
    ])
    await relent()
    await test.moveClocks(10 * MINUTE_MS)
    await bringHome()
    expect(await statuses(victims)).toEqual({ victim: 'completed' })
  })
})

async function arrives(partner: TestPartner, source: string): Promise<string> {
  const { walletRef } = await accountAtBank(test, partner)
  const path = `/wallets/${walletRef}/credit`
  return (await test.bank.control<{ deposit_id: string }>('POST', path, { source, amount: '1.00' })).deposit_id
}

describe('rows of a list of deposits', () => {
  it.each([
    ['bank', '/virtual_accounts/history'],
    ['onchain', '/liquidation_addresses/drains'],
  ])('by %s that make no sense hold back themselves alone, and are told of', async (source, path) => {
    const before = [await balanceOf(test, one), await balanceOf(test, other)]
    const gained = async () => [(await balanceOf(test, one)) - before[0]!, (await balanceOf(test, other)) - before[1]!]
    const lies = Object.values(DEPOSIT_LIES)
    const lieOf = new Map<unknown, Lie>()
    await arrives(one, source)
    for (const lie of lies) lieOf.set(await arrives(one, source), lie)
    await arrives(other, source)
    const alarms = test.alarms.length
    lying.lieAbout(path, (rows) =>
      rows.map((row) => (lieOf.get(row['deposit_id']) ?? lieOf.get(row['id']) ?? same)(row)),
    )
    for (let round = 0; round < 2; round++) await sweepDeposits(test.deps, 'sandbox')
    expect(await gained()).toEqual([1_000_000n, 1_000_000n])
    const told = alarmsSince(alarms)
    expect(told.length).toBeGreaterThanOrEqual(lies.length)
    for (const { what, about } of told) {
      expect(what).toBe('a deposit at the bank cannot be read')
      expectPlain(about)
    }
    lying.lieAbout(path, null)
    await test.moveClocks(10 * MINUTE_MS)
    await sweepDeposits(test.deps, 'sandbox')
    expect(await gained()).toEqual([BigInt(lies.length + 1) * 1_000_000n, 1_000_000n])
  })
})

describe('a deposit that is listed in another currency', () => {
  it.each([
    ['bank', '/virtual_accounts/history', { final_amount: '1.00' }],
    ['onchain', '/liquidation_addresses/drains', { outgoing_amount: '1.00', destination_currency: 'usdc' }],
  ])('by %s is credited as the dollars that it became', async (source, path, receipt) => {
    const before = await balanceOf(test, one)
    const ref = await arrives(one, source)
    const inPounds: Lie = (row) => ({ ...row, amount: '0.79', currency: 'gbp', receipt })
    lying.lieAbout(path, (rows) =>
      rows.map((row) => ([row['id'], row['deposit_id']].includes(ref) ? inPounds(row) : row)),
    )
    await sweepDeposits(test.deps, 'sandbox')
    expect((await balanceOf(test, one)) - before).toBe(1_000_000n)
  })
})

describe('a refund beside a deposit of its amount that cannot be read', () => {
  it.each([
    ['is shown', (rows: Row[]) => rows],
    ['says nothing of it', () => []],
  ])('is not taken as there when the wallet’s history %s', async (_, history) => {
    const partner = await test.aConnectedPartner()
    await sql(test, 'delete from bank_rows_waiting')
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const ref = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id
    for (const step of ['submit', 'undeliver']) await test.bank.control('POST', `/transfers/${ref}/${step}`)
    await test.bank.control('POST', `/transfers/${ref}/refund`, { amount: '0' })
    await sweepTransfers(test.deps, 'sandbox')
    const { walletRef } = await accountAtBank(test, partner)
    const deposit = { source: 'onchain', amount: '32.07' }
    const path = `/wallets/${walletRef}/credit`
    const { deposit_id } = await test.bank.control<{ deposit_id: string }>('POST', path, deposit)
    lying.lieAbout('/liquidation_addresses/drains', (rows) =>
      rows.map((row) => (row['id'] === deposit_id ? { ...row, amount: null } : row)),
    )
    lying.lieAbout(`/wallets/${walletRef}/history`, history)
    const due = `update refund_checks set refunded_at = refunded_at - interval '1 hour',
      next_look_at = now() - interval '1 second' where found_at is null and payout_id = $1`
    // Of this payout alone: those of other tests come due as well, when the machine is slow.
    const isFound = async (): Promise<boolean> => {
      await sql(test, due, [id])
      await checkRefunds(test.deps, 'sandbox')
      const found = 'select found_at from refund_checks where payout_id = $1 and found_at is not null'
      return (await sql(test, found, [id])).length > 0
    }
    for (let look = 0; look < 2; look++) expect(await isFound()).toBe(false)
    lying.tellTheTruth()
    await sweepDeposits(test.deps, 'sandbox')
    for (const comes of [0n, 32_070_000n]) {
      const adjustment = { amount_micro: String(comes), reason: 'refund' }
      if (comes > 0n) await test.bank.control('POST', `/wallets/${walletRef}/adjust`, adjustment)
      expect([comes, await isFound()]).toEqual([comes, comes > 0n])
    }
  })
})

describe('a wallet whose deposits are listed in another way each time', () => {
  /** Its wallet and its address are there, two deposits have arrived, and it was not connected yet. */
  const anOpenedPartner = async (tell: (rows: Row[]) => Row[]) => {
    const partner = await test.anUnconnectedPartner()
    lying.refuse(({ method, path }) => (method === 'GET' && /\/wallets\/[^/]+$/.test(path) ? 500 : null))
    await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
    lying.refuse(null)
    const [opened] = await test.bank.query<{ id: string; customer: string; wallet: string }>(
      'select id, customer_id as customer, wallet_id as wallet from liquidation_addresses order by seq desc limit 1',
    )
    const { id, customer, wallet } = opened!
    const deposit = { source: 'onchain', amount: '1.00' }
    for (let nth = 0; nth < 2; nth++) await test.bank.control('POST', `/wallets/${wallet}/credit`, deposit)
    let reads = 0
    lying.lieAbout(`/customers/${customer}/liquidation_addresses/${id}/drains`, (rows) =>
      reads++ % 2 === 0 ? rows : tell(rows),
    )
    await test.moveClocks(connectPause(1))
    return partner
  }

  it('is opened when only their order is another', async () => {
    const partner = await anOpenedPartner((rows) => rows.toReversed())
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    expect((await get(test, partner, '/v1/account')).json()).toMatchObject({ rail: 'provider_sandbox' })
  })

  it('is tried in vain when one is missing, which is told, and is opened once none is', async () => {
    const partner = await anOpenedPartner((rows) => rows.slice(1))
    const alarms = test.alarms.length
    for (let tries = 2; tries <= 8; tries++) {
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow('deposits')
      await test.moveClocks(connectPause(tries))
    }
    expect(alarmsSince(alarms)).toEqual([
      { what: 'a wallet cannot be opened at the bank', about: { partnerId: partner.id, environment: 'sandbox' } },
    ])
    lying.tellTheTruth()
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
  })
})

describe('a wallet with', () => {
  it('NUL in its balance is the only one that is not compared', async () => {
    const balance = { currency: 'usdc', balance: NUL }
    const { holderRef, walletRef } = await accountAtBank(test, one)
    lying.lieAbout(`/customers/${holderRef}/wallets/${walletRef}`, ([row]) => [{ ...row, balances: [balance] }])
    const breaks = await reconcileBank(test.deps, 'sandbox')
    lying.lieAbout(`/customers/${holderRef}/wallets/${walletRef}`, null)
    expect(breaks).toMatchObject([{ check: 'wallet_not_compared', partnerId: one.id, about: walletRef }])
  })
})
