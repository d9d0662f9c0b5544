// Somebody who listens to GET /v1/stream over a real connection.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Heard {
  readonly event: string
  readonly data: Record<string, unknown>
}

export interface Listener {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything that was sent so far, as it was sent. */
  text(): string
  /** Waits until something that fits was heard. */
  until(fits: (heard: Heard) => boolean): Promise<Heard>
  /** Resolves when the service ends the stream. */
  readonly ended: Promise<'ended'>
  leave(): void
}

export async function listen(url: string, headers: Record<string, string>): Promise<Listener> {
  // A connection of its own, that nobody opens again when it is left.
  const asking = request(url, { headers, agent: false })
  asking.on('error', () => undefined).end()
  const [reply] = (await once(asking, 'response')) as [IncomingMessage]
  let text = ''
  let onMore = () => {}
  reply.setEncoding('utf8').on('data', (more: string) => {
    text += more
    onMore()
  })
  reply.on('error', () => undefined)
  const all = (): Heard[] =>
    [...text.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data) as Record<string, unknown>,
    }))
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    text: () => text,
    until: async (fits) => {
      for (;;) {
        const found = all().find(fits)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          onMore = resolve
        })
      }
    },
    ended: new Promise((resolve) => reply.once('close', () => resolve('ended'))),
    leave: () => asking.destroy(),
  }
}
