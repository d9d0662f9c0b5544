import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createBankDatabase, migrateBank } from '../src/index.ts'
import { type Json, aKey, ask, control } from './support/ask.ts'
import {
  FLOAT,
  FLOAT_LESS_HUNDRED_POUNDS,
  aParty,
  aTransferBody,
  advance,
  balanceOf,
  sendTransfer,
  stateOf,
  until,
} from './support/fixtures.ts'
import { Receiver, anActiveWebhook } from './support/receiver.ts'
import { type BankDatabase, aBank, aDatabase, runningClock } from './support/test-bank.ts'

let database: BankDatabase

beforeEach(async () => {
  database = await aDatabase()
})
afterEach(() => database.drop())

describe('a bank that is started again on the same books', () => {
  it('goes on with transfers, webhooks, keys and clock where it ended', async () => {
    const receiver = await Receiver.open()
    const first = await aBank({ database })
    const webhook = await anActiveWebhook(first, receiver)
    const party = await aParty(first)
    const body = await aTransferBody(first, party, { reference: 'sandbox:return' })
    const key = aKey()
    const sent = await ask(first, '/v0/transfers', { body, key })
    await control(first, '/rate', { rate: '0.81' })
    await advance(first, 500)
    // Written down as delivered, and not only received: what the bank is not sure of it sends again.
    await until(
      async () => (await ask(first, `/v0/webhooks/${webhook.id}/logs`)).json.count as number,
      (count) => count === 2,
    )
    await first.close()

    const second = await aBank({ database, clock: first.clock })
    expect((await ask(second, '/v0/transfers', { body, key })).text).toBe(sent.text)
    expect((await ask(second, '/v0/exchange_rates?from=usd&to=gbp')).json.sell_rate).toBe('0.81')
    expect(await balanceOf(second, party)).toBe(FLOAT_LESS_HUNDRED_POUNDS)
    await advance(second, 600_000)
    expect(await stateOf(second, sent.json.id)).toBe('refunded')
    expect(await balanceOf(second, party)).toBe(FLOAT)
    await until(
      () => receiver.received.length,
      (count) => count === 5,
    )
    expect(receiver.types.map((type) => type.split(' ')[1])).toEqual([
      'awaiting_funds',
      'payment_submitted',
      'payment_processed',
      'returned',
      'refunded',
    ])
    await second.close()
    await receiver.close()
  })

  it('has moved on all that fell due meanwhile', async () => {
    const first = await aBank({ database, settleAfterMs: 400, clock: runningClock })
    const party = await aParty(first)
    const sent = await sendTransfer(first, party, { reference: 'sandbox:fail' })
    await first.close()
    const second = await aBank({ database, settleAfterMs: 400, clock: runningClock })
    await until(
      () => stateOf(second, sent.json.id),
      (state) => state === 'refunded',
    )
    expect(await balanceOf(second, party)).toBe(FLOAT)
    await second.close()
  })

  it('sends at once what it was sending when it ended', async () => {
    const receiver = await Receiver.open()
    receiver.answer = () => undefined
    const first = await aBank({ database })
    await anActiveWebhook(first, receiver)
    const party = await aParty(first)
    await sendTransfer(first, party)
    await until(
      () => receiver.received.length,
      (count) => count === 1,
    )
    await first.close()
    receiver.acceptAll()
    const second = await aBank({ database, clock: first.clock })
    await until(
      () => receiver.received.length,
      (count) => count === 2,
    )
    // The lease of the first would have lasted longer than this.
    expect(receiver.received[1]!.at - receiver.received[0]!.at).toBeLessThan(10_000)
    await second.close()
    await receiver.close()
  })
})

describe('two banks on one set of books', () => {
  it('do everything once: the money comes back once, and every event goes out once', async () => {
    const receiver = await Receiver.open()
    const banks = await Promise.all([1, 2].map(() => aBank({ database, settleAfterMs: 100, clock: runningClock })))
    const [one, other] = banks
    await anActiveWebhook(one!, receiver)
    const party = await aParty(one!)
    const body = await aTransferBody(one!, party, { amount: '10.00', reference: 'sandbox:return' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(banks[index % 2]!, '/v0/transfers', { body })),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201))
    await until(
      async () => (await ask(other!, '/v0/transfers?state=refunded&limit=100')).json.count as number,
      (count) => count === 20,
    )
    expect(await balanceOf(other!, party)).toBe(FLOAT)
    await until(
      () => receiver.received.length,
      (count) => count >= 100,
    )
    const ids = receiver.received.map(({ event }) => event.event_id)
    expect([ids.length, new Set(ids).size]).toEqual([100, 100])
    for (const { json } of replies) {
      const own = receiver.received.filter(({ event }) => event.event_object_id === json.id)
      expect(own.map(({ event }) => event.event_sequence)).toEqual(
        own.map(({ event }) => event.event_sequence).toSorted((a, b) => a - b),
      )
    }
    await Promise.all(banks.map((bank) => bank.close()))
    await receiver.close()
  })

  it('answer one key once, whichever of them is asked', async () => {
    const banks = await Promise.all([1, 2].map(() => aBank({ database })))
    const party = await aParty(banks[0]!)
    const body = await aTransferBody(banks[0]!, party)
    const key = aKey()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(banks[index % 2]!, '/v0/transfers', { body, key })),
    )
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.json.id}`)).size).toBe(1)
    expect((await control(banks[1]!, '/ledger')).json.transfers).toHaveLength(1)
    await Promise.all(banks.map((bank) => bank.close()))
  })

  it('share their clock', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => aBank({ database })))
    await advance(one!, 3_600_000)
    const party = await aParty(one!)
    const ahead = await until(
      async () => {
        const { created_at: at } = (await sendTransfer(other!, party, { amount: '1.00' })).json
        return Date.parse(at) - Date.now()
      },
      (ms) => ms > 3_500_000,
    )
    expect(ahead).toBeLessThan(3_700_000)
    await Promise.all([one!.close(), other!.close()])
  })
})

describe('the books', () => {
  const inBooks = async (work: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }

  it('are made once, however many begin at the same time', async () => {
    await Promise.all([migrateBank(database.url), migrateBank(database.url), migrateBank(database.url)])
    const { pathname } = new URL(database.url)
    const name = pathname.slice(1)
    const admin = new URL(database.url)
    admin.pathname = '/postgres'
    expect(await createBankDatabase({ adminUrl: admin.href, database: name })).toBe(database.url)
  })

  it('of a newer bank are refused rather than guessed at', async () => {
    await migrateBank(database.url)
    await inBooks(async (client) => {
      await client.query(`insert into migrations (name) values ('9999_from_the_future')`)
    })
    await expect(migrateBank(database.url)).rejects.toThrow('9999_from_the_future')
  })

  it('refuse by themselves whatever must never be', async () => {
    const bank = await aBank({ database })
    const party = await aParty(bank)
    const sent = await sendTransfer(bank, party)
    const forbidden = [
      { sql: `update wallet_movements set amount_micro = 1`, why: /append-only/ },
      { sql: `delete from wallet_movements`, why: /append-only/ },
      { sql: `truncate wallet_movements`, why: /append-only/ },
      { sql: `delete from transfers`, why: /append-only/ },
      { sql: `update wallets set balance_micro = 1`, why: /through movements only/ },
      { sql: `update transfers set state = 'refunded'`, why: /does not move from awaiting_funds to refunded/ },
      { sql: `update transfers set amount_micro = amount_micro + 1`, why: /never changes/ },
      {
        sql: `insert into wallet_movements (wallet_id, kind, cause, amount_micro, at)
              select id, 'adjustment', gen_random_uuid(), -balance_micro - 1, now() from wallets`,
        why: /wallet_is_never_negative/,
      },
      {
        sql: `insert into wallet_movements (wallet_id, kind, cause, amount_micro, at)
              select wallet_id, 'transfer', '${sent.json.id}', -1, now() from transfers`,
        why: /duplicate key/,
      },
    ]
    await inBooks(async (client) => {
      for (const { sql, why } of forbidden) await expect(client.query(sql)).rejects.toThrow(why)
    })
    expect(await balanceOf(bank, party)).toBe(FLOAT_LESS_HUNDRED_POUNDS)
    await bank.close()
  })

  it('always sum: every balance is what its movements say', async () => {
    const bank = await aBank({ database, settleAfterMs: 40, clock: runningClock })
    const party = await aParty(bank)
    for (const reference of ['plain', 'sandbox:return', 'sandbox:fail', 'sandbox:cancel']) {
      await sendTransfer(bank, party, { reference })
    }
    await until(
      async () => (await control(bank, '/ledger')).json.transfers as Json[],
      (all) => all.every((each) => ['payment_processed', 'refunded', 'canceled'].includes(each.state)),
    )
    await inBooks(async (client) => {
      const { rows } = await client.query(`select w.id from wallets w left join wallet_movements m on m.wallet_id = w.id
        group by w.id having w.balance_micro <> coalesce(sum(m.amount_micro), 0)`)
      expect(rows).toEqual([])
    })
    await bank.close()
  })
})
