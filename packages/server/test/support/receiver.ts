// A partner's receiver of webhooks, over real HTTP on this machine. It answers as a test tells it to.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  /** When it had come, in milliseconds. */
  readonly at: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: { id: string; type: string; sequence: number; subject: { id: string }; data: Record<string, unknown> }
}

type Answer = (received: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How the next messages are answered; by default with 200. */
  answer(how: Answer): void
  close(): Promise<void>
}

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_received, response) =>
    void response.writeHead(status, headers).end(`answered ${status}`)

export async function startReceiver(): Promise<Receiver> {
  let how: Answer = withStatus(200)
  const received: Received[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const headers = request.headers as Record<string, string>
      const event = JSON.parse(body) as Received['event']
      const message = { id: headers['webhook-id']!, at: Date.now(), path: request.url!, headers, body, event }
      received.push(message)
      return how(message, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (next) => void (how = next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
