import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Clock } from '../../../core/clock.ts'
import { LatelyLocked, type WalletPatience, byTheWay, onceEach, perGo } from './wallet-patience.ts'

const CLOCK: Clock = { now: () => new Date() }

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Tries each of them if it may, and says how long each was waited for. */
function tryAll(patience: WalletPatience, wallets: readonly string[], locked: readonly string[]) {
  return wallets.map((wallet) => {
    const willWait = patience.for(wallet)
    if (willWait !== 'none') patience.tried(wallet, locked.includes(wallet))
    return willWait
  })
}

describe('the patience of one reading', () => {
  it('is as usual until a wallet is locked, then short with others, and none with that one', () => {
    expect(tryAll(onceEach(), ['a', 'b', 'c', 'b', 'd', 'a'], ['b', 'd'])).toEqual([
      'usual',
      'usual',
      'short',
      'none',
      'short',
      'short',
    ])
  })
})

describe('the patience of one go with messages', () => {
  it('is short with a wallet that was locked lately, and as usual again once it was free', () => {
    const lately = new LatelyLocked()
    expect(tryAll(perGo(lately), ['a', 'b'], ['a'])).toEqual(['usual', 'short'])
    expect(tryAll(perGo(lately), ['a', 'b'], ['a'])).toEqual(['short', 'short'])
    expect(tryAll(perGo(lately), ['b', 'a'], [])).toEqual(['usual', 'short'])
    expect(tryAll(perGo(lately), ['a'], [])).toEqual(['usual'])
  })

  it('remembers a locked wallet for seconds, from when it was last found so', () => {
    const lately = new LatelyLocked()
    tryAll(perGo(lately), ['a'], ['a'])
    vi.advanceTimersByTime(9_000)
    expect(tryAll(perGo(lately), ['a'], ['a'])).toEqual(['short'])
    vi.advanceTimersByTime(9_000)
    expect(lately.has('a')).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect(tryAll(perGo(lately), ['a'], [])).toEqual(['usual'])
  })

  it('finds four locked and tries no more of those that were locked lately, but everybody else', () => {
    const lately = new LatelyLocked()
    const locked = ['a', 'b', 'c', 'd', 'e', 'f']
    tryAll(perGo(lately), locked, locked)
    expect(tryAll(perGo(lately), [...locked, 'free'], locked)).toEqual([
      ...Array(4).fill('short'),
      'none',
      'none',
      'short',
    ])
  })

  it('keeps ten thousand wallets in mind, and forgets the oldest', () => {
    const lately = new LatelyLocked()
    for (let nth = 0; nth <= 10_000; nth++) lately.note(`wallet ${nth}`, true)
    expect([lately.has('wallet 0'), lately.has('wallet 1'), lately.has('wallet 10000')]).toEqual([false, true, true])
  })
})

describe('the patience for what nobody has told of', () => {
  it('is short, once each, and none with what was locked lately or after a second', () => {
    const lately = new LatelyLocked()
    lately.note('known', true)
    const patience = byTheWay(CLOCK, lately)
    expect(tryAll(patience, ['a', 'known', 'b', 'b', 'a'], ['b'])).toEqual(['short', 'none', 'short', 'none', 'short'])
    expect(lately.has('b')).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(patience.for('a')).toBe('none')
  })
})
