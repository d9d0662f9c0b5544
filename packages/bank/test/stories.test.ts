// Every story to its end, with the wallet looked at on every step. Nobody waits: the clock is moved.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TRANSFER_MOVES, TRANSFER_STATES } from '../src/core/transfer-moves.ts'
import { aKey, ask, control } from './support/ask.ts'
import {
  FLOAT,
  FLOAT_LESS_HUNDRED_POUNDS,
  type Party,
  aParty,
  aTransferBody,
  advance,
  anExternalAccount,
  balanceOf,
  sendTransfer,
  stateOf,
  until,
} from './support/fixtures.ts'
import { type TestBank, aBank, runningClock } from './support/test-bank.ts'

const PAID = FLOAT_LESS_HUNDRED_POUNDS

describe('a transfer', () => {
  let bank: TestBank
  let party: Party

  beforeAll(async () => {
    bank = await aBank()
  })
  afterAll(() => bank.close())

  const start = async (reference: string) => {
    party = await aParty(bank)
    return sendTransfer(bank, party, { reference })
  }

  /** What it looks like after each of these pauses: state and balance. */
  const follow = async (transferId: string, pausesMs: readonly number[]) => {
    const seen: string[] = []
    for (const pause of pausesMs) {
      await advance(bank, pause)
      seen.push(`${await stateOf(bank, transferId)} ${await balanceOf(bank, party)}`)
    }
    return seen
  }

  it('that tells no story is handed over and settles', async () => {
    const sent = await start('INV 1042')
    expect([sent.status, sent.json.state]).toEqual([201, 'awaiting_funds'])
    expect(await balanceOf(bank, party)).toBe(PAID)
    expect(await follow(sent.json.id, [500, 1_500, 600_000])).toEqual([
      `payment_submitted ${PAID}`,
      `payment_processed ${PAID}`,
      `payment_processed ${PAID}`,
    ])
  })

  it('of sandbox:return settles, is sent back, and the money is there when it is refunded and not before', async () => {
    const sent = await start('sandbox:return')
    expect(await follow(sent.json.id, [500, 1_500, 2_000, 500, 600_000])).toEqual([
      `payment_submitted ${PAID}`,
      `payment_processed ${PAID}`,
      `returned ${PAID}`,
      `refunded ${FLOAT}`,
      `refunded ${FLOAT}`,
    ])
    const { return_details: details } = (await ask(bank, `/v0/transfers/${sent.json.id}`)).json
    expect(details.reason).toBe('Beneficiary account closed (00000002)')
    expect(details.refund_reference_id).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('of sandbox:fail is handed over, cannot be delivered, and is refunded', async () => {
    const sent = await start('sandbox:fail')
    expect(await follow(sent.json.id, [500, 1_500, 500])).toEqual([
      `payment_submitted ${PAID}`,
      `undeliverable ${PAID}`,
      `refunded ${FLOAT}`,
    ])
    const { return_details: details } = (await ask(bank, `/v0/transfers/${sent.json.id}`)).json
    expect(details.reason).toBe('Beneficiary account stopped (1161)')
  })

  it('of sandbox:cancel is cancelled by the bank, with the money back in the same step', async () => {
    const sent = await start('sandbox:cancel')
    expect(await follow(sent.json.id, [500, 1_500, 600_000])).toEqual([
      `awaiting_funds ${PAID}`,
      `canceled ${FLOAT}`,
      `canceled ${FLOAT}`,
    ])
  })

  it('of sandbox:hold stays handed over until it is told', async () => {
    const sent = await start('sandbox:hold')
    expect(await follow(sent.json.id, [500, 86_400_000])).toEqual([
      `payment_submitted ${PAID}`,
      `payment_submitted ${PAID}`,
    ])
    await control(bank, `/transfers/${sent.json.id}/settle`, {})
    expect(await stateOf(bank, sent.json.id)).toBe('payment_processed')
  })

  it('to an account ending 0000 is created undeliverable, and never debited', async () => {
    party = await aParty(bank)
    const account = await anExternalAccount(bank, party, '12340000')
    const sent = await sendTransfer(bank, party, { account, reference: 'sandbox:return' })
    expect([sent.status, sent.json.state]).toEqual([201, 'undeliverable'])
    expect(sent.json.return_details).toEqual({ reason: 'Sort code or account number unknown (1114)' })
    // It ends as refunded too, so that whoever sees only the end knows that nothing has to come back.
    expect(await follow(sent.json.id, [0, 600_000])).toEqual([`undeliverable ${FLOAT}`, `refunded ${FLOAT}`])
  })

  it('of sandbox:reject is refused, and nothing is created', async () => {
    const sent = await start('sandbox:reject')
    expect([sent.status, sent.json.code]).toEqual([400, 'invalid_parameters'])
    expect(sent.json.source).toEqual({ location: 'body', key: 'destination.external_account_id' })
    await expectNothing()
  })

  it('of sandbox:down meets a bank that is down, and nothing is created', async () => {
    const sent = await start('sandbox:down')
    expect([sent.status, sent.headers['retry-after']]).toEqual([429, '1'])
    await expectNothing()
  })

  const expectNothing = async () => {
    const books = (await control(bank, `/ledger?customer_id=${party.customerId}`)).json
    expect(books.transfers).toEqual([])
    expect(await balanceOf(bank, party)).toBe(FLOAT)
  }

  it('of sandbox:late is created though the bank does not say so for 1.5 s', async () => {
    party = await aParty(bank)
    const body = await aTransferBody(bank, party, { reference: 'sandbox:late', clientReference: 'late-1' })
    const key = aKey()
    const first = await ask(bank, '/v0/transfers', { body, key })
    const again = await ask(bank, '/v0/transfers', { body, key })
    expect([first.status, again.status, first.json]).toEqual([504, 504, undefined])
    const [booked] = (await control(bank, `/ledger?customer_id=${party.customerId}`)).json.transfers
    expect([booked.client_reference_id, booked.state]).toEqual(['late-1', 'awaiting_funds'])
    expect(await balanceOf(bank, party)).toBe(PAID)
    expect((await ask(bank, `/v0/transfers/${booked.id}`)).status).toBe(404)
    expect((await ask(bank, `/v0/transfers/${booked.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await ask(bank, '/v0/transfers?client_reference_id=late-1')).json.data).toEqual([])
    expect((await ask(bank, `/v0/customers/${party.customerId}/transfers`)).json.count).toBe(0)

    await advance(bank, 1_500)
    const replay = await ask(bank, '/v0/transfers', { body, key })
    expect([replay.status, replay.json.id, replay.json.state]).toEqual([201, booked.id, 'awaiting_funds'])
    expect((await ask(bank, '/v0/transfers?client_reference_id=late-1')).json.count).toBe(1)
    expect(await follow(booked.id, [500, 1_500])).toEqual([`payment_submitted ${PAID}`, `payment_processed ${PAID}`])
    expect((await control(bank, `/ledger?customer_id=${party.customerId}`)).json.transfers).toHaveLength(1)
  })

  it('goes through its whole story when the clock jumps, one change after the other', async () => {
    const sent = await start('sandbox:return')
    const before = (await ask(bank, '/v0/transfers?limit=1')).json.data[0].updated_at
    expect(await follow(sent.json.id, [86_400_000])).toEqual([`refunded ${FLOAT}`])
    const after = (await ask(bank, `/v0/transfers/${sent.json.id}`)).json.updated_at
    expect(after > before).toBe(true)
  })

  it('settles by itself when the clock is left alone', async () => {
    const quick = await aBank({ settleAfterMs: 200, clock: runningClock })
    const own = await aParty(quick)
    const sent = await sendTransfer(quick, own, { reference: 'sandbox:return' })
    await until(
      () => stateOf(quick, sent.json.id),
      (state) => state === 'refunded',
    )
    expect(await balanceOf(quick, own)).toBe(FLOAT)
    await quick.close()
  })
})

describe('the moves of a transfer', () => {
  it('are the same in the program and in the database, cell by cell', async () => {
    const bank = await aBank()
    const client = new pg.Client({ connectionString: bank.database.url })
    await client.connect()
    const states = [...TRANSFER_STATES]
    const { rows } = await client.query<{ from: string; to: string; allowed: boolean }>(
      `select f as from, t as to, transfer_may_move(f, t) as allowed from unnest($1::text[]) f, unnest($1::text[]) t`,
      [states],
    )
    await client.end()
    const allowed = rows.filter((row) => row.allowed).map(({ from, to }) => `${from} ${to}`)
    const expected = states.flatMap((from) => TRANSFER_MOVES[from].map((to) => `${from} ${to}`))
    expect(allowed.toSorted()).toEqual(expected.toSorted())
    await bank.close()
  })
})
