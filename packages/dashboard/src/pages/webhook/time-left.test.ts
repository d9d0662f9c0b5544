import { expect, it } from 'vitest'

import { timeLeft } from './time-left.ts'

const now = new Date('2026-11-02T09:00:00Z')

it.each([
  ['2026-11-03T09:00:00Z', '1 d 0 h 0 min 0 s'],
  ['2026-11-02T10:01:05Z', '1 h 1 min 5 s'],
  ['2026-11-02T09:00:00.400Z', '1 s'],
  ['2026-11-02T09:00:00Z', null],
  ['2026-11-01T09:00:00Z', null],
])('until %s there are %s left', (until, left) => expect(timeLeft(until, now)).toBe(left))
