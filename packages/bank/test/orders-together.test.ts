// Orders that come while others are under way are taken together, and each is answered as if it had come alone.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Json, type Reply, aKey, ask, control } from './support/ask.ts'
import {
  FLOAT,
  type Party,
  type TransferParts,
  aParty,
  aTransferBody,
  anExternalAccount,
  balanceOf,
  until,
} from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

interface Order {
  readonly key: string
  readonly body: Json
}

let bank: TestBank
let books: pg.Client
let watcher: pg.Client
let party: Party
let account: string

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
  account = await anExternalAccount(bank, party)
})

const anOrder = async (amount: string, parts: TransferParts = {}): Promise<Order> => ({
  key: aKey(),
  body: await aTransferBody(bank, party, { account, amount, ...parts }),
})

const send = (order: Order) => ask(bank, '/v0/transfers', order)

/** The first waits for the wallet, and the others for the first. */
async function together(orders: readonly Order[]): Promise<Reply[]> {
  const journal = async () => (await control(bank, '/requests?limit=1000')).json.count as number
  await books.query('begin')
  await books.query('select 1 from wallets where id = $1 for update', [party.walletId])
  const [first, ...rest] = orders
  const before = await journal()
  const replies = [send(first!)]
  await until(
    () => countWaiting(watcher),
    (count) => count === 1,
  )
  replies.push(...rest.map(send))
  await until(journal, (seen) => seen === before + orders.length)
  await books.query('commit')
  return Promise.all(replies)
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)

const written = async (): Promise<{ transfers: number; movements: number; events: number }> => {
  const { rows } = await books.query(
    `select count(*)::int as transfers,
            (select count(*)::int from wallet_movements m where m.wallet_id = $1 and m.kind = 'transfer') as movements,
            (select count(*)::int from events e join transfers t on t.id = e.object_id
              where t.wallet_id = $1 and e.type = 'created') as events
       from transfers where wallet_id = $1`,
    [party.walletId],
  )
  return rows[0]
}

describe('orders that are taken together', () => {
  it('with money for one of them: it is taken, and the others are refused by what it left', async () => {
    const orders = await Promise.all(['5000.00', '5000.00', '5000.00', '5000.00'].map((amount) => anOrder(amount)))
    const replies = await together(orders)
    expect(statuses(replies).toSorted((one, other) => one - other)).toEqual([201, 400, 400, 400])
    const taken = replies.find(({ status }) => status === 201)!
    const left = (Number(FLOAT) - Number(taken.json.amount)).toFixed(2)
    expect(await balanceOf(bank, party)).toBe(left)
    for (const refused of replies.filter(({ status }) => status === 400)) {
      expect(refused.json.message).toContain(`Insufficient funds: the wallet holds ${left} USDC`)
    }
    const again = await Promise.all(orders.map(send))
    expect(again.map(({ text }) => text)).toEqual(replies.map(({ text }) => text))
    expect(await written()).toEqual({ transfers: 1, movements: 1, events: 1 })
  })

  it('are refused one by one, each in its own words', async () => {
    const good = await anOrder('10.00')
    const senseless = await anOrder('10.00', { sourceAmount: '-1' })
    const replies = await together([good, senseless, await anOrder('0.50'), await anOrder('20.00')])
    expect(statuses(replies)).toEqual([201, 400, 400, 201])
    expect(replies[1]!.json.source.key).toBe('source.amount')
    expect(replies[2]!.json.message).toContain('The minimum for a transfer in GBP')
    expect(await written()).toEqual({ transfers: 2, movements: 2, events: 2 })
  })

  it('with one key among them twice: it acts once, and the second gets the first one’s answer', async () => {
    const twice = await anOrder('10.00')
    const replies = await together([await anOrder('10.00'), twice, twice, await anOrder('10.00')])
    expect(statuses(replies)).toEqual([201, 201, 201, 201])
    expect(replies[2]!.text).toBe(replies[1]!.text)
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(1)
    expect(await written()).toEqual({ transfers: 3, movements: 3, events: 3 })
  })

  it('with a key that is taken: that one is answered from what is kept', async () => {
    const before = await anOrder('10.00')
    const kept = await send(before)
    const replies = await together([await anOrder('10.00'), before, await anOrder('10.00')])
    expect(statuses(replies)).toEqual([201, 201, 201])
    expect([replies[1]!.text, replies[1]!.headers['idempotent-replayed']]).toEqual([kept.text, 'true'])
    expect(await written()).toEqual({ transfers: 3, movements: 3, events: 3 })
  })

  it('with one that is turned away at the door: the others are taken', async () => {
    const replies = await together([
      await anOrder('10.00'),
      await anOrder('10.00', { reference: 'sandbox:down' }),
      await anOrder('10.00'),
    ])
    expect(statuses(replies)).toEqual([201, 429, 201])
    expect(await written()).toEqual({ transfers: 2, movements: 2, events: 2 })
  })

  it('where refusals leave their keys free: the refused one may come again', async () => {
    await control(bank, '/readings', { refusals_bind_keys: false })
    const tooMuch = await anOrder('9000.00')
    const replies = await together([await anOrder('10.00'), tooMuch, await anOrder('10.00')])
    expect(statuses(replies)).toEqual([201, 400, 201])
    const deposit = { body: { amount: '5000.00', currency: 'usdc' } }
    await ask(bank, `/v0/customers/${party.customerId}/wallets/${party.walletId}/simulate_deposit`, deposit)
    expect((await send(tooMuch)).status).toBe(201)
    await control(bank, '/readings', undefined, 'DELETE')
    expect(await written()).toEqual({ transfers: 3, movements: 3, events: 3 })
  })
})
