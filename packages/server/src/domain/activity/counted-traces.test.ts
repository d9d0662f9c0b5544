import { describe, expect, it } from 'vitest'

import { newId } from '../../core/ids.ts'
import { CountedTraces, type Trace } from './counted-traces.ts'

const at = new Date('2026-11-15T12:00:00Z')
const refused = (ip: string): Trace => ({
  partnerId: 'a partner',
  keyId: 'a key',
  id: newId(at),
  at,
  environment: 'live',
  action: 'payout.create',
  status: 429,
  by: 'kp_live_9f2c41',
  detail: 'rate_limited',
  request: { method: 'POST', path: '/v1/payouts', durationMs: 1, ip },
})
const told = (counted: CountedTraces) => counted.all().map(({ detail, request }) => [request?.ip, detail])

describe('refusals that are counted', () => {
  it('are told for each network that a key calls from, so one caller does not hide another', () => {
    const counted = new CountedTraces()
    for (let count = 0; count < 500; count++) expect(counted.take(refused('203.0.113.7'))).toBe(true)
    for (let count = 0; count < 3; count++) counted.take(refused('198.51.100.9'))
    expect(told(counted)).toEqual([
      ['203.0.113.7', 'rate_limited, 500 requests within a minute'],
      ['198.51.100.9', 'rate_limited, 3 requests within a minute'],
    ])
    expect(told(counted)).toEqual([])
  })

  it('are not masked, besides the first of them', () => {
    const counted = new CountedTraces()
    let masked = 0
    const bodies = () => (masked++, null)
    for (let count = 0; count < 500; count++) counted.take({ ...refused('203.0.113.7'), bodies })
    expect(masked).toBe(1)
    for (let count = 0; count < 500; count++)
      counted.take({ ...refused('203.0.113.7'), status: 422, detail: 'x', bodies })
    expect(masked).toBe(2)
  })

  it('are a few rows, however many networks they come from', () => {
    const counted = new CountedTraces()
    for (let count = 0; count < 200; count++) counted.take(refused(`203.0.113.${count}`))
    const rows = told(counted)
    expect(rows).toHaveLength(11)
    expect(rows.at(-1)).toEqual([
      '203.0.113.10',
      'rate_limited, 190 requests within a minute from this and other networks',
    ])
  })
})

const read = (asked: Partial<Trace> = {}): Trace => ({
  ...refused('203.0.113.7'),
  action: 'balance.read',
  status: 200,
  detail: null,
  request: { method: 'GET', path: '/v1/balance', durationMs: 1, ip: '203.0.113.7' },
  ...asked,
})
const taken = (counted: CountedTraces, trace: Trace, times: number) =>
  Array.from({ length: times }, () => counted.take(trace)).filter(Boolean).length

describe('reads that are counted', () => {
  it('are those after the first three hundred of a minute, of one caller and one kind', () => {
    const counted = new CountedTraces()
    expect(taken(counted, read(), 300)).toBe(0)
    expect(taken(counted, read(), 4_000)).toBe(4_000)
    expect(taken(counted, read({ keyId: 'another key' }), 300)).toBe(0)
    expect(taken(counted, read({ action: 'payouts.list' }), 300)).toBe(0)
    expect(taken(counted, read({ status: 304 }), 300)).toBe(0)
    expect(taken(counted, read({ partnerId: 'another partner' }), 300)).toBe(0)
    expect(told(counted)).toEqual([['203.0.113.7', '4000 requests within a minute']])
  })

  it('are told for each network, so that somebody else with the key shows beside a program that polls', () => {
    const counted = new CountedTraces()
    taken(counted, read(), 310)
    taken(counted, read({ request: { ...read().request!, ip: '198.51.100.9' } }), 2)
    taken(counted, read({ request: { ...read().request!, ip: '192.0.2.4' } }), 1)
    expect(told(counted)).toEqual([
      ['203.0.113.7', '10 requests within a minute'],
      ['198.51.100.9', '2 requests within a minute'],
      ['192.0.2.4', null],
    ])
  })

  it.each([
    { what: 'names what was read', trace: read({ detail: newId(at) }) },
    { what: 'changes something', trace: read({ request: { ...read().request!, method: 'POST' } }) },
    { what: 'tells of a change', trace: read({ audited: { subject: null, changes: [] } }) },
    { what: 'is the first of its kind, perhaps', trace: read({ milestone: 'failure_read' }) },
    { what: 'did not come as a request', trace: read({ request: null }) },
    { what: 'failed', trace: read({ status: 503 }) },
  ])('are none of what $what', ({ trace }) => {
    const counted = new CountedTraces()
    expect(taken(counted, trace, 1_000)).toBe(0)
    expect(told(counted)).toEqual([])
  })
})
