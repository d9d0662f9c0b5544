// What reaches a bank that keeps everybody waiting, while more is asked of it than there are connections for.
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import { ProviderClient } from '../../src/rail/provider/provider-client.ts'
import { createProviderRail } from '../../src/rail/provider/provider-rail.ts'
import { PATIENT } from '../storage/owner.ts'
import { CREATED, REQUEST } from '../support/transfer-request.ts'

const CONNECTIONS = 64
const OF_ONE_LANE = 32

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

interface Held {
  /** Whose order it is, or what is looked at. */
  readonly about: string
  readonly answer: () => void
}

/** A bank that answers when the test says so, and a client of it. */
async function aSlowBank(totalTimeoutMs = 60_000) {
  const held: Held[] = []
  let isQuick = false
  const hold = (about: string, response: ServerResponse) => {
    const answer = () => {
      if (response.writableEnded) return
      response.writeHead(about.startsWith('/') ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...CREATED, on_behalf_of: about }))
    }
    held.push({ about, answer })
    if (isQuick) answer()
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      hold(body === '' ? request.url! : (JSON.parse(body) as { on_behalf_of: string }).on_behalf_of, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', connectTimeoutMs: 20_000, totalTimeoutMs })
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  closing.push(() => client.close())
  const rail = createProviderRail('provider_sandbox', client)
  return {
    client,
    held,
    look: (count: number) => rail.readTransfers(Array.from({ length: count }, (_, nth) => `tr_${nth}`)),
    order: (holderRef: string) => rail.submit({ ...REQUEST, account: { holderRef, walletRef: 'wallet' } }),
    /** Answers all that wait, and from now on at once. */
    hurry: () => {
      isQuick = true
      for (const { answer } of held) answer()
    },
    reached: async (count: number) => {
      await expect.poll(() => held.length, PATIENT).toBe(count)
    },
  }
}

it('an order reaches the bank while hundreds of looks wait, and is answered before them', async () => {
  const { look, order, held, reached, hurry } = await aSlowBank()
  const looks = look(256)
  await reached(OF_ONE_LANE)
  const ordered = order('neighbour')
  await reached(OF_ONE_LANE + 1)
  expect(held.at(-1)!.about).toBe('neighbour')
  held.at(-1)!.answer()
  expect((await ordered).kind).toBe('accepted')
  expect(held.length).toBe(OF_ONE_LANE + 1)
  hurry()
  expect((await looks).size).toBe(0)
})

it('a single order reaches the bank before the rest of three floods, and those of the third before the rest of the first', async () => {
  const { order, held, reached, hurry } = await aSlowBank()
  const floods = ['one', 'two', 'three'].flatMap((holder) => Array.from({ length: 40 }, () => order(holder)))
  await reached(CONNECTIONS)
  const single = order('neighbour')
  const answerUntil = async (count: number) => {
    for (let next = held.length - CONNECTIONS; next < count - CONNECTIONS; next++) {
      held[next]!.answer()
      await reached(next + CONNECTIONS + 1)
    }
    return held.slice(CONNECTIONS).map(({ about }) => about)
  }
  expect(await answerUntil(CONNECTIONS + 2)).toEqual(['three', 'neighbour'])
  expect((await answerUntil(CONNECTIONS + 12)).slice(2)).toEqual(Array.from({ length: 10 }, () => 'three'))
  hurry()
  expect(new Set((await Promise.all([...floods, single])).map(({ kind }) => kind))).toEqual(new Set(['accepted']))
})

it('an order whose turn does not come in time is not sent, and those that were may yet be answered', async () => {
  const { order, held, reached } = await aSlowBank(2_000)
  const ended: string[] = []
  const all = Array.from({ length: OF_ONE_LANE + 8 }, async () => void ended.push((await order('one')).kind))
  await reached(OF_ONE_LANE)
  await Promise.all(all)
  expect(ended).toEqual([
    ...Array.from({ length: 8 }, () => 'not_sent'),
    ...Array.from({ length: OF_ONE_LANE }, () => 'unknown'),
  ])
  expect(held).toHaveLength(OF_ONE_LANE)
})

it('orders that wait when the client is closed are told so at once, and never reach the bank', async () => {
  const { client, order, held, reached } = await aSlowBank()
  const all = Array.from({ length: OF_ONE_LANE + 8 }, () => order('one'))
  await reached(OF_ONE_LANE)
  await client.close()
  expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: OF_ONE_LANE }, () => 'unknown'),
    ...Array.from({ length: 8 }, () => 'not_sent'),
  ])
  expect(held).toHaveLength(OF_ONE_LANE)
})
