import { describe, expect, it } from 'vitest'

import { CallerLimits, type CountedAs, refusalOf } from './caller-limits.ts'

const key = (name: string, business = 'business'): CountedAs => ({
  kind: 'key',
  own: name,
  shared: `${business}/sandbox`,
})

/** 5 per second and 10 at once for a key, 10 per second and 20 at once for a business. */
function theLimits() {
  let now = 0
  const limits = new CallerLimits(5, () => now)
  return {
    limits,
    advance: (milliseconds: number) => (now += milliseconds),
    allowed: (caller: CountedAs, times: number) =>
      Array.from({ length: times }, () => limits.take(caller)).filter(({ isAllowed }) => isAllowed).length,
  }
}

describe('the limits of a caller', () => {
  it('are its own ones, as long as it is alone', () => {
    const { limits, allowed } = theLimits()
    expect(allowed(key('a'), 15)).toBe(10)
    expect(limits.take(key('a'))).toMatchObject({ isAllowed: false, of: 'key', limit: 10, retryAfterSeconds: 1 })
  })

  it.each([2, 5, 50])('are those of its business for %i keys together: what two may take', (keys) => {
    const { limits, allowed, advance } = theLimits()
    const names = Array.from({ length: keys }, (_, index) => key(`key ${index}`))
    const all = (times: number) => names.map((name) => allowed(name, times)).reduce((sum, each) => sum + each, 0)
    expect(all(15)).toBe(20)
    advance(1_000)
    expect(all(15)).toBe(10)
    expect(limits.take(key('one more'))).toMatchObject({ isAllowed: false, of: 'business', limit: 20 })
    expect(allowed(key('a', 'another business'), 15)).toBe(10)
  })

  it('are told by the one of which less is left', () => {
    const { limits, allowed } = theLimits()
    expect(limits.take(key('a'))).toMatchObject({ of: 'key', limit: 10, remaining: 9 })
    allowed(key('b'), 10)
    expect(limits.take(key('c'))).toMatchObject({ of: 'business', limit: 20, remaining: 8 })
  })

  it('name the longer wait where both refuse', () => {
    const { limits, allowed } = theLimits()
    allowed(key('a'), 10)
    allowed(key('b'), 10)
    expect(limits.take(key('a'), 8)).toMatchObject({ isAllowed: false, of: 'key', retryAfterSeconds: 2 })
    expect(limits.take(key('c'), 8)).toMatchObject({ isAllowed: false, of: 'business', retryAfterSeconds: 1 })
  })

  it('lose nothing by what is refused: neither the one that refuses nor the other', () => {
    const { limits, allowed, advance } = theLimits()
    allowed(key('a'), 100)
    expect(allowed(key('b'), 100)).toBe(10)
    expect(allowed(key('c'), 100)).toBe(0)
    advance(1_000)
    // Had the refused ones been counted for key c, none of its ten were left.
    expect(allowed(key('c'), 100)).toBe(10)
    advance(2_000)
    expect(limits.take(key('d'))).toMatchObject({ isAllowed: true, of: 'key', remaining: 9 })
  })

  it('take nothing for a request that turns out to cost too much, and name the wait for the whole of it', () => {
    const { limits, allowed, advance } = theLimits()
    const ask = () => (limits.take(key('a')).isAllowed ? limits.takeMore(key('a'), 7) : null)
    expect(ask()).toMatchObject({ isAllowed: true, remaining: 2 })
    for (let count = 0; count < 5; count++) {
      expect(ask()).toMatchObject({ isAllowed: false, remaining: 2, retryAfterSeconds: 2 })
    }
    expect(allowed(key('b'), 20)).toBe(10)
    expect(allowed(key('c'), 20)).toBe(2)
    advance(60_000)
    limits.take(key('a'))
    expect(limits.takeMore(key('a'), 500)).toMatchObject({ isAllowed: true, of: 'key', remaining: 0 })
  })

  it('get back what a request took that was refused after all', () => {
    const { limits, allowed } = theLimits()
    limits.take(key('a'), 8)
    expect(limits.giveBack(key('a'), 8)).toMatchObject({ isAllowed: true, of: 'key', remaining: 10 })
    allowed(key('b'), 10)
    expect(allowed(key('a'), 20)).toBe(10)
  })

  it('are named in words and for programs', () => {
    const { limits, allowed } = theLimits()
    const member: CountedAs = { kind: 'member', own: 'ada', shared: 'business/members' }
    allowed(member, 10)
    const refused = refusalOf(limits.take(member))
    expect(refused.message).toBe(
      'You have made too many requests, in all of your sessions together. Wait as long as Retry-After says.',
    )
    expect([refused.details, refused.retryAfterSeconds]).toEqual([{ limit: 'member' }, 1])
  })
})
