// One request and its answer, against a bank of a few lines that answers as it is told to.
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { ProviderClient } from '../../src/rail/provider/provider-client.ts'
import { selfSigned } from '../support/self-signed.ts'

const CONNECTIONS = 64

let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

/** `answer` gets each request's first line and the socket to answer on. */
async function aBank(answer: (asked: string, socket: Socket) => void): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const [line] = data.toString('latin1').split('\r\n')
      asked.push(line!)
      answer(line!, socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`, asked }
}

function aClient(baseUrl: string, totalTimeoutMs = 5_000): ProviderClient {
  const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', totalTimeoutMs })
  closing.push(() => client.close())
  return client
}

const transfer = (client: ProviderClient, holder = 'holder') =>
  client.call({ method: 'POST', path: '/transfers', body: { on_behalf_of: holder }, idempotencyKey: 'key' })

const said = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe('an answer', () => {
  it('is whole however it is cut, in the middle of a letter too', async () => {
    const whole = Buffer.from(said(JSON.stringify({ id: 'tr_1', name: 'Zoë Łuczak €' })))
    const bank = await aBank((_, socket) => {
      socket.setNoDelay(true)
      const pieces = Array.from({ length: whole.length }, (_byte, at) => whole.subarray(at, at + 1))
      const next = () => {
        const piece = pieces.shift()
        if (piece !== undefined) socket.write(piece, () => setImmediate(next))
      }
      next()
    })
    expect(await transfer(aClient(bank.url))).toEqual({
      kind: 'answered',
      status: 200,
      body: { id: 'tr_1', name: 'Zoë Łuczak €' },
    })
  })

  it('comes after what the bank says beforehand, and is not that', async () => {
    const bank = await aBank((_, socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nretry-after: 9\r\n\r\n${said('{"id":"tr_1"}')}`),
    )
    expect(await transfer(aClient(bank.url))).toEqual({ kind: 'answered', status: 200, body: { id: 'tr_1' } })
  })

  it('without a body is not JSON, and says how long to wait', async () => {
    const bank = await aBank((_, socket) =>
      socket.write('HTTP/1.1 429 Too Many Requests\r\nretry-after: 2\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(await transfer(aClient(bank.url))).toEqual({
      kind: 'answered',
      status: 429,
      body: undefined,
      retryAfterMs: 2_000,
    })
  })

  it('in thousands of pieces is whole', async () => {
    const name = 'Ångström '.repeat(3_000)
    const bytes = [...Buffer.from(JSON.stringify({ name }))]
    const head = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const pieces = bytes.map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]))
    const whole = Buffer.concat([head, ...pieces, Buffer.from('0\r\n\r\n')])
    const bank = await aBank((_, socket) => socket.write(whole))
    expect(await transfer(aClient(bank.url))).toEqual({ kind: 'answered', status: 200, body: { name } })
  })

  it('that is larger than anything the bank has to say is read no further, and leaves it unknown', async () => {
    const bank = await aBank((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n')
      const more = () => void (socket.destroyed || socket.write(Buffer.alloc(65_536, 0x20), more))
      more()
    })
    expect(await transfer(aClient(bank.url))).toMatchObject({ kind: 'unknown', isTooLarge: true })
  })

  it.each([
    ['never begins', ''],
    ['never ends', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'],
    ['only says that it will come', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that %s leaves it unknown, once the time is over', async (_how, text) => {
    const bank = await aBank((_, socket) => socket.write(text))
    expect(await transfer(aClient(bank.url, 200))).toEqual({
      kind: 'unknown',
      reason: 'The bank did not answer (TimeoutError).',
    })
  })

  it('that is cut off leaves it unknown', async () => {
    const bank = await aBank((_, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'))
    expect(await transfer(aClient(bank.url))).toMatchObject({ kind: 'unknown' })
  })

  it('that a client no longer waits for, because it is closed, leaves it unknown', async () => {
    const bank = await aBank(() => undefined)
    const client = aClient(bank.url)
    const reply = transfer(client)
    await expect.poll(() => bank.asked.length).toBe(1)
    await client.close()
    expect(await reply).toMatchObject({ kind: 'unknown' })
  })
})

describe('a request that gets no connection in time', () => {
  it('is not sent, and neither when the connection is there at last', async () => {
    const [asked, released]: [string[], Socket[]] = [[], []]
    const bank = createTlsServer(selfSigned(), (request, reply) => {
      asked.push(`${request.method} ${request.url}`)
      reply.end('{}')
    })
    let [isOpen, connections] = [false, 0]
    // The line to the bank, which lets nothing through at first.
    const line = createServer((near) => {
      connections += 1
      const far = connect((bank.address() as AddressInfo).port, '127.0.0.1')
      for (const each of [near, far]) each.on('error', () => undefined)
      released.push(near, far)
      near.pause()
      const letThrough = () => (isOpen ? near.pipe(far).pipe(near) : setTimeout(letThrough, 10))
      letThrough()
    })
    for (const server of [bank, line]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(async () => {
        for (const socket of released) socket.destroy()
        await new Promise((resolve) => server.close(resolve))
      })
    }
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    closing.push(async () => void vi.unstubAllEnvs())
    const client = aClient(`https://127.0.0.1:${(line.address() as AddressInfo).port}/v0`, 300)
    const replies = await Promise.all(
      Array.from({ length: 4 * CONNECTIONS }, (_, nth) => transfer(client, `holder ${nth}`)),
    )
    expect(new Set(replies.map(({ kind }) => kind))).toEqual(new Set(['not_sent']))
    expect(replies[0]).toMatchObject({ reason: 'The bank could not be reached (TimeoutError).' })
    isOpen = true
    await expect
      .poll(() => client.call({ method: 'GET', path: '/rates' }))
      .toEqual({ kind: 'answered', status: 200, body: {} })
    expect(new Set(asked)).toEqual(new Set(['GET /v0/rates']))
    // What nobody waits for any more costs no connection when its turn comes.
    expect(connections).toBeLessThan(2 * CONNECTIONS)
  })

  it('because all are busy, is sent when one becomes free', async () => {
    const held: Socket[] = []
    const bank = await aBank((asked, socket) => {
      if (asked.startsWith('GET')) held.push(socket)
      else socket.write(said('{"id":"tr_1"}'))
    })
    const client = aClient(bank.url)
    const busy = Array.from({ length: CONNECTIONS }, (_, nth) =>
      client.call({ method: 'GET', path: `/customers/${nth}` }),
    )
    await expect.poll(() => held.length).toBe(CONNECTIONS)
    const late = transfer(client)
    held[0]!.write(said('{}'))
    expect(await late).toMatchObject({ kind: 'answered', body: { id: 'tr_1' } })
    for (const socket of held) if (!socket.destroyed) socket.write(said('{}'))
    await Promise.all(busy)
  })
})

describe('a request that is no HTTP', () => {
  it.each([
    ['its key', { path: '/transfers', idempotencyKey: 'approval:a\nb' }],
    ['its key, in letters of another kind', { path: '/transfers', idempotencyKey: 'approval:Łuczak' }],
    ['its address', { path: '/customers/a b', idempotencyKey: 'key' }],
  ])('by %s is not sent, however often, and keeps no connection from others', async (_what, request) => {
    const bank = await aBank((_, socket) => socket.write(said('{"id":"tr_1"}')))
    const client = aClient(bank.url)
    for (let time = 0; time < CONNECTIONS + 1; time++) {
      expect(await client.call({ method: 'POST', body: {}, ...request })).toMatchObject({ kind: 'not_sent' })
    }
    expect(await transfer(client)).toMatchObject({ kind: 'answered', body: { id: 'tr_1' } })
    expect(bank.asked).toHaveLength(1)
  })
})
