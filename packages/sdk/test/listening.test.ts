// How long a listener waits before it comes back.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Kestrel } from '../src/index.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Waits between tries are by chance.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it.each([
  ['as long as the service asks for', '5', 5_000],
  ['a minute at most', '86400', 60_000],
])('%s, after a refusal that passes', async (_name, retryAfter, waitMs) => {
  let asked = 0
  const refusal = () =>
    Response.json(
      { error: { code: 'rate_limited', message: 'There are 5 streams open already.' } },
      { status: 429, headers: { 'retry-after': retryAfter } },
    )
  const stream = () =>
    new Response('id: second\nevent: payout.created\ndata: {"id":"second"}\n\n', {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
  const kestrel = new Kestrel({
    apiKey: 'kp_sandbox_0',
    fetch: async () => ((asked += 1) === 1 ? refusal() : stream()),
  })
  const events = kestrel.events.listen({ after: 'first' })
  const heard = events.next()
  await vi.advanceTimersByTimeAsync(waitMs - 1)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await heard).toMatchObject({ value: { id: 'second' } })
  expect(asked).toBe(2)
  await events.return(undefined)
})
