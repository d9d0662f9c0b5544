import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

import {
  type Month,
  firstDay,
  lastDay,
  londonMidnight,
  londonMonth,
  monthBefore,
  nextMonth,
  parseMonth,
} from './london-month.ts'

const HOUR = 3_600_000
const YEARS = [2026, 2027, 2028]

/** The last Sunday of March or October, at 01:00 UTC: when London's clocks change. Worked out by hand, below. */
const CLOCK_CHANGES: Readonly<Record<number, { readonly forward: string; readonly back: string }>> = {
  2026: { forward: '2026-03-29T01:00:00Z', back: '2026-10-25T01:00:00Z' },
  2027: { forward: '2027-03-28T01:00:00Z', back: '2027-10-31T01:00:00Z' },
  2028: { forward: '2028-03-26T01:00:00Z', back: '2028-10-29T01:00:00Z' },
}

/** Midnight in London at the start of each month of three years, by the table of clock changes alone. */
const STARTS = YEARS.flatMap((year) =>
  Array.from({ length: 12 }, (_, index) => {
    const utcMidnight = Date.UTC(year, index, 1)
    const { forward, back } = CLOCK_CHANGES[year]!
    const isSummer = utcMidnight > Date.parse(forward) && utcMidnight < Date.parse(back)
    const month = `${year}-${String(index + 1).padStart(2, '0')}`
    return { month: month as Month, start: utcMidnight - (isSummer ? HOUR : 0), isSummer }
  }),
)

/** Every moment that could be put into the wrong month, with the month it belongs to. */
const EDGES = STARTS.slice(1).flatMap(({ month, start }, index) => {
  const before = STARTS[index]!.month
  return [
    ...[-59 * 60_000, -1_000, -1].map((offset) => ({ at: start + offset, month: before })),
    ...[0, 1, 1_000, 59 * 60_000].map((offset) => ({ at: start + offset, month })),
  ]
})

describe('the month of a moment', () => {
  it('is London’s at every month end over three years, to the millisecond', () => {
    const wrong = EDGES.filter(({ at, month }) => londonMonth(new Date(at)) !== month)
    expect(wrong).toEqual([])
    expect(EDGES).toHaveLength(35 * 7)
  })

  it.each([
    { at: '2026-06-30T22:59:59.999Z', month: '2026-06', why: 'a millisecond before midnight in summer' },
    { at: '2026-06-30T23:00:00.000Z', month: '2026-07', why: 'midnight in London, 23:00 in UTC' },
    { at: '2026-06-30T23:30:00.000Z', month: '2026-07', why: 'still June in UTC' },
    { at: '2026-12-31T23:59:59.999Z', month: '2026-12', why: 'in winter the two agree' },
    { at: '2027-01-01T00:00:00.000Z', month: '2027-01', why: 'and so does the year' },
    { at: '2026-10-25T00:59:58.000Z', month: '2026-10', why: 'the first 01:59:58 of that night' },
    { at: '2026-10-25T01:59:58.000Z', month: '2026-10', why: 'the second one' },
    { at: '2027-10-30T23:00:00.000Z', month: '2027-10', why: 'the clocks go back on the last day of the month' },
    { at: '2027-10-31T23:59:59.999Z', month: '2027-10', why: 'so the month ends in winter time' },
    { at: '2027-11-01T00:00:00.000Z', month: '2027-11', why: 'at midnight UTC' },
    { at: '2026-03-31T22:59:59.999Z', month: '2026-03', why: 'March ends in summer time' },
    { at: '2026-03-31T23:00:00.000Z', month: '2026-04', why: 'an hour before UTC’s' },
    { at: '2028-02-29T23:59:59.999Z', month: '2028-02', why: 'a leap day' },
    { at: '2028-03-01T00:00:00.000Z', month: '2028-03', why: 'the day after it' },
  ])('$at is in $month: $why', ({ at, month }) => {
    expect(londonMonth(new Date(at))).toBe(month)
  })

  it('does not change when the clocks do', () => {
    for (const { forward, back } of Object.values(CLOCK_CHANGES)) {
      for (const change of [forward, back]) {
        const month = change.slice(0, 7)
        for (const offset of [-2 * HOUR, -HOUR, -1, 0, 1, HOUR - 1, HOUR, 2 * HOUR]) {
          expect(londonMonth(new Date(Date.parse(change) + offset))).toBe(month)
        }
      }
    }
  })
})

describe('the start of a month', () => {
  it('is midnight in London, in summer an hour before UTC’s', () => {
    expect(STARTS.filter(({ month, start }) => londonMidnight(month).getTime() !== start)).toEqual([])
    expect(STARTS.filter(({ isSummer }) => isSummer)).toHaveLength(3 * 7)
  })

  it('is the first moment whose month it is', () => {
    for (const { month } of STARTS) {
      const start = londonMidnight(month).getTime()
      expect(londonMonth(new Date(start))).toBe(month)
      expect(londonMonth(new Date(start - 1))).toBe(monthBefore(month))
    }
  })
})

describe('the host’s own time zone', () => {
  const bundle = buildSync({
    entryPoints: [join(import.meta.dirname, 'london-month.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  }).outputFiles[0]!.text

  it.each(['UTC', 'Europe/London', 'Pacific/Auckland', 'America/Los_Angeles'])('%s changes nothing', (zone) => {
    const months = STARTS.map(({ month }) => month)
    const script = `${bundle}
      const months = ${JSON.stringify(months)}
      process.stdout.write(JSON.stringify({
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        edges: ${JSON.stringify(EDGES.map(({ at }) => at))}.map((at) => londonMonth(new Date(at))),
        starts: months.map((month) => londonMidnight(month).getTime()),
        days: months.map((month) => [firstDay(month), lastDay(month), nextMonth(month), monthBefore(month)]),
      }))`
    const child = spawnSync(process.execPath, ['--input-type=module', '-'], {
      input: script,
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    })
    expect(child.stderr).toBe('')
    expect(JSON.parse(child.stdout)).toEqual({
      zone,
      edges: EDGES.map(({ month }) => month),
      starts: STARTS.map(({ start }) => start),
      days: months.map((month) => [firstDay(month), lastDay(month), nextMonth(month), monthBefore(month)]),
    })
  })
})

describe('the calendar', () => {
  it.each([
    { month: '2026-01', first: '2026-01-01', last: '2026-01-31', next: '2026-02', before: '2025-12' },
    { month: '2026-02', first: '2026-02-01', last: '2026-02-28', next: '2026-03', before: '2026-01' },
    { month: '2028-02', first: '2028-02-01', last: '2028-02-29', next: '2028-03', before: '2028-01' },
    { month: '2100-02', first: '2100-02-01', last: '2100-02-28', next: '2100-03', before: '2100-01' },
    { month: '2026-04', first: '2026-04-01', last: '2026-04-30', next: '2026-05', before: '2026-03' },
    { month: '2026-12', first: '2026-12-01', last: '2026-12-31', next: '2027-01', before: '2026-11' },
  ])('$month runs from $first to $last, between $before and $next', ({ month, first, last, next, before }) => {
    const parsed = parseMonth(month)!
    expect([firstDay(parsed), lastDay(parsed), nextMonth(parsed), monthBefore(parsed)]).toEqual([
      first,
      last,
      next,
      before,
    ])
  })

  it('goes forward and back to the same month', () => {
    for (const { month } of STARTS) expect(monthBefore(nextMonth(month))).toBe(month)
  })

  it.each([
    '9999-12',
    '9999-01',
    '2026-13',
    '2026-00',
    '2026-1',
    '26-01',
    '2026-01-01',
    '2026/01',
    ' 2026-01',
    '2026-01\n',
    '',
    'January',
  ])('has no month %j', (text) => {
    expect(parseMonth(text)).toBeNull()
  })
})
