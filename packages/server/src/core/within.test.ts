import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { within } from './within.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('gives what comes in time, and leaves no timer behind', async () => {
  expect(await within(200, Promise.resolve('here'), 'late')).toBe('here')
  expect(vi.getTimerCount()).toBe(0)
})

it('gives something else when the time is over, and not before', async () => {
  let given: string | null = null
  void within(200, new Promise<string>(() => undefined), 'late').then((what) => (given = what))
  await vi.advanceTimersByTimeAsync(199)
  expect(given).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(given).toBe('late')
})

it('fails as the promise fails, and leaves no timer behind', async () => {
  await expect(within(200, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})
