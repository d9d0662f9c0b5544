// The proof that the bench asks for before it prints a figure, at a small size: it holds for two services that are asked for
// everything twice at once, and for nothing less than that.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { findBreaks } from '../../src/storage/book-checks.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aRecipient, anIdempotencyKey, createPayout } from '../support/fixtures.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'

const BOOKS = pathToFileURL(join(import.meta.dirname, '../../../../bench/hot-path/books.mjs')).href
const ASKED_FOR = 32

interface Books {
  checkBooks(
    kestrel: object,
    postgres: object,
    told: { database: string; created: number; transfers: () => Promise<{ transfers: number; payouts: number }> },
  ): Promise<void>
}

let test: BankApp
let owner: Owner
let books: Books
let created: number
beforeAll(async () => {
  test = await startBankApp()
  owner = await ownerOf(test.database.url)
  books = (await import(BOOKS)) as Books
  const other = await test.anotherInstance()
  const partner = await test.aConnectedPartner()
  created = await payTwiceAtOnce([test, other], partner)
  for (let pass = 0; pass < 5; pass++) await test.pass(5_000)
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

/** Each of them is asked for by both, under one key; returns how many payouts were answered. */
async function payTwiceAtOnce(services: readonly Pick<BankApp, 'request'>[], partner: TestPartner): Promise<number> {
  const ids = new Set<string>()
  const asked = Array.from({ length: ASKED_FOR }, async (_, index) => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const body = { recipient: aRecipient({ account_number: `1234567${index % 4}` }) }
    const answers = await Promise.all(services.map((each) => createPayout(each as BankApp, partner, body, key)))
    for (const answer of answers) if (answer.statusCode === 201) ids.add(answer.json<{ id: string }>().id)
  })
  await Promise.all(asked)
  return ids.size
}

async function countTransfers(): Promise<{ transfers: number; payouts: number }> {
  const { transfers } = await test.bank.books()
  return { transfers: transfers.length, payouts: new Set(transfers.map((each) => each.client_reference_id)).size }
}

const prove = (told: { created?: number; transfers?: typeof countTransfers } = {}) =>
  books.checkBooks(
    { openDatabase, findBreaks },
    { query: (_database: string, text: string) => owner.query(text), urlOf: () => test.database.url },
    { database: 'the service', created, transfers: countTransfers, ...told },
  )

it('holds for payouts that two services were asked for at once', async () => {
  expect(created).toBe(ASKED_FOR)
  await expect(prove()).resolves.toBeUndefined()
})

it('does not hold with a payout more or less than was answered', async () => {
  for (const more of [1, -1]) await expect(prove({ created: created + more })).rejects.toThrow(/answered with 201/)
})

it('does not hold when a payout has two transfers at the bank', async () => {
  const twice = { transfers: ASKED_FOR + 1, payouts: ASKED_FOR }
  await expect(prove({ transfers: () => Promise.resolve(twice) })).rejects.toThrow(/33 transfers of 32 payouts/)
})

it('does not hold with a millionth more in a wallet than its entries say', async () => {
  // As no program of ours could: without the guards of the database.
  await owner.query('set session_replication_role = replica')
  const add = (millionths: number) =>
    owner.query(`update ledger_accounts set balance = balance + $1 where account = 'available'`, [millionths])
  await add(1)
  try {
    await expect(prove()).rejects.toThrow(/micro-USDC, .* left the wallets/)
  } finally {
    await add(-1)
  }
  await expect(prove()).resolves.toBeUndefined()
})
