// The accounts of a batch move together: those of many wallets by one statement, and none loses what another posts meanwhile.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let owner: Owner
let partners: TestPartner[]
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  partners = []
  for (let count = 0; count < 4; count++) partners.push(await aPartner(test))
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const POST = `insert into ledger_entries (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
  select partner_id, environment::environment, cause, kind, 1, from_account::ledger_account, to_account::ledger_account, amount, now()
    from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[])
      as item (partner_id, environment, cause, kind, from_account, to_account, amount)`

type Entry = readonly [partner: string, environment: string, kind: string, from: string, to: string, amount: number]

function values(entries: readonly Entry[]): unknown[] {
  const column = (index: number) => entries.map((each) => each[index])
  return [column(0), column(1), entries.map(() => randomUUID()), ...[2, 3, 4, 5].map(column)]
}

const BALANCES = `select partner_id || ' ' || environment || ' ' || account as name, balance::text from ledger_accounts`
const SUMS = `select partner_id || ' ' || environment || ' ' || account as name, sum(amount)::text as balance
   from (select partner_id, environment, to_account as account, amount from ledger_entries
         union all select partner_id, environment, from_account, -amount from ledger_entries) legs group by 1`

async function figures(sql: string): Promise<Record<string, string>> {
  const rows = await owner.query<{ name: string; balance: string }>(sql)
  return Object.fromEntries(rows.filter(({ balance }) => balance !== '0').map(({ name, balance }) => [name, balance]))
}

describe('a batch of entries', () => {
  it('moves each account of each wallet by its own sum', async () => {
    const entries = partners.flatMap(({ id }, index): Entry[] => [
      [id, 'sandbox', 'credit', 'external', 'available', 1_000 + index],
      [id, 'sandbox', 'credit', 'external', 'available', 7],
      [id, 'live', 'credit', 'external', 'available', 50 * (index + 1)],
      [id, 'sandbox', 'hold', 'available', 'held', 3 + index],
    ])
    const before = await figures(BALANCES)
    await owner.query(POST, values(entries))
    const after = await figures(BALANCES)
    expect(after).not.toEqual(before)
    expect(after).toEqual(await figures(SUMS))
    partners.forEach(({ id }, index) => {
      const held = `${id} sandbox held`
      expect(BigInt(after[held]!) - BigInt(before[held] ?? 0)).toBe(BigInt(3 + index))
    })
    // Nothing is on its way: what was held goes back.
    const back = partners.map(({ id }, index): Entry => [id, 'sandbox', 'release', 'held', 'available', 3 + index])
    await owner.query(POST, values(back))
    expect(await figures(BALANCES)).toEqual(await figures(SUMS))
  })

  it('waits for one that has the same account, and adds to what that one leaves', async () => {
    const credit = (amount: number): Entry[] =>
      partners.map(({ id }): Entry => [id, 'sandbox', 'credit', 'external', 'available', amount])
    const other = await ownerOf(test.database.url)
    await other.query('begin')
    await other.query(POST, values(credit(100)))
    const waiting = owner.query(POST, values(credit(20)))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await other.query('commit')
    await waiting
    await other.end()
    expect(await figures(BALANCES)).toEqual(await figures(SUMS))
  })
})
