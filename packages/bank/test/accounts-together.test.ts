// Recipients that are registered while others are under way are registered together, and each is answered as if it had come alone.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Reply, aKey, ask, control } from './support/ask.ts'
import {
  type Party,
  aNewCustomer,
  aParty,
  anAccountNumber,
  anApprovedCustomer,
  anExternalAccountBody,
  until,
} from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

interface Registration {
  readonly customerId: string
  readonly body: object
  readonly key: string
}

let bank: TestBank
let books: pg.Client
let watcher: pg.Client
let party: Party

beforeAll(async () => {
  bank = await aBank()
  books = new pg.Client({ connectionString: bank.database.url })
  watcher = new pg.Client({ connectionString: bank.database.url })
  await Promise.all([books.connect(), watcher.connect()])
})
afterAll(async () => {
  await Promise.all([books.end(), watcher.end()])
  await bank.close()
})
beforeEach(async () => {
  party = await aParty(bank)
})

const of = (customerId: string, number = anAccountNumber(), extra: object = {}): Registration => ({
  customerId,
  body: { ...anExternalAccountBody({ account_number: number }), ...extra },
  key: aKey(),
})

const send = ({ customerId, ...question }: Registration) =>
  ask(bank, `/v0/customers/${customerId}/external_accounts`, question)

/** The first waits for the table, and the others for the first. */
async function together(registrations: readonly Registration[]): Promise<Reply[]> {
  const journal = async () => (await control(bank, '/requests?limit=1000')).json.count as number
  await books.query('begin')
  await books.query('lock table external_accounts in share row exclusive mode')
  const [first, ...rest] = [of(party.customerId), ...registrations]
  const before = await journal()
  const replies = [send(first)]
  await until(
    () => countWaiting(watcher),
    (count) => count === 1,
  )
  replies.push(...rest.map(send))
  await until(journal, (seen) => seen === before + rest.length + 1)
  await books.query('commit')
  const [own, ...others] = await Promise.all(replies)
  expect(own!.status).toBe(201)
  return others
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)

/** How many accounts of the customer were added, and in how many transactions. */
async function added(customerId: string): Promise<{ accounts: number; transactions: number }> {
  const { rows } = await books.query(
    `select count(*)::int as accounts, count(distinct xmin::text)::int as transactions
       from external_accounts where customer_id = $1`,
    [customerId],
  )
  return rows[0]
}

describe('recipients that are registered together', () => {
  it('are added in one transaction, in the order in which they came', async () => {
    const wanted = Array.from({ length: 5 }, () => of(party.customerId))
    const replies = await together(wanted)
    expect(statuses(replies)).toEqual([201, 201, 201, 201, 201])
    expect(await added(party.customerId)).toEqual({ accounts: 6, transactions: 2 })
    const { rows } = await books.query('select id from external_accounts where customer_id = $1 order by seq', [
      party.customerId,
    ])
    expect(rows.slice(1).map(({ id }) => id)).toEqual(replies.map(({ json }) => json.id))
    const again = await Promise.all(wanted.map(send))
    expect(again.map(({ text }) => text)).toEqual(replies.map(({ text }) => text))
    expect((await added(party.customerId)).accounts).toBe(6)
  })

  it('with one number twice: the second is refused and told the first one’s id, and another customer may have it', async () => {
    const other = await anApprovedCustomer(bank)
    const number = anAccountNumber()
    const before = of(party.customerId)
    const kept = await send(before)
    const replies = await together([
      of(party.customerId, number),
      of(party.customerId, number),
      of(other, number),
      { ...before, key: aKey() },
    ])
    expect(statuses(replies)).toEqual([201, 400, 201, 400])
    expect([replies[1]!.json.code, replies[1]!.json.id]).toEqual(['duplicate_external_account', replies[0]!.json.id])
    expect([replies[3]!.json.code, replies[3]!.json.id]).toEqual(['duplicate_external_account', kept.json.id])
    expect(await added(other)).toEqual({ accounts: 1, transactions: 1 })
  })

  it('are refused one by one, each in its own words', async () => {
    const stranger = await aNewCustomer(bank)
    const replies = await together([
      of(party.customerId),
      of(stranger),
      of('01a1eaa1-0904-45bd-aaee-d5ab0bf1c1d6'),
      of('nobody'),
      of(party.customerId, anAccountNumber(), { first_name: undefined }),
      of(party.customerId, '1234'),
      of(party.customerId),
    ])
    expect(statuses(replies)).toEqual([201, 400, 404, 404, 400, 400, 201])
    expect(replies[1]!.json.message).toBe('Customer has not completed onboarding')
    expect(replies.slice(2, 4).map(({ json }) => json.message)).toEqual(['Unknown customer id', 'Unknown customer id'])
    expect(JSON.stringify(replies[4]!.json.source)).toContain('first_name')
    expect(JSON.stringify(replies[5]!.json.source)).toContain('account_number')
    expect((await added(party.customerId)).accounts).toBe(3)
  })

  it('with one key twice: it acts once, and the second gets the first one’s answer', async () => {
    const twice = of(party.customerId)
    const replies = await together([twice, of(party.customerId), twice])
    expect(statuses(replies)).toEqual([201, 201, 201])
    expect(replies[2]!.text).toBe(replies[0]!.text)
    expect(replies.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined, 'true'])
    expect((await added(party.customerId)).accounts).toBe(3)
  })
})
