// What a caller sees when something breaks on our side: that it did, and nothing of what it was.
import { type Server, type Socket, connect, createServer } from 'node:net'

import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, PUBLIC_URL, startTestApp } from '../support/app.ts'
import { cloneDatabase } from '../support/database.ts'
import { askEachTime } from '../support/three-steps.ts'
import {
  type TestPartner,
  aPartner,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  post,
  sql,
} from '../support/fixtures.ts'

const seen = (reply: LightMyRequestResponse) => ({ status: reply.statusCode, body: reply.json() })

/** The whole of the answer: a sentence, and nothing of what happened. */
function bareFailure(reply: LightMyRequestResponse, status: number, code: string): object {
  const message = code === 'internal_error' ? INTERNAL : UNAVAILABLE
  const [request_id, doc_url] = [reply.headers['x-request-id'], `${PUBLIC_URL}/docs/errors#${code}`]
  return { status, body: { error: { code, message, request_id, doc_url } } }
}

const INTERNAL =
  'Something went wrong on our side. Repeat a payout with the same Idempotency-Key: it will never pay twice.'
const UNAVAILABLE =
  'The service is busy or restarting. Try again shortly; repeat a payout with the same Idempotency-Key, it will never pay twice.'

describe('a statement that fails, 500', () => {
  let test: TestApp
  let partner: TestPartner
  beforeAll(async () => {
    test = await startTestApp()
    partner = await aPartner(test)
  })
  afterAll(() => test.close())

  /** Breaks the database for one request, and mends it. */
  async function broken(table: string, column: string, ask: () => Promise<LightMyRequestResponse>) {
    await sql(test, `alter table ${table} rename column ${column} to gone`)
    try {
      return await ask()
    } finally {
      await sql(test, `alter table ${table} rename column gone to ${column}`)
    }
  }

  it.each<{ table: string; column: string; what: string; ask: () => Promise<LightMyRequestResponse> }>([
    { table: 'partners', column: 'name', what: 'authentication', ask: () => get(test, partner, '/v1/account') },
    { table: 'ledger_accounts', column: 'balance', what: 'a balance', ask: () => get(test, partner, '/v1/balance') },
    { table: 'payouts', column: 'reference', what: 'a list', ask: () => get(test, partner, '/v1/payouts') },
    {
      table: 'payouts',
      column: 'send_attempts',
      what: 'a payout that is read',
      ask: () => get(test, partner, '/v1/payouts/019a8a00-0000-7000-8000-000000000000'),
    },
    { table: 'invoices', column: 'status', what: 'invoices', ask: () => get(test, partner, '/v1/invoices') },
    { table: 'usage_months', column: 'completed', what: 'usage', ask: () => get(test, partner, '/v1/usage') },
    { table: 'api_keys', column: 'label', what: 'keys', ask: () => get(test, partner, '/v1/keys') },
    { table: 'activity', column: 'detail', what: 'activity', ask: () => get(test, partner, '/v1/activity') },
  ])('says nothing of the statement: $what', async ({ table, column, ask }) => {
    const reply = await broken(table, column, ask)
    expect(seen(reply)).toEqual(bareFailure(reply, 500, 'internal_error'))
  })

  it('says nothing of the statement that reserves a payout, and moves no money', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const before = await balanceOf(test, partner)
    const reply = await broken('payouts', 'recipient_sealed', () => createPayout(test, partner, {}, key))
    expect(seen(reply)).toEqual(bareFailure(reply, 500, 'internal_error'))
    expect(await balanceOf(test, partner)).toBe(before)
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
  })

  it('takes nothing when a payout is sent at once and cannot be written whole', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const before = await balanceOf(test, partner)
    const reply = await withoutUsage(() => createPayout(test, partner, {}, key))
    expect(seen(reply)).toEqual(bareFailure(reply, 500, 'internal_error'))
    expect(await balanceOf(test, partner)).toBe(before)
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
  })

  it('keeps the hold when the outcome cannot be written, and the follow-up finishes the payout once', async () => {
    askEachTime(test)
    const key = { 'idempotency-key': anIdempotencyKey() }
    const before = await balanceOf(test, partner)
    const reply = await withoutUsage(() => createPayout(test, partner, {}, key))
    expect(seen(reply)).toEqual(bareFailure(reply, 500, 'internal_error'))
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
    test.clock.advance(60_000)
    await test.follow()
    const again = await createPayout(test, partner, {}, key)
    expect(again.statusCode).toBe(200)
    expect(again.json().status).toBe('completed')
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
  })

  /** A payout that is only reserved is written without this table: then it is the third step that fails. */
  async function withoutUsage<T>(work: () => Promise<T>): Promise<T> {
    await sql(test, 'alter table usage_months rename to gone')
    try {
      return await work()
    } finally {
      await sql(test, 'alter table gone rename to usage_months')
    }
  }
})

describe('a database that is away, 503', () => {
  let test: TestApp
  let partner: TestPartner
  let wire: Wire
  let directUrl: string
  beforeAll(async () => {
    const database = await cloneDatabase()
    directUrl = database.url
    wire = await aWireTo(database.url)
    // Traces are written when a test says so, and not every 250 ms.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    test = await startTestApp({ database: { ...database, url: wire.url } })
    vi.useRealTimers()
    partner = await aPartner(test)
  })
  afterAll(async () => {
    await test.close()
    await wire.cut()
  })

  it('is said to be so, with when to try again, and the service goes on when it is back', async () => {
    expect((await get(test, partner, '/v1/account')).statusCode).toBe(200)
    await wire.cut()
    for (const url of ['/v1/account', '/v1/balance', '/v1/payouts', '/v1/activity']) {
      const reply = await get(test, partner, url)
      expect(seen(reply)).toEqual(bareFailure(reply, 503, 'unavailable'))
      expect(reply.headers['retry-after']).toBe('1')
    }
    await wire.mend()
    expect((await get(test, partner, '/v1/account')).statusCode).toBe(200)
  })

  it('takes no payout, and takes the same one when it is back', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const before = await balanceOf(test, partner)
    await wire.cut()
    const reply = await createPayout(test, partner, {}, key)
    expect(seen(reply)).toEqual(bareFailure(reply, 503, 'unavailable'))
    await wire.mend()
    expect(await balanceOf(test, partner)).toBe(before)
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    expect(await balanceOf(test, partner)).toBe(before - 32_070_000n)
  })

  it('does not keep anybody from what needs no database', async () => {
    await wire.cut()
    expect((await test.request({ url: '/v1' })).statusCode).toBe(200)
    expect((await test.request({ url: '/healthz' })).statusCode).toBe(200)
    expect((await test.request({ url: '/v1/account' })).statusCode).toBe(401)
    await wire.mend()
  })

  it('loses no trace of what was asked before: activity is written when it is back', async () => {
    const own = await aPartner(test)
    await post(test, own, '/v1/quotes', { amount_gbp: '25.00' })
    await wire.cut()
    await test.deps.activity.flush()
    await wire.mend()
    const { data } = (await get(test, own, '/v1/activity')).json()
    expect(data).toMatchObject([{ action: 'quote.create', status: 200 }])
  })

  it('leaves one trace of a request, though the answer to the first writing of it was lost', async () => {
    const own = await aPartner(test)
    await test.deps.activity.flush()
    await post(test, own, '/v1/quotes', { amount_gbp: '25.00' })
    wire.mute()
    const flushed = test.deps.activity.flush()
    await untilWritten(own.id)
    await wire.cut()
    await flushed
    await wire.mend()
    const { data } = (await get(test, own, '/v1/activity')).json()
    expect(data).toMatchObject([{ action: 'quote.create', status: 200 }])
  })

  /** Looks past the wire until the trace is in the database. */
  async function untilWritten(partnerId: string): Promise<void> {
    const client = new pg.Client({ connectionString: directUrl })
    await client.connect()
    const count = async () =>
      (await client.query('select 1 from activity where partner_id = $1', [partnerId])).rowCount ?? 0
    while ((await count()) === 0);
    await client.end()
  }
})

interface Wire {
  readonly url: string
  /** What PostgreSQL says no longer gets through, until the wire is cut and mended. */
  mute(): void
  cut(): Promise<void>
  mend(): Promise<void>
}

/** Stands between the service and PostgreSQL, and can be cut: connections break and new ones are refused. */
async function aWireTo(url: string): Promise<Wire> {
  const target = new URL(url)
  const cables = new Map<Socket, Socket>()
  let isMuted = false
  let server: Server | undefined
  let port = 0

  const mend = () =>
    new Promise<void>((resolve) => {
      const listening = createServer((inner) => {
        // It was let in before the wire was cut, and is seen after it.
        if (server !== listening) return void inner.destroy()
        const outer = connect(Number(target.port), target.hostname)
        for (const end of [inner, outer]) end.on('error', () => undefined)
        inner.on('close', () => {
          cables.delete(inner)
          outer.destroy()
        })
        outer.on('close', () => inner.end())
        inner.pipe(outer)
        outer.on('data', (answer) => isMuted || inner.write(answer))
        cables.set(inner, outer)
      })
      listening.listen(port, '127.0.0.1', () => {
        port = (listening.address() as { port: number }).port
        resolve()
      })
      server = listening
    })
  // The service's ends are closed when it has seen them end, so that nothing of before is left in its pool.
  const cut = async () => {
    const listening = server
    server = undefined
    const closed = [...cables].map(([inner, outer]) => {
      outer.destroy()
      return new Promise((resolve) => inner.end().once('close', resolve))
    })
    const deaf = new Promise((resolve) => (listening === undefined ? resolve(0) : listening.close(resolve)))
    await Promise.all([...closed, deaf])
    isMuted = false
  }

  await mend()
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String(port)
  return { url: own.href, mute: () => void (isMuted = true), cut, mend }
}
