// Node shows two thousand headers by itself and silently drops those behind them: what looks for a second one would not see it.
import net, { type AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'

let test: TestApp
let [bound, free]: TestPartner[] = []
beforeAll(async () => {
  test = await startTestApp({ trustProxy: ['127.0.0.1'] })
  ;[bound, free] = [await aPartner(test), await aPartner(test)]
  await sql(test, `update api_keys set allowed_ips = '{203.0.113.0/24}' where partner_id = $1`, [bound.id])
  await test.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => test.close())

interface Sent {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

function ask({ first, last }: Sent, between: number): Promise<string> {
  const { port } = test.app.server.address() as AddressInfo
  const headers = ['Connection: close', ...first, ...Array.from({ length: between }, () => 'a:'), ...last]
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(['GET /v1/account HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n'))
  })
}

const statusOf = (answer: string) => Number(answer.slice(9, 12))
const bearer = (partner: TestPartner) => `Authorization: Bearer ${partner.key}`

describe.each([0, 2_000])('a request with %i headers in between', (between) => {
  it('is answered', async () => {
    expect(statusOf(await ask({ first: [bearer(free!)], last: [] }, between))).toBe(200)
  })

  it.each<[string, number, () => Sent]>([
    ['two keys', 401, () => ({ first: [bearer(free!)], last: [bearer(bound!)] })],
    ['two hosts', 400, () => ({ first: [bearer(free!)], last: ['Host: other.test'] })],
    [
      'an address of its own and, behind it, that of the proxy, for a key that is bound to networks',
      403,
      () => ({ first: [bearer(bound!), 'X-Forwarded-For: 203.0.113.7'], last: ['X-Forwarded-For: 198.51.100.9'] }),
    ],
  ])('and with %s is refused with %i', async (_, status, sent) => {
    expect(statusOf(await ask(sent(), between))).toBe(status)
  })
})
