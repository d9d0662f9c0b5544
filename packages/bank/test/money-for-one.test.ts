// Orders read the wallet without its lock: what another took in between is noticed by the books.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Json, type Reply, aKey, ask } from './support/ask.ts'
import { FLOAT, type Party, aParty, aTransferBody, anExternalAccount, balanceOf, until } from './support/fixtures.ts'
import { type TestBank, aBank } from './support/test-bank.ts'
import { countWaiting } from './support/who-waits.ts'

describe('a wallet with money for one of several orders', () => {
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

  /** Sends them all, and lets none write before each of them has seen a full wallet. */
  async function together(bodies: readonly { key: string; body: Json }[]): Promise<Reply[]> {
    await books.query('begin')
    await books.query('select 1 from wallets where id = $1 for update', [party.walletId])
    const replies = bodies.map((each) => ask(bank, '/v0/transfers', each))
    await until(
      () => countWaiting(watcher),
      (count) => count === bodies.length,
    )
    await books.query('commit')
    return Promise.all(replies)
  }

  it('takes one, and refuses the others as if they had come later', async () => {
    party = await aParty(bank)
    const account = await anExternalAccount(bank, party)
    const body = await aTransferBody(bank, party, { account, amount: '5000.00' })
    const asked = [1, 2, 3, 4].map(() => ({ key: aKey(), body }))
    const replies = await together(asked)
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400, 400, 400])
    const taken = replies.find(({ status }) => status === 201)!
    const left = (Number(FLOAT) - Number(taken.json.amount)).toFixed(2)
    expect(await balanceOf(bank, party)).toBe(left)
    for (const refused of replies.filter(({ status }) => status === 400)) {
      expect(refused.json.message).toContain(`Insufficient funds: the wallet holds ${left} USDC`)
    }
    // Each answer belongs to its key, and nothing was made for a refusal.
    const again = await Promise.all(asked.map((each) => ask(bank, '/v0/transfers', each)))
    expect(again.map(({ text }) => text)).toEqual(replies.map(({ text }) => text))
    const listed = await ask(bank, `/v0/customers/${party.customerId}/transfers`)
    expect(listed.json.data.map(({ id }: Json) => id)).toEqual([taken.json.id])
    const { rows } = await books.query(
      `select (select count(*)::int from wallet_movements where wallet_id = $1 and kind = 'transfer') as movements,
              (select count(*)::int from events where object_id = $2 and type = 'created') as events`,
      [party.walletId, taken.json.id],
    )
    expect(rows[0]).toEqual({ movements: 1, events: 1 })
  })
})
