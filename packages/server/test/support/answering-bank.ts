// A bank that gives the answers that a test says, over real HTTP, and a rail to it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach } from 'vitest'

import type { PayoutRail } from '../../src/rail/port.ts'
import { ProviderClient } from '../../src/rail/provider/provider-client.ts'
import { createProviderRail } from '../../src/rail/provider/provider-rail.ts'

export type Reply = { status: number; body?: unknown } | 'hang' | 'reset'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A client of a bank that gives these answers in turn, the last one again and again, and what it was asked. */
export async function clientTo(
  ...replies: Reply[]
): Promise<{ client: ProviderClient; asked: string[]; bodies: string[] }> {
  const asked: string[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      asked.push(`${request.method} ${request.url}`)
      bodies.push(body)
      const reply = replies[Math.min(asked.length, replies.length) - 1]!
      if (reply === 'reset') request.socket.resetAndDestroy()
      if (reply === 'hang' || reply === 'reset') return
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`
  // Only silence is waited out: an answer on a busy machine may take its time.
  const totalTimeoutMs = replies.includes('hang') ? 300 : 20_000
  const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', connectTimeoutMs: 20_000, totalTimeoutMs })
  open.push(() => client.close())
  open.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { client, asked, bodies }
}

/** A rail to such a bank. */
export async function railTo(...replies: Reply[]): Promise<{ rail: PayoutRail; asked: string[] }> {
  const { client, asked } = await clientTo(...replies)
  return { rail: createProviderRail('provider_sandbox', client), asked }
}

export const refusal = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { code, message: `It is ${code}.`, ...more },
})
