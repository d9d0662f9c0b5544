import { once } from 'node:events'
import { Readable } from 'node:stream'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { csvOf } from './csv.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('reads the next page when others have had as much time as a page has taken', async () => {
  const read: string[] = []
  async function* pages(): AsyncGenerator<string[]> {
    for (const page of ['one', 'two', 'three']) {
      read.push(page)
      vi.advanceTimersByTime(30)
      yield page === 'two' ? [] : [page]
    }
  }
  const chunks = csvOf([['Which', (page) => page]], pages())
  await chunks.next()
  expect((await chunks.next()).value).toBe('"one"\r\n')
  // How long the caller takes is no work.
  await vi.advanceTimersByTimeAsync(1_000)
  const second = chunks.next()
  await vi.advanceTimersByTimeAsync(29)
  expect(read).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1)
  expect((await second).value).toBe('')
  const third = chunks.next()
  await vi.advanceTimersByTimeAsync(29)
  expect(read).toEqual(['one', 'two'])
  await vi.advanceTimersByTimeAsync(1)
  expect((await third).value).toBe('"three"\r\n')
})

it('reads no further for a caller who has gone, also where nothing fits', async () => {
  vi.useRealTimers()
  let read = 0
  async function* pages(): AsyncGenerator<never[]> {
    try {
      for (; read < 10; read++) {
        if (read === 2) file.destroy()
        yield []
      }
    } finally {
      file.emit('read')
    }
  }
  const file = Readable.from(csvOf<never>([['Which', (page) => page]], pages()), { objectMode: false }).resume()
  await once(file, 'read')
  expect(read).toBe(2)
})
