// Where references are unique, two orders with one of them wait for the reference before the wallet, whichever way they go.
import { randomUUID } from 'node:crypto'

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { aKey, ask, control } from './support/ask.ts'
import { aParty, aTransferBody, anExternalAccount, until } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

let bank: TestBank
let one: pg.Client
let other: pg.Client
let watcher: pg.Client
beforeAll(async () => {
  bank = await aBank()
  const connectionString = bank.database.url
  one = new pg.Client({ connectionString })
  other = new pg.Client({ connectionString })
  watcher = new pg.Client({ connectionString })
  await Promise.all([one.connect(), other.connect(), watcher.connect()])
})
afterAll(async () => {
  await Promise.all([one.end(), other.end(), watcher.end()])
  await bank.close()
})

const LOCK = 'select 1 from wallets where id = $1 for update'

const waiting = () => countWaiting(watcher)

const move = (by: pg.Client, walletId: string, micro: string) =>
  by.query(
    `insert into wallet_movements (wallet_id, kind, cause, amount_micro, at) values ($1, 'adjustment', $2, $3, now())`,
    [walletId, randomUUID(), micro],
  )

it('one of them is taken and the other refused, also when the first had to begin again', async () => {
  await control(bank, '/readings', { client_references_are_unique: true })
  const party = await aParty(bank)
  const account = await anExternalAccount(bank, party)
  const order = (amount: string) => aTransferBody(bank, party, { account, amount, clientReference: 'R-1' })
  const [large, small] = [await order('1000.00'), await order('100.00')]
  await one.query('begin')
  await one.query(LOCK, [party.walletId])
  const first = ask(bank, '/v0/transfers', { key: aKey(), body: large })
  await until(waiting, (count) => count === 1)
  await other.query('begin')
  const locked = other.query(LOCK, [party.walletId])
  await until(waiting, (count) => count === 2)
  // The first order finds too little, and begins again behind the next who has the wallet.
  await move(one, party.walletId, '-9500000000')
  await one.query('commit')
  await locked
  await until(waiting, (count) => count === 1)
  const second = ask(bank, '/v0/transfers', { key: aKey(), body: small })
  await until(waiting, (count) => count === 2)
  await move(other, party.walletId, '9500000000')
  await other.query('commit')
  const replies = await Promise.all([first, second])
  expect(replies.map(({ status }) => status)).toEqual([201, 400])
}, 60_000)
