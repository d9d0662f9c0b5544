// Whether a request has left is what everything hangs on; a connection can break on either side of that moment.
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Server, type Socket, connect, createServer as createTcpServer } from 'node:net'

import { describe, expect, it, vi } from 'vitest'

import { selfSigned } from '../../../test/support/self-signed.ts'
import { ProviderClient, judge, waitIn } from './provider-client.ts'

describe('a connection that breaks once the request has left', () => {
  /** A bank behind TLS, and a line to it that breaks on the client's side when the whole request has arrived. */
  async function brokenAfterTheRequest(breakIt: (bare: Socket) => void, maxVersion: 'TLSv1.2' | 'TLSv1.3') {
    let asked = 0
    let line: Socket | null = null
    const bank = createTlsServer({ ...selfSigned(), maxVersion }, (request) => {
      request.resume().on('end', () => {
        asked += 1
        breakIt(line!)
      })
    })
    const bankPort = await listening(bank)
    const proxy = createTcpServer((bare) => {
      line = bare
      const inner = connect(bankPort, '127.0.0.1')
      for (const each of [bare, inner]) each.on('error', () => undefined)
      inner.on('data', (data: Buffer) => bare.write(data))
      bare.on('data', (data: Buffer) => inner.write(data)).on('close', () => inner.destroy())
    })
    const baseUrl = `https://127.0.0.1:${await listening(proxy)}/v0`
    const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', totalTimeoutMs: 20_000 })
    // The certificate is self-signed: this test is not about certificates.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    try {
      return {
        answer: await client.call({ method: 'POST', path: '/transfers', body: {}, idempotencyKey: 'key' }),
        asked,
      }
    } finally {
      vi.unstubAllEnvs()
      await client.close()
      bank.closeAllConnections()
      for (const server of [bank, proxy]) server.close()
    }
  }

  async function listening(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  const BREAKS: readonly [string, (bare: Socket) => void][] = [
    ['a record that is none', (bare) => bare.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a record that nobody sealed', (bare) => bare.end(Buffer.from('1703030020'.padEnd(74, 'a5'), 'hex'))],
    ['a reset', (bare) => bare.resetAndDestroy()],
    ['an end', (bare) => bare.end()],
  ]

  it.each(
    BREAKS.flatMap(([what, breakIt]) =>
      (['TLSv1.2', 'TLSv1.3'] as const).map((version) => ({ what, breakIt, version })),
    ),
  )('with $what in $version is unknown', async ({ breakIt, version }) => {
    const { answer, asked } = await brokenAfterTheRequest(breakIt, version)
    expect(answer.kind).toBe('unknown')
    expect(asked).toBe(1)
  })

  const CODES = [
    'EPROTO',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_SOCKET',
    'ECONNRESET',
  ]

  it.each(CODES)('is judged by when it broke, and not by %s', (code) => {
    const error = Object.assign(new Error('broken'), { code })
    expect(judge(error, { hasLeft: true }).kind).toBe('unknown')
    expect(judge(error, { hasLeft: false }).kind).toBe('not_sent')
  })
})

describe('how long a busy bank asks us to wait', () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  it.each([
    ['in seconds', '30', 30_000],
    ['with spaces around', ' 7 ', 7_000],
    ['until a date, by the bank’s own clock', 'Wed, 21 Oct 2026 07:29:30 GMT', 90_000],
    ['for ever', '999999999999999999999', 300_000],
    ['for a year', 'Thu, 21 Oct 2027 07:28:00 GMT', 300_000],
  ])('%s is heard, up to the longest wait', (_how, header, retryAfterMs) => {
    expect(waitIn({ 'retry-after': header, date })).toEqual({ retryAfterMs })
  })

  it.each([
    ['not at all', undefined],
    ['for no time', '0'],
    ['until a date that is over', 'Wed, 21 Oct 2026 07:27:59 GMT'],
    ['for less than nothing', '-5'],
    ['in a number of another kind', '1e3'],
    ['in words', 'soon'],
    ['until a date of another kind', '2026-10-21T07:29:30Z'],
    ['twice', ['30', '60']],
  ])('%s counts as nothing', (_how, header) => {
    expect(waitIn({ 'retry-after': header, date })).toEqual({})
  })

  it('until a date, by our clock where the bank has none', () => {
    const soon = new Date(Date.now() + 3_600_000).toUTCString()
    expect(waitIn({ 'retry-after': soon })).toEqual({ retryAfterMs: 300_000 })
  })
})
