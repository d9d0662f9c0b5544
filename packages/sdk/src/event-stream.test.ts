import { afterEach, describe, expect, it, vi } from 'vitest'

import { messagesIn } from './event-stream.ts'

afterEach(() => vi.useRealTimers())

describe('messagesIn', () => {
  it('ends when nothing comes for a minute, not even a comment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let send: (text: string) => void = () => undefined
    const left = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (send = (text) => controller.enqueue(new TextEncoder().encode(text))),
      cancel: left,
    })
    const messages = messagesIn(new Response(body), undefined)
    const first = messages.next()
    // Comments keep it open, for however long.
    for (let time = 0; time < 4; time += 1) {
      await vi.advanceTimersByTimeAsync(20_000)
      send(': here\n\n')
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    send('id: 1\nevent: ping\ndata: {}\n\n')
    expect(await first).toMatchObject({ value: { id: '1', event: 'ping' } })
    const next = messages.next()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await next).toEqual({ done: true, value: undefined })
    expect(left).toHaveBeenCalledOnce()
  })

  it('ends at once for a signal that was over before it began', async () => {
    const reason = new Error('enough')
    const silent = new Response(new ReadableStream<Uint8Array>())
    await expect(messagesIn(silent, AbortSignal.abort(reason)).next()).rejects.toBe(reason)
  })
})
