// Streams of a wallet in which very much happens.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'

import { openEventStream } from '../../src/http/routes/event-stream.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout } from '../support/fixtures.ts'
import { type Listener, listen } from '../support/listener.ts'

let test: TestApp
let url: string
const listeners: Listener[] = []
beforeAll(async () => {
  test = await startTestApp()
  url = `${await test.app.listen({ host: '127.0.0.1', port: 0 })}/v1/stream`
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const listener of listeners.splice(0)) listener.leave()
})
afterAll(() => test.close())

async function open({ key }: TestPartner, query = ''): Promise<Listener> {
  const listener = await listen(`${url}${query}`, { authorization: `Bearer ${key}` })
  listeners.push(listener)
  return listener
}

it('a newcomer is told the newest changes only, however many there were in the last seconds', async () => {
  const partner = await aPartner(test)
  const told = (listener: Listener) => [...listener.text().matchAll(/^data: \{"id":"(.+?)","status":"(.+?)"/gm)]
  const first = await open(partner, '?events=none')
  for (const sum of [60, 120]) {
    await Promise.all(Array.from({ length: 60 }, () => createPayout(test, partner)))
    await expect.poll(() => told(first).length, { timeout: 10_000 }).toBe(sum)
  }
  test.clock.advance(2_000)
  await test.follow()
  await expect.poll(() => told(first).length, { timeout: 10_000 }).toBe(240)
  const second = await open(partner, '?events=none')
  await expect.poll(() => told(second).length, { timeout: 10_000 }).toBe(200)
  expect(told(second).map(String)).toEqual(told(first).slice(40).map(String))
})

it('a listener who is told more than can wait for him is ended, and no place is kept for him', async () => {
  const partner = await aPartner(test)
  const { id } = (await createPayout(test, partner)).json()
  const change = { kind: 'payout', id, status: 'processing', updatedAt: test.clock.now() } as const
  const unsubscribe = vi.fn<() => void>()
  const subscribing = vi.spyOn(test.deps.changes, 'subscribe').mockImplementation((_scope, onChange) => {
    for (let count = 0; count < 5_000; count++) onChange(change)
    return unsubscribe
  })
  // One more than there are places.
  for (let count = 1; count <= 6; count++) {
    const listener = await open(partner)
    expect(listener.status).toBe(200)
    expect(await listener.ended).toBe('ended')
    expect(unsubscribe).toHaveBeenCalledTimes(count)
  }
  subscribing.mockRestore()
  expect((await open(partner)).status).toBe(200)
})

it('a stream that has waited for its listener many times has no more to keep', async () => {
  const stream = openEventStream({ isStillAllowed: () => Promise.resolve(true), onEnd: () => undefined })
  stream.body.resume()
  const kept = () => ['drain', 'close', 'error'].map((name) => stream.body.listenerCount(name))
  const atFirst = kept()
  for (let count = 0; count < 20; count++) {
    stream.write('x'.repeat(100_000))
    await stream.drained()
  }
  expect(kept()).toEqual(atFirst)
  stream.end()
})
