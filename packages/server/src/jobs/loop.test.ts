import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { RESTING_MS, createRest } from '../core/rest.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 200
const AWAKE_MS = 10_000

let rounds = 0
let loop: Loop
let hasMore = false
let hears = true

beforeEach(() => {
  vi.useFakeTimers()
  rounds = 0
  hears = true
  hasMore = false
})
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
})

function start(pauseMs = PAUSE_MS) {
  const rest = createRest(() => hears, AWAKE_MS)
  loop = startLoop({
    round: async () => {
      rounds += 1
      return hasMore && rounds % 2 === 1
    },
    pauseMs,
    rest,
    onError: () => undefined,
  })
  return rest
}

/** How many rounds there are in a time. */
async function roundsIn(ms: number): Promise<number> {
  const before = rounds
  await vi.advanceTimersByTimeAsync(ms)
  return rounds - before
}

describe('a loop with nothing to do', () => {
  it('looks as often as ever for a while, and then rests', async () => {
    start()
    expect(await roundsIn(AWAKE_MS / 2)).toBe(AWAKE_MS / 2 / PAUSE_MS)
    await roundsIn(AWAKE_MS / 2)
    await roundsIn(RESTING_MS)
    expect(await roundsIn(4 * RESTING_MS)).toBe(4)
  })

  it('is awake at once when something happens, and for a while after', async () => {
    const rest = start()
    await roundsIn(AWAKE_MS + RESTING_MS)
    rest.stir()
    expect(await roundsIn(0)).toBe(1)
    expect(await roundsIn(1_000)).toBe(1_000 / PAUSE_MS)
  })

  it('does not sleep through what happens during a round', async () => {
    const rest = start()
    await roundsIn(AWAKE_MS + RESTING_MS)
    const waking = rest.waking()
    rest.stir()
    expect(waking.aborted).toBe(true)
    expect(rest.waking().aborted).toBe(false)
    expect(rest.isAwake()).toBe(true)
  })

  it('never rests while nobody would tell it of work', async () => {
    hears = false
    start()
    await roundsIn(2 * AWAKE_MS)
    expect(await roundsIn(1_000)).toBe(1_000 / PAUSE_MS)
  })

  it('keeps a pause that is longer than a rest, whatever happens', async () => {
    const rest = start(60_000)
    await roundsIn(AWAKE_MS)
    rest.stir()
    expect(await roundsIn(40_000)).toBe(0)
    expect(await roundsIn(20_000)).toBe(1)
  })
})

it('loops at rest look at the same moments, however far apart they began', async () => {
  const rest = createRest(() => true, AWAKE_MS)
  const looks: number[][] = [[], []]
  const begin = (own: number[]) =>
    startLoop({
      round: async () => own.push(performance.now()) < 0,
      pauseMs: PAUSE_MS,
      rest,
      onError: () => undefined,
    })
  loop = begin(looks[0]!)
  await vi.advanceTimersByTimeAsync(AWAKE_MS + 777)
  const other = begin(looks[1]!)
  await vi.advanceTimersByTimeAsync(4 * RESTING_MS)
  await other.stop()
  expect(looks[1]!.slice(-3)).toEqual(looks[0]!.slice(-3))
})

it('a loop that finds work keeps all awake', async () => {
  hasMore = true
  const rest = start()
  await roundsIn(3 * AWAKE_MS)
  expect(rest.isAwake()).toBe(true)
})
