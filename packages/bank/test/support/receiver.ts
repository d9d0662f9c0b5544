// A receiver of webhooks: a real HTTP server that keeps what it gets and answers as the test says.
import { createHash, createVerify } from 'node:crypto'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'vitest'

import { type Json, ask } from './ask.ts'

export interface Received {
  readonly signature: string
  readonly body: string
  readonly event: Json
  readonly at: number
}

export type Answer = (received: Received, response: ServerResponse, count: number) => void

const accept: Answer = (_received, response) => void response.writeHead(200).end('{"message":"OK"}')

export class Receiver {
  readonly received: Received[] = []
  answer: Answer = accept
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (part: string) => (body += part))
      request.on('end', () => {
        const signature = String(request.headers['x-webhook-signature'])
        const received = { signature, body, event: JSON.parse(body), at: Date.now() }
        this.received.push(received)
        this.answer(received, response, this.received.length)
      })
    })
  }

  static async open(port = 0): Promise<Receiver> {
    const receiver = new Receiver(createServer())
    await new Promise<void>((resolve) => receiver.#server.listen(port, '127.0.0.1', resolve))
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`
  }

  get types(): string[] {
    return this.received.map(({ event }) => `${event.event_type} ${event.event_object_status}`)
  }

  acceptAll(): void {
    this.answer = accept
  }

  /** Ends the requests that wait for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections()
  }

  close(): Promise<void> {
    this.hangUp()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }
}

export interface TestWebhook {
  readonly id: string
  readonly publicKey: string
}

export async function anActiveWebhook(
  bank: { url: string },
  receiver: { url: string },
  options: { categories?: string[]; epoch?: string } = {},
): Promise<TestWebhook> {
  const made = await ask(bank, '/v0/webhooks', {
    body: {
      url: receiver.url,
      event_epoch: options.epoch ?? 'webhook_creation',
      event_categories: options.categories ?? ['transfer'],
    },
  })
  expect([made.status, made.json.status]).toEqual([201, 'disabled'])
  const enabled = await ask(bank, `/v0/webhooks/${made.json.id}`, { method: 'PUT', body: { status: 'active' } })
  expect([enabled.status, enabled.json.status]).toEqual([200, 'active'])
  return { id: made.json.id, publicKey: made.json.public_key }
}

/** The real bank's documentation, step by step, and nothing of the bank's own code. */
export function isSignedBy(publicKey: string, header: string, body: string): boolean {
  const [, timestamp = '', signature = ''] = /^t=(\d+),v0=([A-Za-z0-9+/=]+)$/.exec(header) ?? []
  const digest = createHash('sha256').update(`${timestamp}.${body}`).digest()
  return createVerify('RSA-SHA256').update(digest).verify(publicKey, signature, 'base64')
}

export function ageOf(header: string): number {
  return Date.now() - Number(/^t=(\d+)/.exec(header)?.[1])
}
