import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { postEvent } from '../src/webhooks/post-event.ts'
import { type Json, ask, control } from './support/ask.ts'
import {
  type Party,
  aParty,
  aTransferBody,
  advance,
  anExternalAccount,
  sendTransfer,
  until,
} from './support/fixtures.ts'
import { disagreements } from './support/real-bank-schemas.ts'
import { Receiver, type TestWebhook, ageOf, anActiveWebhook, isSignedBy } from './support/receiver.ts'
import { type TestBank, aBank } from './support/test-bank.ts'

// As published on the real bank's page about signatures.
const PUBLISHED = {
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtqsEE4eI7EmzhcquGJXt
LX9PMK0UH6Kl1WIR21sv8HtueG8BuvvpP3MiN7ltzmIhS8KaynCjN4l+620PnXeu
xWG+CSnEdkinL9hCqbEid5vv9zl0j9LWiJx3FkKHqADU7cgm46aa8dKUdIQYF2X+
O7WmyLkC4wUM/mWhBPMsIQBznashRMZxx7XJjsVp27ACUE4eNIjEXbVYN6U8jSbU
hG++CfL8xXu+GHDqKmFE6Po6HnuURvLFVnCtE3mXXBcVFlPy+octfx8nOMLT3X8O
9UehIigJ34o2yMm/Fq3HUJzg2BsiAiGgtr0vmeoV9Q7upSNj9TuOumAzZFi4pYA+
qwIDAQAB
-----END PUBLIC KEY-----`,
  header:
    't=1705854411204,v0=jz/0dmHJ63FAzacGutrDTEoq+iSz/PHm/ugdooXDQu5NwuVIT2LmZGjsnCsBHgR9Py6OBP9zurzW4dHgygU4EDqmMPTUOvhvndYb4lWt+TY66LihaFI2whL6DAf/jb1QjYjNU0A6x9SLzC45dgE6X7zTDUM+2Z+scG/WEQf6SxQMt4E2sEipl5PqMK5lYUe3otdJV+X2c9D64bGwCEE7QSia+Vhozg8QNOQEk/rdz2IEONIg6oC43CeiN4E2kF9XLAGuy9uAHx9O9OJH5ZPLJZjyo4VcXYeWQgxaQ1gZ1Qu6hEEzgiPSff/1nou58dm4bIIazgCWli/mO0NyGcpfFw==',
  body: '{"message":"Hello World!"}',
}

const WHOLE_STORY = [
  'transfer.created awaiting_funds',
  'transfer.updated.status_transitioned payment_submitted',
  'transfer.updated.status_transitioned payment_processed',
]

describe('webhooks', () => {
  let bank: TestBank
  let receiver: Receiver
  let webhook: TestWebhook
  let party: Party
  let account: string

  beforeAll(async () => {
    bank = await aBank()
    receiver = await Receiver.open()
    webhook = await anActiveWebhook(bank, receiver)
    party = await aParty(bank)
    account = await anExternalAccount(bank, party)
  })
  afterAll(async () => {
    await bank.close()
    await receiver.close()
  })
  // Whatever earlier tests began is brought to its end first.
  beforeEach(async () => {
    await control(bank, '/faults', undefined, 'DELETE')
    receiver.acceptAll()
    await advance(bank, 3_600_000)
    await until(
      async () => (await ask(bank, `/v0/webhooks/${webhook.id}/events`)).json.count as number,
      (count) => count === 0,
    )
    receiver.received.length = 0
  })

  const send = async (parts: { reference?: string } = {}): Promise<Json> =>
    (await sendTransfer(bank, party, { account, ...parts })).json
  const received = (count: number) =>
    until(
      () => receiver.received,
      (seen) => seen.length >= count,
    )
  const fault = (mode: string, more: object = {}) => control(bank, '/faults', { mode, ...more })
  /** Long enough for anything that is due to have been sent. */
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 300))

  describe('are signed', () => {
    it('in the way of the published example, which our own check accepts', () => {
      expect(isSignedBy(PUBLISHED.publicKey, PUBLISHED.header, PUBLISHED.body)).toBe(true)
      expect(isSignedBy(PUBLISHED.publicKey, PUBLISHED.header, `${PUBLISHED.body} `)).toBe(false)
    })

    it('over the very bytes that are sent, with the key that the webhook was given', async () => {
      await send()
      const [first] = await received(1)
      expect(isSignedBy(webhook.publicKey, first!.signature, first!.body)).toBe(true)
      expect(isSignedBy(PUBLISHED.publicKey, first!.signature, first!.body)).toBe(false)
      expect(Math.abs(ageOf(first!.signature))).toBeLessThan(10_000)
    })

    it('with the time of day, however far the clock of the bank was advanced', async () => {
      await advance(bank, 86_400_000)
      await send()
      const [first] = await received(1)
      expect(Math.abs(ageOf(first!.signature))).toBeLessThan(3_600_000)
      expect(Date.parse(first!.event.event_created_at) - Date.now()).toBeGreaterThan(80_000_000)
    })
  })

  describe('tell of every change', () => {
    it('of a transfer once and in order, in the envelope of the real bank', async () => {
      const transfer = await send()
      await advance(bank, 2_000)
      await received(3)
      expect(receiver.types).toEqual(WHOLE_STORY)
      const events = receiver.received.map(({ event }) => event)
      expect(events.flatMap((event) => disagreements('WebhookEvent', event))).toEqual([])
      expect(new Set(events.map((event) => event.event_id)).size).toBe(3)
      expect(events.map((event) => event.event_object_id)).toEqual(Array(3).fill(transfer.id))
      expect(events[0].event_object).toEqual(transfer)
      expect(events[2].event_object_changes.state).toEqual(['payment_submitted', 'payment_processed'])
      const sequence = events.map((event) => event.event_sequence)
      expect(sequence).toEqual(sequence.toSorted((a, b) => a - b))
    })

    it('of a return, up to the refund', async () => {
      await send({ reference: 'sandbox:return' })
      await advance(bank, 600_000)
      await received(5)
      expect(receiver.types.slice(3)).toEqual([
        'transfer.updated.status_transitioned returned',
        'transfer.updated.status_transitioned refunded',
      ])
    })

    it('of a late transfer no sooner than it shows itself', async () => {
      const body = await aTransferBody(bank, party, { account, reference: 'sandbox:late' })
      expect((await ask(bank, '/v0/transfers', { body })).status).toBe(504)
      await aMoment()
      expect(receiver.types).toEqual([])
      await advance(bank, 1_500)
      await received(1)
      expect(receiver.types).toEqual(['transfer.created awaiting_funds'])
    })

    it('of customers, verifications and deposits, to whoever asked for them', async () => {
      const other = await Receiver.open()
      const categories = ['customer', 'kyc_link', 'virtual_account.activity', 'liquidation_address.drain']
      const own = await anActiveWebhook(bank, other, { categories })
      const link = await ask(bank, '/v0/kyc_links', {
        body: { email: 'a@b.test', type: 'business', endorsements: ['base', 'faster_payments'] },
      })
      const approved = await control(bank, `/kyc_links/${link.json.id}/approve`, {})
      const path = `/v0/customers/${approved.json.customer_id}`
      const { id: walletId } = (await ask(bank, `${path}/wallets`, { body: { chain: 'base' } })).json
      const destination = { payment_rail: 'base', currency: 'usdc', bridge_wallet_id: walletId }
      await ask(bank, `${path}/virtual_accounts`, { body: { source: { currency: 'gbp' }, destination } })
      await ask(bank, `${path}/liquidation_addresses`, {
        body: {
          chain: 'base',
          currency: 'usdc',
          destination_payment_rail: 'base',
          destination_currency: 'usdc',
          bridge_wallet_id: walletId,
        },
      })
      await control(bank, `/wallets/${walletId}/credit`, { source: 'bank', amount: '10.00' })
      await control(bank, `/wallets/${walletId}/credit`, { source: 'onchain', amount: '20.00' })
      await until(
        () => other.received.length,
        (count) => count >= 9,
      )
      expect(other.types.toSorted()).toEqual(
        [
          'customer.created not_started',
          'customer.updated.status_transitioned active',
          'kyc_link.created not_started',
          'kyc_link.updated.status_transitioned approved',
          'liquidation_address.drain.created funds_received',
          'liquidation_address.drain.updated.status_transitioned payment_processed',
          'virtual_account.activity.created funds_received',
          'virtual_account.activity.created payment_processed',
          'virtual_account.activity.created payment_submitted',
        ].toSorted(),
      )
      const deposits = other.types.filter((type) => type.startsWith('virtual_account'))
      expect(deposits.map((type) => type.split(' ')[1])).toEqual([
        'funds_received',
        'payment_submitted',
        'payment_processed',
      ])
      expect(receiver.types).toEqual([])
      await ask(bank, `/v0/webhooks/${own.id}`, { method: 'DELETE' })
      await other.close()
    })
  })

  describe('that do not arrive', () => {
    it('are sent again after 1 s, 5 s and 30 s, signed anew each time', async () => {
      receiver.answer = (_received, response) => void response.writeHead(500).end('no')
      await send()
      await received(1)
      for (const [index, pause] of [1_000, 5_000, 30_000].entries()) {
        await aMoment()
        expect(receiver.received).toHaveLength(index + 1)
        bank.clock.tick(pause)
        await received(index + 2)
      }
      const all = receiver.received.slice(0, 4)
      expect(new Set(all.map(({ event }) => event.event_id)).size).toBe(1)
      expect(new Set(all.map(({ signature }) => signature)).size).toBe(4)
      expect(all.every(({ signature, body }) => isSignedBy(webhook.publicKey, signature, body))).toBe(true)
    })

    it('hold back later news of the same transfer, and of no other', async () => {
      const first = await send()
      await received(1)
      receiver.answer = ({ event }, response) =>
        void response.writeHead(event.event_object_id === first.id ? 503 : 200).end()
      const second = await send()
      await advance(bank, 500)
      await until(
        () => receiver.received.filter(({ event }) => event.event_object_id === second.id),
        (seen) => seen.length === 2,
      )
      await control(bank, `/transfers/${first.id}/settle`, {})
      await aMoment()
      const aboutFirst = () =>
        receiver.received
          .filter(({ event }) => event.event_object_id === first.id)
          .map(({ event }) => event.event_object_status)
      expect(aboutFirst().filter((status) => status === 'payment_processed')).toEqual([])
      receiver.acceptAll()
      await advance(bank, 5_000)
      await until(
        () => aboutFirst(),
        (seen) => seen.at(-1) === 'payment_processed',
      )
      expect([...new Set(aboutFirst())]).toEqual(['awaiting_funds', 'payment_submitted', 'payment_processed'])
    })

    it('because the receiver does not answer hold nobody else up, and are tried again', async () => {
      receiver.answer = ({ event }, response) => {
        if (event.event_object_id !== first.id) response.writeHead(200).end()
      }
      const first = await send()
      await received(1)
      const second = await send()
      await received(2)
      expect(receiver.received[1]?.event.event_object_id).toBe(second.id)
      receiver.hangUp()
      // The two were answered at the same moment, so either may be the newest.
      const isAboutFirst = (log: Json) => log.event_id === receiver.received[0]?.event.event_id && log.status === 0
      const logs = await until(
        async () => (await ask(bank, `/v0/webhooks/${webhook.id}/logs`)).json.data as Json[],
        (data) => data.some(isAboutFirst),
      )
      expect(disagreements('DeliveryLog', logs.find(isAboutFirst))).toEqual([])
      receiver.acceptAll()
      await advance(bank, 1_000)
      await received(3)
      expect(receiver.received[2]?.event.event_object_id).toBe(first.id)
    })

    it('because none is answered are many under way at once, and Node sees no mistake in that', async () => {
      const warnings: Error[] = []
      const hear = (warning: Error) => void warnings.push(warning)
      process.on('warning', hear)
      receiver.answer = () => undefined
      await Promise.all(Array.from({ length: 12 }, () => send()))
      await received(12)
      receiver.hangUp()
      process.off('warning', hear)
      expect(warnings).toEqual([])
    })

    it('because the receiver takes too long are given up, without an answer', async () => {
      receiver.answer = () => undefined
      const message = { body: '{}', signature: 't=1,v0=' }
      const result = await postEvent(receiver.url, message, new AbortController().signal, 50)
      expect(result.status).toBe(0)
    })

    it('because a connection from before is dead cost no attempt', async () => {
      const seen: string[] = []
      const asked = new WeakSet<Socket>()
      const server = createServer((request, response) => {
        // It forgets each connection after one answer, without a word to whoever holds the other end.
        if (asked.has(request.socket)) return void request.socket.resetAndDestroy()
        asked.add(request.socket)
        request.resume().on('end', () => {
          seen.push(String(request.headers['x-webhook-signature']))
          response.end()
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const post = (signature: string) => postEvent(url, { body: '{}', signature }, new AbortController().signal)
      expect([await post('one'), await post('two')].map(({ status }) => status)).toEqual([200, 200])
      expect(seen).toEqual(['one', 'two'])
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })

    it('because the receiver sends us elsewhere are not followed', async () => {
      receiver.answer = (_received, response) => void response.writeHead(302, { location: receiver.url }).end()
      const message = { body: '{}', signature: 't=1,v0=' }
      expect((await postEvent(receiver.url, message, new AbortController().signal)).status).toBe(302)
    })

    it('because nobody listens arrive when somebody does', async () => {
      const gone = await Receiver.open()
      const { port } = gone
      const own = await anActiveWebhook(bank, gone)
      await gone.close()
      await send()
      await until(
        async () => (await ask(bank, `/v0/webhooks/${own.id}/logs`)).json.count as number,
        (count) => count === 1,
      )
      const back = await Receiver.open(port)
      await advance(bank, 1_000)
      await until(
        () => back.received.length,
        (count) => count > 0,
      )
      expect(back.types[0]).toBe(WHOLE_STORY[0])
      await ask(bank, `/v0/webhooks/${own.id}`, { method: 'DELETE' })
      await back.close()
    })
  })

  describe('go wrong when they are told to:', () => {
    it('dropped, they never arrive', async () => {
      await fault('drop', { times: 2 })
      await send()
      await advance(bank, 2_000)
      await received(1)
      expect(receiver.types).toEqual(WHOLE_STORY.slice(2))
      await advance(bank, 600_000)
      await aMoment()
      expect(receiver.received).toHaveLength(1)
    })

    it('duplicated, the same event arrives twice', async () => {
      await fault('duplicate')
      await send()
      const [one, other] = await received(2)
      expect(one!.body).toBe(other!.body)
    })

    it('delayed, they arrive later and still in order', async () => {
      await fault('delay', { ms: 30_000 })
      const transfer = await send()
      await control(bank, `/transfers/${transfer.id}/settle`, {})
      await aMoment()
      expect(receiver.types).toEqual([])
      await advance(bank, 30_000)
      await received(3)
      expect(receiver.types).toEqual(WHOLE_STORY)
    })

    it('reordered, the next one goes first', async () => {
      await fault('reorder')
      const transfer = await send()
      await aMoment()
      expect(receiver.types).toEqual([])
      await control(bank, `/transfers/${transfer.id}/submit`, {})
      await received(2)
      expect(receiver.types).toEqual([WHOLE_STORY[1], WHOLE_STORY[0]])
    })

    it('badly signed, they can be told from good ones, and come again with a good signature', async () => {
      receiver.answer = ({ signature, body }, response) =>
        void response.writeHead(isSignedBy(webhook.publicKey, signature, body) ? 200 : 400).end()
      await fault('bad_signature')
      await send()
      const [bad] = await received(1)
      expect(isSignedBy(webhook.publicKey, bad!.signature, bad!.body)).toBe(false)
      await advance(bank, 1_000)
      const [, good] = await received(2)
      expect([good!.body, isSignedBy(webhook.publicKey, good!.signature, good!.body)]).toEqual([bad!.body, true])
    })

    it('stale, they are signed well and eleven minutes old', async () => {
      await fault('stale')
      await send()
      const [stale] = await received(1)
      expect(isSignedBy(webhook.publicKey, stale!.signature, stale!.body)).toBe(true)
      expect(ageOf(stale!.signature)).toBeGreaterThan(10 * 60_000)
    })
  })
})

describe('webhook endpoints', () => {
  let bank: TestBank
  let receiver: Receiver

  beforeAll(async () => {
    bank = await aBank()
    receiver = await Receiver.open()
  })
  afterAll(async () => {
    await bank.close()
    await receiver.close()
  })

  const make = (url: string, more: object = {}) =>
    ask(bank, '/v0/webhooks', { body: { url, event_epoch: 'webhook_creation', ...more } })

  it('are made disabled, keep their events meanwhile, and deliver them when they are enabled', async () => {
    const made = await make(receiver.url, { event_categories: ['transfer'] })
    expect(disagreements('Webhook', made.json)).toEqual([])
    const party = await aParty(bank)
    const sent = await sendTransfer(bank, party)
    const upcoming = (await ask(bank, `/v0/webhooks/${made.json.id}/events?category=transfer`)).json.data as Json[]
    expect(upcoming.flatMap((event) => disagreements('WebhookEvent', event))).toEqual([])
    expect(upcoming.map((event) => event.event_object_id)).toEqual([sent.json.id])
    expect(receiver.received).toEqual([])

    const again = await ask(bank, `/v0/webhooks/${made.json.id}/send`, { body: { event_id: upcoming[0].event_id } })
    expect(again.status).toBe(200)
    await until(
      () => receiver.received.length,
      (count) => count === 1,
    )
    await ask(bank, `/v0/webhooks/${made.json.id}`, { method: 'PUT', body: { status: 'active' } })
    await until(
      () => receiver.received.length,
      (count) => count === 2,
    )
    await until(
      async () => (await ask(bank, `/v0/webhooks/${made.json.id}/events`)).json.data as Json[],
      (data) => data.length === 0,
    )
    const logs = (await ask(bank, `/v0/webhooks/${made.json.id}/logs`)).json
    expect(logs.data).toMatchObject([{ status: 200, response_body: '{"message":"OK"}' }, { status: 200 }])
    await ask(bank, `/v0/webhooks/${made.json.id}`, { method: 'DELETE' })
  })

  it('may ask for everything since the beginning of time', async () => {
    const before = receiver.received.length
    const webhook = await anActiveWebhook(bank, receiver, { epoch: 'beginning_of_time' })
    await until(
      () => receiver.received.length,
      (count) => count > before,
    )
    expect(receiver.types.slice(before)).toEqual(WHOLE_STORY.slice(0, 1))
    await ask(bank, `/v0/webhooks/${webhook.id}`, { method: 'DELETE' })
  })

  it('change their address while they are disabled only', async () => {
    const webhook = await anActiveWebhook(bank, receiver)
    const path = `/v0/webhooks/${webhook.id}`
    const put = (body: object) => ask(bank, path, { method: 'PUT', body })
    expect((await put({ url: 'https://example.test/hooks' })).json.source.key).toBe('url')
    await put({ status: 'disabled' })
    expect((await put({ url: 'https://example.test/hooks' })).json.url).toBe('https://example.test/hooks')
    expect((await put({ event_categories: ['customer'] })).json.event_categories).toEqual(['customer'])
    const deleted = await ask(bank, path, { method: 'DELETE' })
    expect(deleted.json.status).toBe('deleted')
    for (const gone of [await ask(bank, path), await ask(bank, path, { method: 'DELETE' }), await put({})]) {
      expect([gone.status, gone.json.message]).toEqual([404, 'Unknown webhook id'])
    }
  })

  it.each(['http://example.test/hooks', 'ftp://127.0.0.1/', 'nonsense'])('are refused at %s', async (url) => {
    expect((await make(url)).json.source).toEqual({ location: 'body', key: 'url' })
  })

  it('are five at most', async () => {
    for (const { id } of (await ask(bank, '/v0/webhooks')).json.data) {
      await ask(bank, `/v0/webhooks/${id}`, { method: 'DELETE' })
    }
    await make('https://example.test/hooks')
    const client = new pg.Client({ connectionString: bank.database.url })
    await client.connect()
    await client.query(`insert into webhooks (id, url, status, public_key, private_key, created_at)
      select 'wep_' || n, url, 'disabled', public_key, private_key, created_at from generate_series(1, 4) n,
        (select * from webhooks where status = 'disabled' limit 1) one`)
    await client.end()
    expect((await make('https://example.test/hooks')).json.message).toContain('There are 5 webhooks already')
    expect((await ask(bank, '/v0/webhooks')).json.count).toBe(5)
  })
})
