// Where references are unique, two orders with one of them wait for the reference before the wallet.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { aKey, ask, control } from './support/ask.ts'
import { aParty, aTransferBody, anExternalAccount, until } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

let bank: TestBank
let books: pg.Client
let watcher: pg.Client
beforeAll(async () => {
  bank = await aBank()
  const connectionString = bank.database.url
  books = new pg.Client({ connectionString })
  watcher = new pg.Client({ connectionString })
  await Promise.all([books.connect(), watcher.connect()])
})
afterAll(async () => {
  await Promise.all([books.end(), watcher.end()])
  await bank.close()
})

const waiting = () => countWaiting(watcher)

it('the first is taken and the second refused, and neither waits for what the other has', async () => {
  await control(bank, '/readings', { client_references_are_unique: true })
  const party = await aParty(bank)
  const account = await anExternalAccount(bank, party)
  const order = (amount: string) => aTransferBody(bank, party, { account, amount, clientReference: 'R-1' })
  const [large, small] = [await order('1000.00'), await order('100.00')]
  await books.query('begin')
  await books.query('select 1 from wallets where id = $1 for update', [party.walletId])
  const first = ask(bank, '/v0/transfers', { key: aKey(), body: large })
  await until(waiting, (count) => count === 1)
  const second = ask(bank, '/v0/transfers', { key: aKey(), body: small })
  await until(waiting, (count) => count === 2)
  await books.query('commit')
  const replies = await Promise.all([first, second])
  expect(replies.map(({ status }) => status)).toEqual([201, 400])
  expect(replies[1].json).toMatchObject({ code: 'duplicate_record', id: replies[0].json.id })
}, 60_000)
