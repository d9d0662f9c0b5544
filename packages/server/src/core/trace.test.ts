import { describe, expect, it } from 'vitest'

import { beginTrace, currentTrace, partOf, traceFrom, traceHeader, within } from './trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

describe('a trace from a header', () => {
  it('is the caller’s, with a part of our own', () => {
    const trace = traceFrom(`00-${TRACE}-${PARENT}-01`)
    expect(trace).toMatchObject({ traceId: TRACE, parentId: PARENT, isSampled: true })
    expect(trace?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(trace?.spanId).not.toBe(PARENT)
  })

  it('is not exported where the caller does not want it', () => {
    expect(traceFrom(`00-${TRACE}-${PARENT}-00`)?.isSampled).toBe(false)
    expect(traceFrom(`00-${TRACE}-${PARENT}-02`)?.isSampled).toBe(false)
    expect(traceFrom(`00-${TRACE}-${PARENT}-ff`)?.isSampled).toBe(true)
  })

  it('may be of a later version, which may say more', () => {
    expect(traceFrom(`01-${TRACE}-${PARENT}-01`)?.traceId).toBe(TRACE)
    expect(traceFrom(`cc-${TRACE}-${PARENT}-01-what-comes-later`)?.traceId).toBe(TRACE)
  })

  it.each([
    undefined,
    ['a', 'b'],
    '',
    'nonsense',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01\r\nx-evil: 1`,
    `00-${TRACE}-${PARENT}-01\n`,
    ` 00-${TRACE}-${PARENT}-01`,
    `01-${TRACE}-${PARENT}-01-${'x'.repeat(300)}`,
    `01-${TRACE}-${PARENT}-01-with space`,
    `00-${TRACE.slice(1)}g-${PARENT}-01`,
  ])('is dropped when it is %j', (header) => {
    expect(traceFrom(header)).toBeNull()
  })
})

describe('a part of a trace', () => {
  it('names its parent, and is told to others under its own name', () => {
    const whole = beginTrace()
    const part = partOf(whole)
    expect(part).toMatchObject({ traceId: whole.traceId, parentId: whole.spanId })
    expect(traceFrom(traceHeader(part))).toMatchObject({ traceId: whole.traceId, parentId: part.spanId })
  })

  it('holds for all that follows from the work, and for nothing beside it', async () => {
    const [one, other] = [beginTrace(), beginTrace()]
    const later = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return currentTrace()
    }
    expect(await Promise.all([within(one, later), within(other, later), later()])).toEqual([one, other, null])
  })
})
