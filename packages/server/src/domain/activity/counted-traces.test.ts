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
