import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Loop } from './loop.ts'

let rounds = 0
let loop: Loop

beforeEach(() => {
  vi.useFakeTimers()
  rounds = 0
  const round = async () => {
    rounds += 1
    return false
  }
  loop = new Loop({ round, pauseMs: 100, restMs: 5_000, apartMs: 20, onError: () => undefined })
})
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
})

async function roundsIn(ms: number): Promise<number> {
  const before = rounds
  await vi.advanceTimersByTimeAsync(ms)
  return rounds - before
}

it('a bank that nobody asks for anything looks every few seconds, and a nudge wakes it at once', async () => {
  expect(await roundsIn(5_000)).toBeGreaterThan(40)
  await roundsIn(10_000)
  expect(await roundsIn(20_000)).toBe(4)
  loop.nudge()
  expect(await roundsIn(0)).toBe(1)
  expect(await roundsIn(1_000)).toBe(10)
})

it('nudges that come close after one that woke it share one round', async () => {
  await roundsIn(50)
  loop.nudge()
  expect(await roundsIn(0)).toBe(1)
  loop.nudge()
  loop.nudge()
  expect(await roundsIn(19)).toBe(0)
  expect(await roundsIn(1)).toBe(1)
  expect(await roundsIn(20)).toBe(0)
})
