// Answers about transfers that have been shown before: their rows are not read again, and what has changed is never shown as it was.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { BankClock } from '../src/core/bank-clock.ts'
import { Appearances } from '../src/domain/appearances.ts'
import { ShownTransfers } from '../src/domain/shown-transfers.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Database } from '../src/storage/sql.ts'
import { type Json, aKey, ask, control } from './support/ask.ts'
import { type Party, aParty, advance, anExternalAccount, reset, sendTransfer } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

const SENT = 5
const ALL = { customerId: null, clientReferenceId: null, state: null, updatedAfter: null, updatedBefore: null }
const FIRST_PAGE = { limit: 100, startingAfter: null, endingBefore: null }

let bank: TestBank
let db: Database
let party: Party
let ids: string[]
/** How many ids each reading of whole rows was about. */
let read: number[] = []
let appearances: Appearances
let shown: ShownTransfers

beforeAll(async () => {
  bank = await aBank()
  const books = openDatabase({ url: bank.database.url, largestPool: 2, onConnectionError: () => undefined })
  db = {
    ...books,
    query: (text, values = []) => {
      if (text.includes('walletAddress')) read.push((values[0] as unknown[]).length)
      return books.query(text, values)
    },
  }
})
afterAll(async () => {
  await db.close()
  await bank.close()
})
beforeEach(async () => {
  await reset(bank)
  party = await aParty(bank)
  const account = await anExternalAccount(bank, party)
  ids = []
  for (let sent = 0; sent < SENT; sent++) {
    const { json } = await sendTransfer(bank, party, { account, sourceAmount: '127.00' })
    ids.unshift(json.id)
  }
  appearances = new Appearances()
  shown = new ShownTransfers({ db, clock: new BankClock(bank.clock), appearances, publicUrl: () => bank.url })
  read = []
})

const list = async (): Promise<Json[]> => (await shown.list(ALL, FIRST_PAGE)).map((text) => JSON.parse(text))
const find = async (id: string): Promise<Json> => JSON.parse((await shown.find(id))!)
const answered = async (path: string) => (await ask(bank, path)).json

it('rows are read when they are shown first, and those that have changed after that', async () => {
  expect((await list()).map(({ id }) => id)).toEqual(ids)
  expect(await find(ids[0]!)).toEqual(await answered(`/v0/transfers/${ids[0]}`))
  expect(await list()).toEqual((await answered('/v0/transfers')).data)
  expect(read).toEqual([SENT])
  await control(bank, `/transfers/${ids[1]}/settle`, {})
  expect((await list()).map(({ state }) => state)).toEqual([
    'awaiting_funds',
    'payment_processed',
    'awaiting_funds',
    'awaiting_funds',
    'awaiting_funds',
  ])
  expect(read).toEqual([SENT, 1])
})

it('those who ask at the same time share a look', async () => {
  const texts = await Promise.all(ids.map((id) => find(id)))
  expect(texts.map(({ id }) => id)).toEqual(ids)
  expect(read).toEqual([1, SENT - 1])
})

it('two changes at one moment are both seen', async () => {
  const { excess_wallet_id: excessWallet } = (await control(bank, '/terms')).json
  await control(bank, `/wallets/${excessWallet}/adjust`, { amount_micro: '5000000', reason: 'to add from' })
  await control(bank, '/rate', { rate: '0.78' })
  await advance(bank, 600_000)
  const missing = async () => {
    const one = await find(ids[0]!)
    const inList = (await list()).find(({ id }) => id === ids[0])!
    expect(inList).toEqual(one)
    return one.additional_funding_instructions.amount
  }
  const before = await missing()
  const added = async () => {
    const source = { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: excessWallet }
    const destination = { payment_rail: 'bridge_transfer', currency: 'usdc', bridge_transfer_id: ids[0] }
    const reply = await ask(bank, '/v0/transfers', { body: { amount: '0.10', source, destination }, key: aKey() })
    expect(reply.status).toBe(201)
    return missing()
  }
  expect([before, await added(), await added()]).toEqual(['1.21', '1.11', '1.01'])
})

it('another appearance is seen at once, and taken back at once', async () => {
  expect((await find(ids[0]!)).state).toBe('awaiting_funds')
  appearances.choose(ids[0]!, { without: ['receipt.url'], state: 'quantum' })
  const changed = await find(ids[0]!)
  expect([changed.state, changed.receipt.url]).toEqual(['quantum', undefined])
  appearances.clear()
  expect((await find(ids[0]!)).state).toBe('awaiting_funds')
})
