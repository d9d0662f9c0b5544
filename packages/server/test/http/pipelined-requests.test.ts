// Requests that are sent on one connection before those ahead of them have been answered.
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, balanceOf, get } from '../support/fixtures.ts'

const PATIENT = { timeout: 30_000 }

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ rateLimitPerSecond: 10_000 })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => test.close())

async function send(...requests: readonly string[]): Promise<{ socket: Socket; answered: () => string }> {
  const { port } = test.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString())).on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(requests.join(''))
  return { socket, answered: () => text }
}

const asking = ({ key }: Pick<TestPartner, 'key'>, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

function paying({ key }: Pick<TestPartner, 'key'>): string {
  const body = JSON.stringify(aPayoutBody())
  const headers = [
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${anIdempotencyKey()}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `POST /v1/payouts HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** Sends requests behind a stream, whose answer has no end, and hangs up when all have arrived. */
async function hangUpBehindAStream(partner: TestPartner, ...requests: readonly string[]): Promise<void> {
  let arrived = 0
  const count = () => (arrived += 1)
  test.app.server.on('request', count)
  const { socket, answered } = await send(asking(partner, '/v1/stream'), ...requests)
  const all = [true, 1 + requests.length]
  await vi.waitFor(() => expect([answered().includes('retry: 3000'), arrived]).toEqual(all), PATIENT)
  // Whatever was begun has got as far as to its work.
  for (let look = 0; look < 3; look++) expect((await get(test, partner, '/v1/account')).statusCode).toBe(200)
  test.app.server.off('request', count)
  socket.destroy()
}

const streamsOf = async (partner: TestPartner) => {
  const open = await Promise.all(Array.from({ length: 5 }, () => send(asking(partner, '/v1/stream'))))
  await vi.waitFor(() => expect(open.every(({ answered }) => answered().includes('HTTP/1.1 '))).toBe(true), PATIENT)
  for (const { socket } of open) socket.destroy()
  return open.map(({ answered }) => answered().slice(9, 12))
}

describe('requests that are sent ahead', () => {
  it('are answered in their order', async () => {
    const partner = await aPartner(test)
    const { socket, answered } = await send(
      paying(partner),
      asking(partner, '/v1/payouts?limit=1'),
      asking(partner, '/v1/nothing'),
      asking(partner, '/v1/balance').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    await once(socket, 'close')
    const statuses = [...answered().matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['201', '200', '404', '200'])
    // The second was begun when the first had been answered: it shows what that did.
    expect(answered().match(/"object":"list","data":\[\{"id":"([^"]+)"/)?.[1]).toBe(
      answered().match(/\{"id":"([^"]+)","object":"payout"/)?.[1],
    )
  })

  it('move nothing when their connection ends before their turn', async () => {
    const partner = await aPartner(test)
    const before = await balanceOf(test, partner)
    await hangUpBehindAStream(partner, paying(partner), paying(partner))
    expect((await get(test, partner, '/v1/payouts')).json().data).toEqual([])
    expect(await balanceOf(test, partner)).toBe(before)
  })

  it('keep no share of the business’s exports then', async () => {
    const partner = await aPartner(test)
    const file = '/v1/payouts/export.csv'
    await hangUpBehindAStream(partner, asking(partner, file), asking(partner, file))
    await vi.waitFor(async () => expect((await get(test, partner, file)).statusCode).toBe(200), PATIENT)
  })

  it('keep no stream open then', async () => {
    const partner = await aPartner(test)
    await hangUpBehindAStream(partner, ...Array.from({ length: 4 }, () => asking(partner, '/v1/stream')))
    await vi.waitFor(async () => expect(await streamsOf(partner)).toEqual(['200', '200', '200', '200', '200']), PATIENT)
  })

  it('are fifty at most: the connection of somebody who does not wait is closed, and nobody else’s', async () => {
    const [partner, neighbour] = [await aPartner(test), await aPartner(test)]
    const flood = Array.from({ length: 51 }, () => asking(partner, '/v1/account'))
    const { socket } = await send(asking(partner, '/v1/stream'), ...flood)
    await once(socket, 'close')
    expect((await get(test, neighbour, '/v1/account')).statusCode).toBe(200)
    expect((await get(test, partner, '/v1/account')).statusCode).toBe(200)
  })
})
