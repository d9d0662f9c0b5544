import { describe, expect, it } from 'vitest'

import { eventsWords, outcomeWords, rateWords } from './delivery-words.ts'

describe('an attempt in words', () => {
  it.each([
    [{ status: 200, error: null }, 'Answered 200'],
    [{ status: 503, error: 'http_status' }, 'Answered 503'],
    [{ status: 302, error: 'redirect' }, 'Redirected (302): not followed'],
    [{ status: null, error: 'timeout' }, 'No answer in time'],
    [{ status: null, error: 'something_new' }, 'something new'],
  ])('%j is "%s"', (attempt, words) => expect(outcomeWords(attempt)).toBe(words))
})

it('a rate is all only when nothing failed', () => {
  const of = (rate: number | null) => rateWords({ success_rate_24h: rate })
  expect([of(1), of(0.9999), of(0.9875), of(0), of(null)]).toEqual(['100%', '99.99%', '98.75%', '0%', 'No attempts'])
})

it('events are named, or counted', () => {
  expect(eventsWords(['*'])).toBe('All events')
  expect(eventsWords(['payout.failed'])).toBe('payout.failed')
  expect(eventsWords(['payout.failed', 'payout.returned', 'balance.low'])).toBe('payout.failed and 2 more')
})
