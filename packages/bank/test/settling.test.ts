// More transfers due than one round moves, while another process holds some of them.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Party, aParty, advance, anExternalAccount, sendTransfer, until } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

const SENT = 500
const PER_ROUND = 200
const AT_ONCE = 25
const A_MINUTE = 60_000

let bank: TestBank
let party: Party
let account: string
let other: pg.Client
let watcher: pg.Client
beforeAll(async () => {
  bank = await aBank()
  party = await aParty(bank)
  account = await anExternalAccount(bank, party)
  other = new pg.Client({ connectionString: bank.database.url })
  watcher = new pg.Client({ connectionString: bank.database.url })
  await Promise.all([other.connect(), watcher.connect()])
})
afterAll(async () => {
  await Promise.all([other.end(), watcher.end()])
  await bank.close()
})
beforeEach(async () => {
  await other.query(`update transfers set due_at = null`)
  for (let sent = 0; sent < SENT; sent += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, () => sendTransfer(bank, party, { account, amount: '1.00' }))
    const refused = (await Promise.all(some)).find(({ status }) => status !== 201)
    if (refused !== undefined) throw new Error(`A transfer was refused: ${refused.status}`)
  }
}, 120_000)

const count = async (condition: string): Promise<number> =>
  (await other.query(`select count(*)::int as count from transfers where due_at is not null and ${condition}`)).rows[0]
    .count

const FIRST = `select id from transfers where due_at is not null order by due_at, seq limit ${PER_ROUND}`

describe('with more due than one round moves', () => {
  it('the bank goes on with the others while another process holds the first', async () => {
    await other.query('begin')
    await other.query(`${FIRST} for no key update`)
    bank.clock.tick(A_MINUTE)
    const left = await until(
      () => count('true'),
      (waiting) => waiting === PER_ROUND,
    )
    await other.query('rollback')
    expect(left).toBe(PER_ROUND)
    expect(
      await until(
        () => count('true'),
        (waiting) => waiting === 0,
      ),
    ).toBe(0)
  }, 120_000)

  it('whoever advances the clock is answered when all have moved, though another process moved the first', async () => {
    await other.query('begin')
    await other.query('select 1 from transfers where due_at is not null order by seq for no key update')
    await other.query(`update transfers set due_at = due_at + interval '1 day' where id in (${FIRST})`)
    const answered = advance(bank, A_MINUTE)
    await until(
      () => countWaiting(watcher),
      (waiting) => waiting === 1,
    )
    await other.query('commit')
    await answered
    expect(await count(`due_at < now() + interval '12 hours'`)).toBe(0)
    expect(await count('true')).toBe(PER_ROUND)
  }, 120_000)
})
