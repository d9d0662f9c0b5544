// A caller's trace goes through the service to the bank, and to a collector where one is configured; what is no trace is
// dropped.
import { type IncomingMessage, type Server, createServer } from 'node:http'
import { type AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TraceExporter, createTraceExporter } from '../../src/export-traces.ts'
import { aHome, launch, serveOn } from '../process/program.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aPayoutBody, anIdempotencyKey } from '../support/fixtures.ts'
import type { TestBank } from '../support/bank.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: object }[]
}

/** A real HTTP server that keeps what it is sent, and passes it on if it is told where. */
async function aListener(answer: (seen: Seen) => Promise<{ status: number; body: string }>) {
  const seen: Seen[] = []
  const server: Server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') }
      seen.push(one)
      void answer({ ...one, url: `${request.method} ${one.url}` }).then(({ status, body }) =>
        reply.writeHead(status, { 'content-type': 'application/json' }).end(body),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, seen, close }
}
type Listener = Awaited<ReturnType<typeof aListener>>

/** Stands before the bank and keeps the headers of what comes by. */
const before = (bank: TestBank) =>
  aListener(async ({ url, headers, body }) => {
    const [method, path] = url.split(' ')
    const { host: _host, 'content-length': _length, connection: _connection, ...rest } = headers
    const reply = await fetch(new URL(path!, bank.url), {
      method: method!,
      headers: rest as Record<string, string>,
      ...(body === '' ? {} : { body }),
    })
    return { status: reply.status, body: await reply.text() }
  })

const spansOf = ({ seen }: Listener): Span[] =>
  seen.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  })

const pay = (test: BankApp, partner: TestPartner, traceparent?: string) =>
  test.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: {
      authorization: `Bearer ${partner.key}`,
      'idempotency-key': anIdempotencyKey(),
      ...(traceparent === undefined ? {} : { traceparent, tracestate: 'vendor=secret' }),
    },
    payload: aPayoutBody(),
  })

describe('without a collector', () => {
  let test: BankApp
  let bank: Listener
  let partner: TestPartner
  beforeAll(async () => {
    test = await startBankApp({
      through: async (own) => {
        bank = await before(own)
        return { ...own.provider, baseUrl: own.provider.baseUrl.replace(own.url, bank.url) }
      },
    })
    partner = await test.aConnectedPartner()
  })
  afterAll(async () => {
    await test.close()
    await bank.close()
  })
  const toldToBank = () => bank.seen.filter(({ url }) => url.startsWith('/v0/transfers')).map(({ headers }) => headers)

  it('a caller’s trace is told to the bank, as a part of it, and the caller’s other words are not', async () => {
    bank.seen.length = 0
    expect((await pay(test, partner, `00-${TRACE}-${PARENT}-01`)).statusCode).toBe(201)
    const [headers] = toldToBank()
    expect(headers?.['traceparent']).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`))
    expect(headers?.['tracestate']).toBeUndefined()
  })

  it('two callers at once keep their own, though their payouts share transactions', async () => {
    bank.seen.length = 0
    const traces = Array.from({ length: 12 }, (_, index) => index.toString(16).padStart(32, 'a'))
    await Promise.all(traces.map((trace) => pay(test, partner, `00-${trace}-${PARENT}-00`)))
    const told = bank.seen
      .filter(({ url, body }) => url === '/v0/transfers' && body !== '')
      .map(({ headers }) => String(headers['traceparent']).slice(3, 35))
    expect(told.toSorted()).toEqual(traces.toSorted())
  })

  it.each([
    'nonsense',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01;x`,
    `00-${TRACE}-${PARENT}-01 `.repeat(50),
  ])('what is no trace is dropped, and the payout made: %j', async (traceparent) => {
    bank.seen.length = 0
    expect((await pay(test, partner, traceparent)).statusCode).toBe(201)
    expect(toldToBank().map((headers) => headers['traceparent'])).toEqual([undefined])
  })
})

describe('with a collector', () => {
  let collector: Listener
  let status = 200
  beforeAll(async () => {
    collector = await aListener(() => Promise.resolve({ status, body: '{}' }))
  })
  afterAll(() => collector.close())

  async function paying(work: (test: BankApp, partner: TestPartner) => Promise<unknown>) {
    const dropped: number[] = []
    const traces: TraceExporter = createTraceExporter({
      endpoint: collector.url,
      role: 'api',
      everyMs: 3_600_000,
      onDropped: (spans) => dropped.push(spans),
    })
    const test = await startBankApp({ traces })
    const partner = await test.aConnectedPartner()
    await work(test, partner)
    await test.close()
    return dropped
  }

  it('a request and what it asked the bank arrive there as one trace, by the time the service has stopped', async () => {
    collector.seen.length = 0
    await paying((test, partner) => pay(test, partner, `00-${TRACE}-${PARENT}-01`))
    expect(collector.seen.every(({ url }) => url === '/v1/traces')).toBe(true)
    const own = spansOf(collector).filter(({ traceId }) => traceId === TRACE)
    const request = own.find(({ kind }) => kind === 2)!
    expect(request).toMatchObject({ name: 'POST /v1/payouts', parentSpanId: PARENT })
    const atBank = own.filter(({ kind }) => kind === 3)
    expect(atBank.map(({ name }) => name)).toContain('bank POST /transfers')
    expect(atBank.every(({ parentSpanId }) => parentSpanId === request.spanId)).toBe(true)
    expect(own.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))).toBe(true)
    expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '201' } })
  })

  it('a request without a trace begins one, and one that its caller does not sample is not sent', async () => {
    collector.seen.length = 0
    await paying(async (test, partner) => {
      await pay(test, partner, `00-${TRACE}-${PARENT}-00`)
      await pay(test, partner)
    })
    const requests = spansOf(collector).filter(({ name }) => name === 'POST /v1/payouts')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.traceId).not.toBe(TRACE)
    expect(requests[0]?.parentSpanId).toBeUndefined()
  })

  it('a collector that refuses costs the traces, and nothing else', async () => {
    status = 500
    const dropped = await paying(async (test, partner) => expect((await pay(test, partner)).statusCode).toBe(201))
    status = 200
    expect(dropped.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0)
  })

  it('more than a few thousand that wait are counted, and not kept', async () => {
    const dropped: number[] = []
    const gone = await aListener(() => new Promise(() => undefined))
    const traces = createTraceExporter({
      endpoint: gone.url,
      role: 'api',
      everyMs: 3_600_000,
      onDropped: (n) => dropped.push(n),
    })
    const trace = { traceId: TRACE, spanId: PARENT, parentId: null, isSampled: true }
    const span = {
      trace,
      kind: 'server',
      name: 'x',
      startedAt: new Date(0),
      seconds: 1,
      isFailed: false,
      attributes: {},
    } as const
    for (let count = 0; count < 10_000; count++) traces.note(span)
    await traces.close()
    await gone.close()
    expect(dropped.reduce((sum, each) => sum + each, 0)).toBe(10_000)
  })

  it('the program sends there when one variable says so, and logs the trace', async () => {
    collector.seen.length = 0
    const home = await aHome()
    const api = await serveOn('api', { ...home.settings, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })
    await fetch(`${api.url}/healthz`, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } })
    const { code } = await api.kill('SIGTERM')
    const worker = launch(['worker'], { ...home.settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'not an address' })
    const refused = await worker.ended
    await home.leave()
    expect(code).toBe(0)
    expect(spansOf(collector)).toContainEqual(expect.objectContaining({ traceId: TRACE, name: 'GET /healthz' }))
    expect(api.output.stdout).toContain(`"traceId":"${TRACE}"`)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT must be an address')
  })
})
