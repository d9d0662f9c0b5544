// A list of more changes than a page holds, at a bank that takes a cursor together with a time, and at one that does not.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, it } from 'vitest'

import { pages } from '../../core/pages.ts'
import { askForChanges } from './list-windows.ts'
import { ProviderClient } from './provider-client.ts'

const SINCE = Date.UTC(2026, 10, 2)
const HOUR_MS = 60 * 60_000
const ROWS = Array.from({ length: 250 }, (_, index) => ({ id: `tr_${index}`, at: SINCE + (250 - index) * 60_000 }))

it.each([{ cursorsGoWithTimes: true }, { cursorsGoWithTimes: false }])(
  'every change is read, whatever the bank says of cursors and times: %j',
  async ({ cursorsGoWithTimes }) => {
    const server = createServer((request, response) => {
      const query = new URL(request.url ?? '/', 'http://bank').searchParams
      const [after, before] = [
        Number(query.get('updated_after_ms')),
        Number(query.get('updated_before_ms') ?? Infinity),
      ]
      const cursor = query.get('starting_after')
      const inside = ROWS.filter(({ at }) => at > after && at < before)
      const rest = cursor === null ? inside : inside.slice(inside.findIndex(({ id }) => id === cursor) + 1)
      response.writeHead(cursor !== null && !cursorsGoWithTimes ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: rest.slice(0, 100) }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`
    const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', totalTimeoutMs: 20_000 })
    const found = new Set<string>()
    const since = new Date(SINCE - HOUR_MS)
    for await (const page of pages((cursor) => askForChanges(client, { path: '/transfers', since, cursor }))) {
      for (const row of page.rows) found.add((row as { id: string }).id)
      expect(page.unread).toEqual([])
    }
    expect(found.size).toBe(ROWS.length)
    await client.close()
    server.closeAllConnections()
    server.close()
  },
)
