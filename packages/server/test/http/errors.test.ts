import { gzipSync } from 'node:zlib'

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, PUBLIC_URL, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, balanceOf, get, post } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const seen = (reply: LightMyRequestResponse) => ({ status: reply.statusCode, body: reply.json() })

/** The one shape of every failure: these fields and no others, and the id of the request in both places. */
function failure(reply: LightMyRequestResponse, status: number, code: string): object {
  const { details } = reply.json().error ?? {}
  const error = {
    code,
    message: expect.stringMatching(/^\S.{10,}\.$/s),
    ...(details === undefined ? {} : { details }),
    request_id: reply.headers['x-request-id'],
    doc_url: `${PUBLIC_URL}/docs/errors#${code}`,
  }
  return { status, body: { error } }
}

const sendPayout = (payload: string | Buffer | object, headers: Record<string, string> = {}) =>
  post(test, partner, '/v1/payouts', payload, { 'idempotency-key': anIdempotencyKey(), ...headers })

describe('an address that does not exist, 404', () => {
  it.each([
    { method: 'GET', url: '/v2' },
    { method: 'GET', url: '/v1/nothing' },
    { method: 'GET', url: '/V1/account' },
    { method: 'GET', url: '//v1/account' },
    { method: 'GET', url: '/v1//account' },
    { method: 'GET', url: '/v1/account/x' },
    { method: 'GET', url: '/v1/payouts/a/b' },
    { method: 'GET', url: '/v1/%2e%2e/account' },
    { method: 'GET', url: '/%zz' },
    { method: 'GET', url: '/%ff' },
    { method: 'GET', url: '/v1/account%00' },
    { method: 'GET', url: '/favicon.ico' },
    { method: 'POST', url: '/v1/nothing' },
    { method: 'DELETE', url: '/v1/nothing' },
    { method: 'TRACE', url: '/v1/nothing' },
    { method: 'PROPFIND', url: '/v1/nothing' },
  ] as const)('is answered in the one shape: $method $url', async ({ method, url }) => {
    const reply = await test.request({ method: method as 'GET', url })
    expect(seen(reply)).toEqual(failure(reply, 404, 'not_found'))
  })

  it('is answered before its body is read', async () => {
    const reply = await post(test, partner, '/v1/nothing', '{', { 'content-type': 'text/plain' })
    expect(seen(reply)).toEqual(failure(reply, 404, 'not_found'))
  })
})

describe('a method that an address does not have, 405', () => {
  const allowed = (): [string, string[]][] => {
    const { paths } = test.app.swagger() as unknown as { paths: Record<string, Record<string, unknown>> }
    return Object.entries(paths).map(([path, methods]) => [
      path.replaceAll(/\{[^}]+\}/g, 'some-id'),
      // HEAD is there wherever GET is.
      Object.keys(methods).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
    ])
  }

  it('is answered in the one shape on every published address, with the methods that it has', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    let refused = 0
    for (const [url, own] of allowed()) {
      for (const method of methods.filter((each) => !own.includes(each))) {
        const reply = await test.request({ method: method as 'GET', url })
        expect(seen(reply)).toEqual(failure(reply, 405, 'method_not_allowed'))
        expect([url, method, reply.headers['allow']]).toEqual([url, method, own.toSorted().join(', ')])
        refused++
      }
    }
    expect(refused).toBeGreaterThanOrEqual(69)
  })

  it.each(['/healthz', '/readyz', '/openapi.json'])('is answered on %s too', async (url) => {
    const reply = await test.request({ method: 'POST', url })
    expect(seen(reply)).toEqual(failure(reply, 405, 'method_not_allowed'))
    expect(reply.headers['allow']).toBe('GET, HEAD')
  })

  it.each(['/v1/payouts/%zz', `/v1/payouts/${'a'.repeat(201)}`, '/v1/nowhere', '/v1/payouts/a/b/c'])(
    'is no answer where nothing can be, as at %s: that is not found, by whichever method',
    async (url) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const reply = await test.request({ method, url })
        expect([method, reply.statusCode, reply.headers['allow']]).toEqual([method, 404, undefined])
      }
    },
  )

  it('is answered with a slash at the end too', async () => {
    const reply = await test.request({ method: 'DELETE', url: '/v1/payouts/' })
    expect(seen(reply)).toEqual(failure(reply, 405, 'method_not_allowed'))
    expect(reply.headers['allow']).toBe('GET, HEAD, POST')
  })

  it.each([
    { why: 'is no JSON', options: { payload: '{', headers: { 'content-type': 'application/json' } } },
    { why: 'is of another kind', options: { payload: 'x', headers: { 'content-type': 'text/plain' } } },
    { why: 'is too large', options: { payload: ' '.repeat(40_000), headers: { 'content-type': 'application/json' } } },
  ])('is answered before the body is read, which $why', async ({ options }) => {
    const request: InjectOptions = { method: 'PUT', url: '/v1/payouts', ...options }
    const reply = await test.request(request)
    expect(seen(reply)).toEqual(failure(reply, 405, 'method_not_allowed'))
  })
})

describe('a body that is too large, 413', () => {
  it('is refused beyond 32 KiB, and read up to there', async () => {
    const body = JSON.stringify({ amount_gbp: '25.00' })
    const atTheLimit = await post(test, partner, '/v1/quotes', body.padEnd(32_768, ' '))
    expect(atTheLimit.statusCode).toBe(200)
    const reply = await post(test, partner, '/v1/quotes', body.padEnd(32_769, ' '))
    expect(seen(reply)).toEqual(failure(reply, 413, 'body_too_large'))
  })

  it('moves no money', async () => {
    const before = await balanceOf(test, partner)
    const reply = await sendPayout(JSON.stringify(aPayoutBody()).padEnd(40_000, ' '))
    expect(seen(reply)).toEqual(failure(reply, 413, 'body_too_large'))
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('a body that is not declared as JSON in UTF-8, 415', () => {
  it.each([
    'text/plain',
    'text/json',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'application/vnd.api+json',
    'application/json-patch+json',
    'application/jsonp',
    'application/json5',
    'application/json, text/plain',
    'application',
    '*/*',
    'json',
    ';',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset="latin1"',
    'text/plain; x=application/json',
  ])('is refused as %j, and moves no money', async (type) => {
    const before = await balanceOf(test, partner)
    const reply = await sendPayout(JSON.stringify(aPayoutBody()), { 'content-type': type })
    expect(seen(reply)).toEqual(failure(reply, 415, 'unsupported_media_type'))
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it.each(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip'])('is refused in the encoding %s', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const reply = await sendPayout(gzipSync(JSON.stringify(aPayoutBody())), headers)
    expect(seen(reply)).toEqual(failure(reply, 415, 'unsupported_media_type'))
    expect(reply.json().error.message).toContain('Content-Encoding')
  })

  it('is refused without a type', async () => {
    const reply = await test.request({
      method: 'POST',
      url: '/v1/quotes',
      headers: { authorization: `Bearer ${partner.key}` },
      payload: Buffer.from('{"amount_gbp":"25.00"}'),
    })
    expect(seen(reply)).toEqual(failure(reply, 415, 'unsupported_media_type'))
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
    'application/json; profile="x"',
  ])('is accepted as %j', async (type) => {
    const reply = await post(test, partner, '/v1/quotes', '{"amount_gbp":"25.00"}', { 'content-type': type })
    expect(reply.statusCode).toBe(200)
  })
})

describe('a body that cannot be read, 400', () => {
  const recipient = JSON.stringify(aPayoutBody().recipient)
  const withReference = (text: string) => `{"amount_gbp":"25.00","recipient":${recipient},"reference":${text}}`

  it.each<{ why: string; body: string | Buffer }>([
    { why: 'empty', body: '' },
    { why: 'white space', body: ' \r\n\t ' },
    { why: 'cut short', body: '{"amount_gbp":"25.00"' },
    { why: 'followed by something', body: `${withReference('"x"')} x` },
    { why: 'no JSON', body: 'amount_gbp=25.00' },
    { why: 'bytes that are not UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    { why: 'Latin-1', body: Buffer.from(withReference('"café"'), 'latin1') },
    { why: 'UTF-16', body: Buffer.from(withReference('"x"'), 'utf16le') },
    { why: 'a byte order mark in front', body: `\ufeff${withReference('"x"')}` },
    { why: 'a field named twice', body: `{"amount_gbp":"1.00","amount_gbp":"9999.00","recipient":${recipient}}` },
    {
      why: 'a field named twice, once escaped',
      body: `{"amount_gbp":"1.00","amount\\u005fgbp":"2.00","recipient":${recipient}}`,
    },
    { why: 'a recipient named twice', body: `{"amount_gbp":"1.00","recipient":${recipient},"recipient":${recipient}}` },
    {
      why: 'a field of the recipient named twice',
      body: withReference('"x"').replace('"first_name"', '"first_name":"Amara","first_name"'),
    },
    {
      why: 'a field of the address named twice',
      body: withReference('"x"').replace('"line1"', '"line1":"1 High Street","line1"'),
    },
    {
      why: 'an account number named twice',
      body: withReference('"x"').replace('"account_number"', '"account_number":"12345678","account_number"'),
    },
    { why: '__proto__', body: `{"__proto__":{"amount_gbp":"1.00"},"recipient":${recipient}}` },
    { why: '__proto__ inside', body: withReference('"x"').replace('"first_name"', '"__proto__":{},"first_name"') },
    { why: 'constructor.prototype', body: `{"constructor":{"prototype":{}},"recipient":${recipient}}` },
    { why: 'NUL', body: withReference('"a\\u0000b"') },
    { why: 'half of a surrogate pair', body: withReference('"a\\ud800b"') },
    { why: 'ten thousand levels', body: '['.repeat(10_000) + ']'.repeat(10_000) },
    { why: 'ten thousand levels inside a field', body: withReference('['.repeat(10_000) + ']'.repeat(10_000)) },
  ])('is refused: $why; and moves no money', async ({ body }) => {
    const before = await balanceOf(test, partner)
    const reply = await sendPayout(body)
    expect(seen(reply)).toEqual(failure(reply, 400, 'invalid_json'))
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it.each(['/v1/quotes', '/v1/payouts'])('is refused by %s when there is none at all', async (url) => {
    const reply = await test.request({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': anIdempotencyKey() },
    })
    expect(seen(reply)).toEqual(failure(reply, 400, 'invalid_json'))
  })

  it('leaves every object of the program as it was', async () => {
    await sendPayout('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('isAdmin' in {}).toBe(false)
  })
})

describe('an operation that takes no body', () => {
  const nothing = (method: 'POST' | 'DELETE', url: string, headers: Record<string, string>) =>
    test.request({ method, url, headers: { authorization: `Bearer ${partner.key}`, ...headers } })

  it.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json', 'content-length': '0' },
    { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
    { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '0' },
  ])('is done without one, whatever that is declared as: %j', async (headers) => {
    const paused = await nothing('POST', '/v1/payouts/pause', headers)
    expect([paused.statusCode, paused.json()]).toMatchObject([200, { paused: true }])
    const made = await post(test, partner, '/v1/webhook-endpoints', { url: 'https://example.com/hook' })
    const url = `/v1/webhook-endpoints/${made.json<{ id: string }>().id}`
    expect((await nothing('DELETE', url, headers)).statusCode).toBe(200)
    expect((await get(test, partner, url)).statusCode).toBe(404)
    expect((await nothing('POST', '/v1/sandbox/reset', headers)).statusCode).toBe(200)
  })

  it('still refuses one that cannot be read', async () => {
    const reply = await post(test, partner, '/v1/payouts/pause', '{')
    expect(seen(reply)).toEqual(failure(reply, 400, 'invalid_json'))
  })
})

describe('the shape of a failure', () => {
  it.each<{ status: number; code: string; ask: () => Promise<LightMyRequestResponse> }>([
    { status: 400, code: 'idempotency_key_required', ask: () => post(test, partner, '/v1/payouts', {}) },
    { status: 400, code: 'invalid_header', ask: () => sendPayout({}, { 'max-wallet-debit-usdc': 'x' }) },
    { status: 401, code: 'unauthorized', ask: () => test.request({ url: '/v1/account' }) },
    { status: 402, code: 'insufficient_funds', ask: () => sendPayout(aPayoutBody({ amount_gbp: '20000.00' })) },
    { status: 404, code: 'not_found', ask: () => get(test, partner, '/v1/payouts/x') },
    { status: 422, code: 'invalid_amount', ask: () => sendPayout(aPayoutBody({ amount_gbp: '0.10' })) },
    { status: 422, code: 'invalid_recipient', ask: () => sendPayout(aPayoutBody({ recipient: {} })) },
    { status: 422, code: 'corridor_not_enabled', ask: () => sendPayout(aPayoutBody({ country: 'FR' })) },
    {
      status: 422,
      code: 'recipient_account_rejected',
      ask: () => sendPayout(aPayoutBody({ reference: 'sandbox:reject' })),
    },
    { status: 422, code: 'rate_moved', ask: () => sendPayout(aPayoutBody(), { 'max-wallet-debit-usdc': '1.00' }) },
    { status: 422, code: 'invalid_request', ask: () => get(test, partner, '/v1/account?x=1') },
    { status: 502, code: 'payout_not_created', ask: () => sendPayout(aPayoutBody({ reference: 'sandbox:down' })) },
  ])('is the same for $status $code', async ({ status, code, ask }) => {
    const reply = await ask()
    expect(seen(reply)).toEqual(failure(reply, status, code))
  })
})
