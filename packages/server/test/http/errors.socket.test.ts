// Requests that only a bare socket can make, and answers that only a listening service gives.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { PayoutRail } from '../../src/rail/port.ts'
import { type TestApp, PUBLIC_URL, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  get,
} from '../support/fixtures.ts'
import { LOG_DIR } from '../support/log-dir.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => test.close())

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const seen = (answer: Answer | undefined) => ({ ...answer, body: JSON.parse(answer?.body ?? 'null') })

/** The specification's body, with the headers that every answer has. */
function failure(answer: Answer | undefined, status: number, code: string): object {
  const error = {
    code,
    message: expect.stringMatching(/^[A-Z].{10,}\.$/),
    request_id: answer?.headers['x-request-id'],
    doc_url: `${PUBLIC_URL}/docs/errors#${code}`,
  }
  const headers = expect.objectContaining({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(UUID),
  })
  return { status, headers, body: { error } }
}

describe('headers that are too large, 431', () => {
  it('are refused at 17 KB', async () => {
    const [answer] = await talk(test, `GET /v1 HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17 * 1024)}\r\n\r\n`)
    expect(seen(answer)).toEqual(failure(answer, 431, 'headers_too_large'))
  })

  it('are refused when there are many small ones', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `X-${index}: ${'x'.repeat(20)}\r\n`).join('')
    const [answer] = await talk(test, `GET /v1 HTTP/1.1\r\nHost: x\r\n${many}\r\n`)
    expect(seen(answer)).toEqual(failure(answer, 431, 'headers_too_large'))
  })

  it('are refused when the address is', async () => {
    const [answer] = await talk(test, `GET /v1/${'x'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(seen(answer)).toEqual(failure(answer, 431, 'headers_too_large'))
  })

  it('are read up to there', async () => {
    const large = `X-Large: ${'x'.repeat(15 * 1024)}`
    const [answer] = await talk(test, `GET /v1 HTTP/1.1\r\nHost: x\r\n${large}\r\nConnection: close\r\n\r\n`)
    expect(answer?.status).toBe(200)
  })
})

describe('what is not HTTP as this service speaks it, 400', () => {
  const post = (headers: string, body: string) =>
    `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${partner.key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
  const quote = '{"amount_gbp":"25.00"}'

  it.each<{ why: string; bytes: () => string }>([
    { why: 'a broken request line', bytes: () => 'NONSENSE\r\n\r\n' },
    { why: 'a method that does not exist', bytes: () => 'FETCH /v1 HTTP/1.1\r\nHost: x\r\n\r\n' },
    { why: 'a version that does not exist', bytes: () => 'GET /v1 HTTP/9.9\r\nHost: x\r\n\r\n' },
    { why: 'another protocol', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    { why: 'a TLS greeting', bytes: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n' },
    { why: 'no Host', bytes: () => 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n' },
    { why: 'two Hosts', bytes: () => 'GET /v1 HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n' },
    { why: 'a header without a name', bytes: () => 'GET /v1 HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n' },
    { why: 'a space before the colon', bytes: () => 'GET /v1 HTTP/1.1\r\nHost: x\r\nX-A : 1\r\n\r\n' },
    { why: 'NUL in a header', bytes: () => 'GET /v1 HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n' },
    { why: 'a length that is a word', bytes: () => post('Content-Length: many', quote) },
    { why: 'a negative length', bytes: () => post('Content-Length: -1', quote) },
    { why: 'two lengths', bytes: () => post('Content-Length: 22\r\nContent-Length: 23', quote) },
    { why: 'two lengths in one', bytes: () => post('Content-Length: 22, 23', quote) },
    { why: 'an encoding that is not supported', bytes: () => post('Transfer-Encoding: gzip', quote) },
    { why: 'an encoding around the chunks', bytes: () => post('Transfer-Encoding: chunked, gzip', quote) },
    { why: 'a disguised encoding', bytes: () => post('Transfer-Encoding: xchunked', quote) },
    {
      why: 'a length and chunks',
      bytes: () => post('Content-Length: 22\r\nTransfer-Encoding: chunked', `16\r\n${quote}\r\n0\r\n\r\n`),
    },
    {
      why: 'a chunk whose size is a word',
      bytes: () => post('Transfer-Encoding: chunked', `zz\r\n${quote}\r\n0\r\n\r\n`),
    },
  ])('is answered in the one shape: $why', async ({ bytes }) => {
    const [answer] = await talk(test, bytes())
    expect(seen(answer)).toEqual(failure(answer, 400, 'bad_request'))
  })

  it('is answered on a connection that has served a good request before', async () => {
    const answers = await talk(test, 'GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n', 'NONSENSE\r\n\r\n')
    expect(answers[0]?.status).toBe(200)
    expect(seen(answers[1])).toEqual(failure(answers[1], 400, 'bad_request'))
  })

  it('is answered, like any failure, to an expectation that cannot be met', async () => {
    const [answer] = await talk(test, post('Expect: the-unexpected\r\nConnection: close\r\nContent-Length: 22', quote))
    const { error } = JSON.parse(answer?.body === '' ? '{}' : (answer?.body ?? '{}'))
    expect([200, 417]).toContain(answer?.status)
    expect(answer?.status === 200 || typeof error?.code === 'string').toBe(true)
  })

  it('closes the connection, because nobody knows where the next request would begin', async () => {
    const [answer] = await talk(test, 'NONSENSE\r\n\r\n')
    expect(answer?.headers['connection']).toBe('close')
  })

  it('is not HTTP/1.0 without a Host, as balancers ask whether we are well', async () => {
    const [answer] = await talk(test, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(seen(answer)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('does not stop the service', async () => {
    const [answer] = await talk(test, 'GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer?.status).toBe(200)
  })
})

describe('a request that never arrives in full, 408', () => {
  it('is answered in the one shape', async () => {
    const connected = new Promise<Socket>((resolve) => test.app.server.once('connection', resolve))
    const socket = await open(test)
    const answers = readAll(socket)
    socket.write('POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Le')
    // What Node reports after 15 seconds.
    const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const arrived = await connected
    await vi.waitFor(() => expect(arrived.bytesRead).toBeGreaterThan(0), { timeout: 30_000 })
    test.app.server.emit('clientError', timeout, arrived)
    const [answer] = await answers
    expect(seen(answer)).toEqual(failure(answer, 408, 'request_timeout'))
  })

  it('is given 15 seconds: neither the minute that Node has for headers, nor the half until it looks', () => {
    const { requestTimeout, headersTimeout } = test.app.server
    expect([requestTimeout, headersTimeout]).toEqual([15_000, 15_000])
    expect(test.app.server).toHaveProperty('connectionsCheckingInterval', 1_000)
  })
})

describe('what is unusual and HTTP all the same', () => {
  const payout = JSON.stringify(aPayoutBody())
  const post = (headers: string, body: string) =>
    `POST /v1/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${partner.key}\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n${body}`

  it('is read in chunks, 201', async () => {
    const chunks = [payout.slice(0, 40), payout.slice(40)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    const [answer] = await talk(
      test,
      post(`Idempotency-Key: ${anIdempotencyKey()}\r\nTransfer-Encoding: chunked`, `${chunks.join('')}0\r\n\r\n`),
    )
    expect(answer?.status).toBe(201)
  })

  it('is too large in chunks as well, 413', async () => {
    const before = await balanceOf(test, partner)
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const [answer] = await talk(
      test,
      post(`Idempotency-Key: ${anIdempotencyKey()}\r\nTransfer-Encoding: chunked`, `${chunk.repeat(3)}0\r\n\r\n`),
    )
    expect(seen(answer)).toEqual(failure(answer, 413, 'body_too_large'))
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('has two Idempotency-Keys, which is none, 400', async () => {
    const before = await balanceOf(test, partner)
    const keys = `Idempotency-Key: ${anIdempotencyKey()}\r\nIdempotency-Key: ${anIdempotencyKey()}`
    const [answer] = await talk(test, post(`${keys}\r\nContent-Length: ${payout.length}`, payout))
    expect(seen(answer)).toEqual(failure(answer, 400, 'idempotency_key_required'))
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('is a HEAD, which has no body in its answer', async () => {
    const head = (path: string, key: string) =>
      talk(test, `HEAD ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`)
    const [answer] = await head('/v1/account', partner.key)
    expect(answer).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    expect(Number(answer?.headers['content-length'])).toBeGreaterThan(100)
    expect((await head('/v1/account', 'nobody'))[0]).toMatchObject({ status: 401, body: '' })
    expect((await head('/v1/quotes', partner.key))[0]).toMatchObject({
      status: 405,
      body: '',
      headers: { allow: 'POST' },
    })
    for (const path of ['/healthz', '/readyz', '/docs', '/v1', '/v1/payouts/export.csv', '/v1/stream']) {
      expect([path, (await head(path, partner.key))[0]]).toMatchObject([path, { status: 200, body: '' }])
    }
  })

  it('breaks off in the middle of its body, which is no error of ours', async () => {
    const start = `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${partner.key}\r\n`
    const lines = () =>
      readFileSync(join(LOG_DIR, `${process.pid}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"/v1/quotes"'))
    const failedBefore = lines().filter((line) => line.includes('request failed')).length
    // Leaving while the key is looked up is one case, leaving while the body is read the other: later and later, until
    // the service was reading.
    let stays = 0
    await vi.waitFor(
      async () => {
        const socket = await open(test)
        socket.write(`${start}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"amount_gbp"`)
        await setTimeout((stays += 10))
        socket.destroy()
        await setTimeout(10)
        expect(lines().join('\n')).toContain('a caller left in the middle of a request')
      },
      { timeout: 20_000, interval: 1 },
    )
    expect(lines().filter((line) => line.includes('request failed'))).toHaveLength(failedBefore)
  })
})

describe('a caller who leaves before the answer', () => {
  it('leaves a trace all the same: of a payout that was made, and of a stream that was open', async () => {
    const bank = aSlowBank()
    const own = await startTestApp({ rail: bank.rail })
    const caller = await aPartner(own)
    await own.app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify(aPayoutBody())
    const head = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\n`
    const payment = `Idempotency-Key: ${anIdempotencyKey()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    const [paying, listening] = [await open(own), await open(own)]
    const gone = Promise.all([paying, listening].map((socket) => once(socket, 'close')))
    paying.write(`${head('POST', '/v1/payouts')}${payment}\r\n\r\n${body}`)
    listening.write(`${head('GET', '/v1/stream')}\r\n`)
    await Promise.all([bank.isAsked, once(listening, 'data')])
    paying.destroy()
    listening.destroy()
    await gone
    await vi.waitFor(async () => expect(await connectionsOf(own)).toBe(0), { timeout: 30_000 })
    bank.answer()
    const traces = async () => {
      await own.deps.activity.flush()
      const { data } = (await get(own, caller, '/v1/activity')).json<{ data: { action: string; status: number }[] }>()
      return data.map(({ action, status }) => `${action} ${status}`)
    }
    const left = expect.arrayContaining(['payout.create 201', 'stream.open 200'])
    await vi.waitFor(async () => expect(await traces()).toEqual(left), { timeout: 30_000, interval: 200 })
    await own.close()
  })
})

describe('a connection on which something is wrong', () => {
  it('is closed without a word while a payout that came whole is under way: a word would pass for its answer', async () => {
    const bank = aSlowBank()
    const own = await startTestApp({ rail: bank.rail })
    const caller = await aPartner(own)
    await own.app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify(aPayoutBody())
    const socket = await open(own)
    const answers = readAll(socket)
    socket.write(
      `POST /v1/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\nIdempotency-Key: ${anIdempotencyKey()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await bank.isAsked
    socket.write('not HTTP at all\r\n\r\n')
    expect(await answers).toEqual([])
    bank.answer()
    const made = async () => (await get(own, caller, '/v1/payouts')).json<{ data: unknown[] }>().data.length
    await vi.waitFor(async () => expect(await made()).toBe(1), { timeout: 30_000 })
    await own.close()
  })

  it('is closed without a word when nothing was ever sent on it, as by somebody who connects ahead', async () => {
    const accepted = new Promise<Socket>((resolve) => test.app.server.once('connection', resolve))
    const answers = readAll(await open(test))
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    test.app.server.emit('clientError', late, await accepted)
    expect(await answers).toEqual([])
  })
})

const connectionsOf = (own: TestApp) =>
  new Promise<number>((resolve, reject) =>
    own.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

describe('a service that is stopping', () => {
  it('answers what is under way, and refuses what comes then in the one shape', async () => {
    const bank = aSlowBank()
    const own = await startTestApp({ rail: bank.rail })
    const { key } = await aPartner(own)
    await own.app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify(aPayoutBody())
    const socket = await open(own)
    const answers = readAll(socket)
    socket.write(
      `POST /v1/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nIdempotency-Key: ${anIdempotencyKey()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await bank.isAsked
    const closed = own.close()
    const arrived = new Promise((resolve) => own.app.server.once('request', resolve))
    socket.write('GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived
    bank.answer()
    const [payout, late] = await answers
    await closed
    expect(payout?.status).toBe(201)
    expect(late?.status === 200 || JSON.parse(late?.body ?? '{}').error?.code === 'unavailable').toBe(true)
  })
})

/** A bank that answers when it is told to. */
function aSlowBank(): { rail: PayoutRail; isAsked: Promise<void>; answer: () => void } {
  const oblige = anObligingRail()
  let asked: () => void = () => undefined
  let answer: () => void = () => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
  const submit: PayoutRail['submit'] = async (request) => {
    asked()
    await mayAnswer
    return oblige.submit(request)
  }
  return { rail: { ...oblige, submit }, isAsked, answer: () => answer() }
}

function open(own: TestApp): Promise<Socket> {
  const { port } = own.app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends each piece when the one before has been answered, and gives back every answer until the service hangs up. */
async function talk(own: TestApp, ...pieces: string[]): Promise<Answer[]> {
  const socket = await open(own)
  const answers = readAll(socket)
  for (const [index, piece] of pieces.entries()) {
    socket.write(piece, 'latin1')
    if (index < pieces.length - 1) await new Promise((resolve) => socket.once('data', resolve))
  }
  return answers
}

function readAll(socket: Socket): Promise<Answer[]> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (data: Buffer) => (text += data.toString()))
    // A reset is an end as well: what came before it counts.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answersIn(text)))
  })
}

function answersIn(text: string): Answer[] {
  const answers: Answer[] = []
  let rest = text
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
    )
    const from = end + 4
    const length = rest.slice(from).startsWith('HTTP/1.1 ') ? 0 : Number(headers['content-length'] ?? 0)
    answers.push({ status: Number(line.split(' ')[1]), headers, body: rest.slice(from, from + length) })
    rest = rest.slice(from + length)
  }
  return answers
}
