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
    if (willWait !== 'none') patience.tried(wallet, willWait, locked.includes(wallet))
    return willWait
  })
}

describe('the patience of one reading', () => {
  it('is as usual until a wallet was waited for in vain, then short with others, and none with that one', () => {
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
    expect(tryAll(perGo(lately), ['a', 'b'], ['a'])).toEqual(['short', 'usual'])
    expect(tryAll(perGo(lately), ['b', 'a'], [])).toEqual(['usual', 'short'])
    expect(tryAll(perGo(lately), ['a'], [])).toEqual(['usual'])
  })

  it('is as usual once in ten seconds with a wallet that stays locked', () => {
    const lately = new LatelyLocked()
    expect(tryAll(perGo(lately), ['a'], ['a'])).toEqual(['usual'])
    vi.advanceTimersByTime(9_000)
    expect(tryAll(perGo(lately), ['a'], ['a'])).toEqual(['short'])
    vi.advanceTimersByTime(1_000)
    expect(tryAll(perGo(lately), ['a'], ['a'])).toEqual(['usual'])
  })

  it('takes nobody for locked who was waited for shortly: the wallet may be busy', () => {
    const lately = new LatelyLocked()
    expect(tryAll(perGo(lately), ['stuck', 'busy'], ['stuck', 'busy'])).toEqual(['usual', 'short'])
    expect([lately.has('stuck'), lately.has('busy')]).toEqual([true, false])
    expect(tryAll(perGo(lately), ['stuck', 'busy'], ['stuck'])).toEqual(['short', 'usual'])
  })

  it('finds four locked and tries no more of those that were locked lately, and after eight nobody', () => {
    const lately = new LatelyLocked()
    const known = ['a', 'b', 'c', 'd', 'e']
    for (const wallet of known) lately.note(wallet, 'usual', true)
    expect(tryAll(perGo(lately), [...known, 'free'], known)).toEqual([...Array(4).fill('short'), 'none', 'usual'])
    const others = ['f', 'g', 'h', 'i', 'j', 'k']
    expect(tryAll(perGo(lately), [...known, ...others], [...known, ...others])).toEqual([
      ...Array(4).fill('short'),
      'none',
      'usual',
      ...Array(3).fill('short'),
      'none',
      'none',
    ])
  })

  it('keeps ten thousand wallets in mind, and forgets the oldest', () => {
    const lately = new LatelyLocked()
    for (let nth = 0; nth <= 10_000; nth++) lately.note(`wallet ${nth}`, 'usual', true)
    expect([lately.has('wallet 0'), lately.has('wallet 1'), lately.has('wallet 10000')]).toEqual([false, true, true])
  })
})

describe('the patience for what nobody has told of', () => {
  it('is short, once each, and none with what was locked lately or after a second', () => {
    const lately = new LatelyLocked()
    lately.note('known', 'usual', true)
    const patience = byTheWay(CLOCK, lately)
    expect(tryAll(patience, ['a', 'known', 'b', 'b', 'a'], ['b'])).toEqual(['short', 'none', 'short', 'none', 'short'])
    expect(lately.has('b')).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(patience.for('a')).toBe('none')
  })
})
