// Something between a client and the service answers in its place, or baseUrl leads to something else.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Kestrel, type KestrelOptions, OutcomeUnknownError } from '../src/index.ts'
import { BODY } from './support/service.ts'

const HTML = { 'content-type': 'text/html' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Everything is answered so, with 200. */
const FOREIGN = [
  ['a page', '<!doctype html><p>Welcome</p>', HTML],
  ['nothing', '', HTML],
  ['null', 'null', JSON_TYPE],
  ['an empty object', '{}', JSON_TYPE],
  ['an object of somebody else', '{"status":"ok"}', JSON_TYPE],
  ['an empty list', '[]', JSON_TYPE],
  ['a text', '"ok"', JSON_TYPE],
  ['the beginning of an answer', '{"object":"payout","id":"01a', JSON_TYPE],
] as const

let asked = 0
beforeEach(() => {
  asked = 0
  // Waits between tries are by chance.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => void vi.restoreAllMocks())

function clientOf(answer: () => Response, options: Partial<KestrelOptions> = {}): Kestrel {
  const ask = async () => {
    asked += 1
    return answer()
  }
  return new Kestrel({ apiKey: 'kp_sandbox_0', fetch: ask, ...options })
}

describe('an answer with 200 that is none of the service’s', () => {
  it.each(FOREIGN)('%s is no payout', async (_name, text, headers) => {
    const kestrel = clientOf(() => new Response(text, { headers }))
    const paying = kestrel.payouts.create(BODY, { idempotencyKey: 'foreign-order-1' })
    await expect(paying).rejects.toThrow(OutcomeUnknownError)
    await expect(paying).rejects.toThrow(/the answer 200 is none of the service's: check its address.*foreign-order-1/)
    expect(asked).toBe(4)
  })

  it.each(FOREIGN)('%s is no balance, and no page of payouts', async (_name, text, headers) => {
    const kestrel = clientOf(() => new Response(text, { headers }))
    const said = { name: 'ConnectionError', message: expect.stringMatching(/^The answer 200 .* check its address/) }
    await expect(kestrel.balance.retrieve()).rejects.toMatchObject(said)
    await expect(kestrel.payouts.list().first(1)).rejects.toMatchObject(said)
  })

  it('is no stream: a listener is told, and does not ask for ever', async () => {
    const kestrel = clientOf(() => new Response('<p>Welcome</p>', { headers: HTML }))
    await expect(kestrel.events.listen({ after: 'an-event' }).next()).rejects.toThrow(/check its address/)
    expect(asked).toBe(1)
  })
})

describe('a redirect', () => {
  it('says where it leads, without what may be secret', async () => {
    const location = 'https://payouts.example.com/v1/balance?token=secret'
    const kestrel = clientOf(() => new Response(null, { status: 301, headers: { location } }))
    await expect(kestrel.balance.retrieve()).rejects.toMatchObject({
      status: 301,
      code: 'unexpected_answer',
      message:
        'The answer 301 leads to https://payouts.example.com/v1/balance, where the key is not sent: set baseUrl to the address of the service.',
    })
    expect(asked).toBe(1)
  })
})
