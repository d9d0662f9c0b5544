// Only what the bank signed is heard, once. A payout has settled at the bank and nobody here knows: if any of these
// messages were believed, it would complete.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'
import { ownerOf } from '../storage/owner.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const MINUTE_MS = 60_000
const SEED = 20_251_115
const NOWHERE = '00000000-0000-4000-8000-000000000000'

interface Message {
  readonly environment: string
  readonly body: string | Buffer
  readonly signature: string | undefined
}

let test: BankApp
let url: string
let partner: TestPartner
let payoutId: string
let genuine: Message
let ourKey: string
let liveKey: string

beforeAll(async () => {
  test = await startBankApp({ isLive: true })
  url = await test.listen(['sandbox', 'live'])
  // The bank's own messages are switched off, so that only the test's arrive.
  await test.bank.control('POST', '/faults', { mode: 'drop', times: 1_000_000 })
  partner = await test.aConnectedPartner()
  payoutId = (await createPayout(test, partner)).json<{ id: string }>().id
  await test.moveClocks(2_500)
  const [transfer] = (await test.bank.books()).transfers
  if (transfer?.state !== 'payment_processed') throw new Error('The transfer was to have settled at the bank.')
  ourKey = await keyOf('sandbox')
  liveKey = await keyOf('live')
  genuine = signed({
    api_version: 'v0',
    event_id: 'evt_genuine',
    event_category: 'transfer',
    event_type: 'transfer.updated.status_transitioned',
    event_object_id: transfer.id,
    event_object_status: 'payment_processed',
    event_created_at: test.clock.now().toISOString(),
  })
})
afterAll(() => test.close())

/** The bank's own private key for one of its webhooks. */
async function keyOf(environment: string): Promise<string> {
  const [row] = await test.bank.query<{ private_key: string }>('select private_key from webhooks where url like $1', [
    `%/${environment}`,
  ])
  return row!.private_key
}

function signatureOf(body: string | Buffer, options: { key?: string; at?: number } = {}): string {
  const t = options.at ?? test.clock.now().getTime()
  const digest = createHash('sha256').update(`${t}.`).update(body).digest()
  return `t=${t},v0=${sign('sha256', digest, options.key ?? ourKey).toString('base64')}`
}

function signed(event: object, options: { key?: string; at?: number } = {}): Message {
  const body = JSON.stringify(event)
  return { environment: 'sandbox', body, signature: signatureOf(body, options) }
}

const eventOf = (message: Message) => JSON.parse(message.body.toString()) as Record<string, unknown>

async function sendOverTheWire(message: Message): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${url}/v1/bank/webhooks/${message.environment}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(message.body)),
    headers: {
      'content-type': 'application/json',
      ...(message.signature === undefined ? {} : { 'x-webhook-signature': message.signature }),
    },
  })
  return { status: reply.status, body: await reply.json() }
}

/** What would have changed if it had been believed. */
async function effects(): Promise<object> {
  const kept = await sql(test, 'select environment, event_id, handled_at from bank_events')
  const { status, updated_at } = (await get(test, partner, `/v1/payouts/${payoutId}`)).json<{
    status: string
    updated_at: string
  }>()
  return { kept, status, updated_at, balance: await balanceOf(test, partner) }
}

async function expectNoEffect(act: () => Promise<void>): Promise<void> {
  const before = await effects()
  expect(before).toMatchObject({ kept: [], status: 'processing', balance: FLOAT - SENT })
  await act()
  expect(await handleBankEvents(test.deps)).toBe(0)
  expect(await effects()).toEqual(before)
}

const FORGED: readonly [string, (real: Message) => Message][] = [
  ['has no signature', (real) => ({ ...real, signature: undefined })],
  ['has an empty signature', (real) => ({ ...real, signature: '' })],
  ['has a signature of noise', (real) => ({ ...real, signature: `t=${now()},v0=${'A'.repeat(344)}` })],
  ['has a signature of another version', (real) => ({ ...real, signature: real.signature!.replace('v0', 'v1') })],
  ['is signed with a key of its own', (real) => ({ ...real, signature: signatureOf(real.body, { key: otherKey() }) })],
  ['is signed with the live key', (real) => ({ ...real, signature: signatureOf(real.body, { key: liveKey }) })],
  ['has one byte more', (real) => ({ ...real, body: `${real.body.toString()} ` })],
  ['has one byte less', (real) => ({ ...real, body: real.body.slice(0, -1) })],
  [
    'names another object',
    (real) => ({
      ...real,
      body: real.body
        .toString()
        .replace(/(object_id":")(.)/, (_, before: string, first: string) => before + (first === '0' ? '1' : '0')),
    }),
  ],
  ['is written with spaces', (real) => ({ ...real, body: JSON.stringify(eventOf(real), null, 2) })],
  [
    'is written in another order',
    (real) => ({ ...real, body: JSON.stringify(Object.fromEntries(Object.entries(eventOf(real)).toReversed())) }),
  ],
  ['is eleven minutes old', (real) => signed(eventOf(real), { at: now() - 11 * MINUTE_MS })],
  ['is a year old', (real) => signed(eventOf(real), { at: now() - 365 * 24 * 60 * MINUTE_MS })],
  ['is from six minutes ahead', (real) => signed(eventOf(real), { at: now() + 6 * MINUTE_MS })],
  [
    'says that it is newer than what was signed',
    (real) => ({ ...real, signature: real.signature!.replace(/t=\d+/, `t=${now() + 1_000}`) }),
  ],
  ['is empty', (real) => ({ ...real, body: '' })],
  ['is for the other environment', (real) => ({ ...real, environment: 'live' })],
]

const UNREADABLE: readonly [string, (real: Message) => Message][] = [
  ['is empty', (real) => ({ ...real, body: '', signature: signatureOf('') })],
  ['is no JSON', (real) => ({ ...real, body: 'hello', signature: signatureOf('hello') })],
  ['says nothing', () => signed({})],
  ['has an id that holds NUL', (real) => signed({ ...eventOf(real), event_id: 'evt\u0000' })],
  ['names half a character', (real) => signed({ ...eventOf(real), event_object_id: 'tr\ud800' })],
  ['has an id that is too long to keep', (real) => signed({ ...eventOf(real), event_id: noise(20_000) })],
]

/** Text that no compression makes short. */
const noise = (bytes: number) => randomBytes(bytes).toString('hex')
const now = () => test.clock.now().getTime()
const otherKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

describe('a message that is not the bank’s', () => {
  it.each(FORGED)('because it %s is answered 401 and has no effect', async (_, forge) => {
    await expectNoEffect(async () => {
      const { status, body } = await sendOverTheWire(forge(genuine))
      expect(status).toBe(401)
      expect(body).toEqual({
        error: {
          code: 'unauthorized',
          message: expect.stringMatching(/^[A-Z].{10,}\.$/),
          request_id: expect.any(String),
          doc_url: expect.stringMatching(/\/docs\/errors#unauthorized$/),
        },
      })
    })
  })

  it('is judged once by one key, however recently that was read', async () => {
    const judging = vi.spyOn(test.deps.banks.sandbox!.webhooks!, 'read')
    await expectNoEffect(async () => {
      for (let time = 0; time < 10; time++) await sendOverTheWire(FORGED[2]![1](genuine))
    })
    expect(judging).toHaveBeenCalledTimes(10)
    judging.mockRestore()
  })

  it('because it is of 65 KiB is answered 413, although it is signed, and has no effect', async () => {
    await expectNoEffect(async () => {
      const { status, body } = await sendOverTheWire(signed({ ...eventOf(genuine), padding: 'x'.repeat(65 * 1_024) }))
      expect(status).toBe(413)
      expect(body).toMatchObject({ error: { code: 'body_too_large', request_id: expect.any(String) } })
    })
  })

  it('because its environment does not exist is answered 404', async () => {
    await expectNoEffect(async () => {
      const { status, body } = await sendOverTheWire({ ...genuine, environment: 'production' })
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: { code: 'not_found' } })
    })
  })

  it(`is never believed, in 1,000 ways of changing a real one (seed ${SEED})`, async ({ task }) => {
    const inject = async ({ environment, body, signature }: Message) => {
      const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature ?? '' }
      const payload = Buffer.from(body)
      return test.app.inject({ method: 'POST', url: `/v1/bank/webhooks/${environment}`, headers, payload })
    }
    const body = Buffer.from(genuine.body)
    const [, t, v0] = /^t=(\d+),v0=(.+)$/.exec(genuine.signature!)!
    const bytes = Buffer.from(v0!, 'base64')
    const changed = (from: Buffer, at: number, by: number) => {
      const copy = Buffer.from(from)
      copy[at % from.length] = copy[at % from.length]! ^ by
      return copy
    }
    const at = fc.nat(10_000)
    const by = fc.integer({ min: 1, max: 255 })
    const forged: fc.Arbitrary<Message> = fc.oneof(
      fc.tuple(at, by).map(([place, bits]) => ({ ...genuine, body: changed(body, place, bits) })),
      fc.tuple(at, by).map(([place, bits]) => ({
        ...genuine,
        signature: `t=${t},v0=${changed(bytes, place, bits).toString('base64')}`,
      })),
      fc.integer({ min: 1, max: 300_000 }).map((ms) => ({ ...genuine, signature: `t=${Number(t) - ms},v0=${v0}` })),
      fc.integer({ min: 0, max: body.length - 1 }).map((length) => ({ ...genuine, body: body.subarray(0, length) })),
      fc.string({ maxLength: 400 }).map((text) => ({ ...genuine, signature: text.replace(/[^\x20-\x7e]/g, '?') })),
    )
    await expectNoEffect(async () => {
      let refused = 0
      await fc.assert(
        fc.asyncProperty(forged, async (message) => {
          expect((await inject(message)).statusCode).toBe(401)
          refused += 1
        }),
        { numRuns: 1_000, seed: SEED, endOnFailure: true },
      )
      expect(refused).toBe(1_000)
      task.meta.cases = refused
    })
  })
})

describe('a message that is the bank’s, of which nothing can be kept', () => {
  it.each(UNREADABLE)('because it %s is answered 422 and told of once, however often it comes', async (_, spoil) => {
    const alarms = test.alarms.length
    const spoilt = spoil(genuine)
    for (let time = 0; time < 3; time++) {
      const again = { ...spoilt, signature: signatureOf(spoilt.body) }
      const { status, body } = await sendOverTheWire(again)
      expect([status, body]).toMatchObject([
        422,
        { error: { code: 'invalid_request', message: expect.stringMatching(/^The message is signed, and cannot be/) } },
      ])
    }
    expect(test.alarms.slice(alarms)).toMatchObject([
      { what: 'a message of the bank cannot be read', about: { environment: 'sandbox', why: expect.any(String) } },
    ])
    expect(await handleBankEvents(test.deps)).toBe(0)
  })

  it('is one alarm with how many there were, also when sixty come at once', async () => {
    const open = `select count from alarms where what = 'a message of the bank cannot be read' and closed_at is null`
    expect(await sql(test, open)).toEqual([{ count: BigInt(UNREADABLE.length) }])
    const spoilt = signed({ no: 'words' })
    await Promise.all(Array.from({ length: 60 }, () => sendOverTheWire(spoilt)))
    expect(await sql(test, open)).toEqual([{ count: BigInt(UNREADABLE.length + 1) }])
    await sql(test, 'delete from bank_events')
  })
})

describe('a message that is the bank’s', () => {
  it('is kept, read back from the bank and has its effect', async () => {
    expect(await sendOverTheWire(genuine)).toEqual({ status: 200, body: { received: true } })
    expect(await effects()).toMatchObject({ kept: [{ handled_at: null }], status: 'processing' })
    expect(await handleBankEvents(test.deps)).toBe(1)
    expect(await effects()).toMatchObject({ status: 'completed', balance: FLOAT - SENT })
  })

  it('is taken again when it is sent again, and has no second effect', async () => {
    const before = await effects()
    const again = { ...genuine, signature: signatureOf(genuine.body) }
    for (const message of [genuine, genuine, again]) {
      expect(await sendOverTheWire(message)).toEqual({ status: 200, body: { received: true } })
    }
    expect(await handleBankEvents(test.deps)).toBe(0)
    expect(await effects()).toEqual(before)
  })

  it('cannot make up a state: what it says of the payout is not believed, only what the bank says', async () => {
    const before = await effects()
    const liar = signed({
      ...eventOf(genuine),
      event_id: 'evt_liar',
      event_object_status: 'refunded',
      event_object: { state: 'refunded' },
    })
    expect((await sendOverTheWire(liar)).status).toBe(200)
    expect(await handleBankEvents(test.deps)).toBe(1)
    expect(await effects()).toMatchObject({ status: 'completed', balance: FLOAT - SENT })
    expect(await effects()).toMatchObject({ updated_at: (before as { updated_at: string }).updated_at })
  })

  describe('and comes with many others', () => {
    const others = (name: string, count: number) =>
      Array.from({ length: count }, (_, nth) =>
        signed({ ...eventOf(genuine), event_id: `evt_${name}_${nth}`, event_object_id: NOWHERE }),
      )
    const keptOf = (name: string) =>
      sql<{ event_id: string; written: string }>(
        test,
        'select event_id, xmin::text as written from bank_events where event_id like $1 order by event_id',
        [`evt_${name}_%`],
      )

    it('is kept once, however often it is among them, and with them by few transactions', async () => {
      const messages = others('many', 40)
      const answers = await Promise.all([...messages, ...messages].map(sendOverTheWire))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      const kept = await keptOf('many')
      expect(kept.map(({ event_id }) => event_id)).toEqual(
        messages.map((each) => String(eventOf(each)['event_id'])).toSorted(),
      )
      expect(new Set(kept.map(({ written }) => written)).size).toBeLessThan(20)
    })

    it('is kept although one of them cannot be, which alone is not answered as received', async () => {
      const owner = await ownerOf(test.database.ownerUrl)
      await owner.query(`create function refuse_one() returns trigger language plpgsql as $$
        begin if new.event_id = 'evt_mixed_7' then raise exception 'not this one'; end if; return new; end $$;
        create trigger refuse_one before insert on bank_events for each row execute function refuse_one()`)
      const answers = await Promise.all(others('mixed', 20).map(sendOverTheWire))
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, nth) => (nth === 7 ? 500 : 200)))
      expect(await keptOf('mixed')).toHaveLength(19)
      await owner.query('drop trigger refuse_one on bank_events; drop function refuse_one')
      await owner.end()
    })

    it('is kept although another process is writing one of them, which those that come later do not wait for', async () => {
      const owner = await ownerOf(test.database.ownerUrl)
      const answered: string[] = []
      const send = (messages: readonly Message[]) =>
        Promise.all(
          messages.map(async (message) => {
            const { status } = await sendOverTheWire(message)
            answered.push(`${String(eventOf(message)['event_id'])} ${status}`)
          }),
        )
      const messages = others('twice', 12)
      const sent = await owner.rolledBack(async () => {
        const being = `insert into bank_events (environment, event_id, category, object_ref, received_at)
                       values ('sandbox', 'evt_twice_1', 'transfer', $1, now())`
        await owner.query(being, [NOWHERE])
        const together = send(messages.slice(0, 6))
        await untilOneWaits(test)
        await send(messages.slice(6))
        expect(answered).not.toContain('evt_twice_1 503')
        await together
        return answered.toSorted()
      })
      const all = messages.map((_, nth) => `evt_twice_${nth} ${nth === 1 ? 503 : 200}`)
      expect(sent).toEqual(all.toSorted())
      expect(await keptOf('twice')).toHaveLength(11)
      await owner.end()
    })

    it('is answered once it is in the database, and not before', async () => {
      const owner = await ownerOf(test.database.ownerUrl)
      await owner.query('begin')
      await owner.query('lock table bank_events in share mode')
      const answered: number[] = []
      const sent = others('held', 3).map(async (message) => answered.push((await sendOverTheWire(message)).status))
      await untilOneWaits(test)
      expect([answered, await keptOf('held')]).toEqual([[], []])
      await owner.query('commit')
      await Promise.all(sent)
      expect([answered, (await keptOf('held')).length]).toEqual([[200, 200, 200], 3])
      await owner.end()
    })

    afterAll(() => sql(test, `delete from bank_events where object_ref = $1`, [NOWHERE]))
  })

  it('is proved by a new key at once, and by the one before it for a second at most', async () => {
    const [kept] = await sql<{ public_key: string }>(test, 'select public_key from bank_webhooks where url like $1', [
      '%/sandbox',
    ])
    const another = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const useKey = (pem: string) =>
      sql(test, `update bank_webhooks set public_key = $1 where environment = 'sandbox' returning 1 as kept`, [pem])
    const sent = async (name: string, key: string) => {
      const event = { ...eventOf(genuine), event_id: `evt_key_${name}`, event_object_id: NOWHERE }
      return (await sendOverTheWire(signed(event, { key }))).status
    }
    await useKey(another.publicKey)
    expect(await sent('new', another.privateKey)).toBe(200)
    await expect.poll(() => sent('old', ourKey), { timeout: 5_000 }).toBe(401)
    await useKey(kept!.public_key)
    expect(await sent('old again', ourKey)).toBe(200)
    await sql(test, 'delete from bank_events where object_ref = $1', [NOWHERE])
  })

  it('may be as large as 64 KiB', async () => {
    const large = signed({ ...eventOf(genuine), event_id: 'evt_large', padding: 'x'.repeat(64 * 1_024 - 1_000) })
    expect((await sendOverTheWire(large)).status).toBe(200)
    expect(await handleBankEvents(test.deps)).toBe(1)
  })

  it('may be about something that we do not have, and hurts nothing', async () => {
    for (const [index, category] of ['transfer', 'kyc_link', 'customer', 'static_memo.activity'].entries()) {
      const stranger = signed({
        ...eventOf(genuine),
        event_id: `evt_stranger_${index}`,
        event_category: category,
        event_object_id: '00000000-0000-4000-8000-000000000000',
      })
      expect((await sendOverTheWire(stranger)).status).toBe(200)
    }
    expect(await handleBankEvents(test.deps)).toBe(4)
    expect(await handleBankEvents(test.deps)).toBe(0)
    expect(await effects()).toMatchObject({ status: 'completed', balance: FLOAT - SENT })
  })

  it('and of which nothing can be kept loses nothing: what it was about is read from the bank’s list', async () => {
    const other = (await createPayout(test, partner)).json<{ id: string }>().id
    await test.moveClocks(2_500)
    const { id } = (await test.bank.books()).transfers.find((each) => each.client_reference_id === other)!
    expect(
      (await sendOverTheWire(signed({ ...eventOf(genuine), event_id: '\u0000', event_object_id: id }))).status,
    ).toBe(422)
    const status = async () => (await get(test, partner, `/v1/payouts/${other}`)).json<{ status: string }>().status
    expect(await status()).toBe('processing')
    await sweepTransfers(test.deps, 'sandbox')
    expect(await status()).toBe('completed')
  })
})
