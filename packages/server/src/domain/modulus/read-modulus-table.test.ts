import { describe, expect, it } from 'vitest'

import { loadModulusTable } from './load-modulus-table.ts'
import { ModulusTableError, readModulusTable } from './read-modulus-table.ts'
import { findChecks } from './weight-table.ts'

const WEIGHTS = '   0    0    0    0    0    0    8    7    6    5    4    3    2    1'
const GOOD_LINE = `100000 100009 MOD11 ${WEIGHTS}`
const GOOD_SUBSTITUTE = '938600 938611'

function read({ weights = GOOD_LINE, substitutes = GOOD_SUBSTITUTE }: { weights?: string; substitutes?: string }) {
  return readModulusTable({ version: 'v0.00', weightTable: weights, substitutionTable: substitutes })
}

describe('a weight table', () => {
  it('is read with one or two checks a range, in their order', () => {
    const table = read({
      weights: `${GOOD_LINE}\r\n100000 100009 DBLAL ${WEIGHTS}   6\r\n100020 100020 MOD10 ${WEIGHTS}  13\r\n`,
    })
    expect(table).toEqual({
      version: 'v0.00',
      ranges: [
        {
          first: '100000',
          last: '100009',
          checks: [
            { method: 'MOD11', weights: [0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1], exception: null },
            { method: 'DBLAL', weights: [0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1], exception: 6 },
          ],
        },
        {
          first: '100020',
          last: '100020',
          checks: [{ method: 'MOD10', weights: [0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1], exception: 13 }],
        },
      ],
      substitutes: { '938600': '938611' },
    })
  })

  it('reads the same with either line ending, with and without an end to the last line', () => {
    const lines = [GOOD_LINE, `100010 100010 MOD10 ${WEIGHTS}`]
    const expected = read({ weights: lines.join('\r\n') })
    expect(read({ weights: lines.join('\n') })).toEqual(expected)
    expect(read({ weights: `${lines.join('\r\n')}\r\n\r\n` })).toEqual(expected)
  })

  it.each([
    { weights: '', trouble: /^The weight table is empty/, why: 'nothing' },
    { weights: '\r\n\r\n', trouble: /^The weight table is empty/, why: 'empty lines' },
    { weights: '<!doctype html>', trouble: /^Line 1 of the weight table is not two sort codes/, why: 'a web page' },
    { weights: `${GOOD_LINE}\n100010 100010 MOD11 0 0 0`, trouble: /^Line 2 .* 14 weights/, why: 'too few weights' },
    { weights: `${GOOD_LINE} 1 2`, trouble: /^Line 1 .* 14 weights/, why: 'too many numbers' },
    { weights: `10000 100009 MOD11 ${WEIGHTS}`, trouble: /^Line 1 .* two sort codes/, why: 'five digits' },
    { weights: `100000 100009 MOD97 ${WEIGHTS}`, trouble: /the method MOD97, which is unknown/, why: 'a new method' },
    { weights: `${GOOD_LINE}  15`, trouble: /exception 15, which is unknown/, why: 'a new exception' },
    { weights: `${GOOD_LINE}   0`, trouble: /exception 0, which is unknown/, why: 'exception 0' },
    { weights: `100009 100000 MOD11 ${WEIGHTS}`, trouble: /ends its range before it starts/, why: 'a range reversed' },
    { weights: `${GOOD_LINE}\n${GOOD_LINE}\n${GOOD_LINE}`, trouble: /^Line 3 .* third check/, why: 'three checks' },
    {
      weights: `${GOOD_LINE}\n100009 100012 MOD11 ${WEIGHTS}`,
      trouble: /^Line 2 .* starts inside the range above it/,
      why: 'ranges that overlap',
    },
    {
      weights: `${GOOD_LINE}\n000001 000001 MOD11 ${WEIGHTS}`,
      trouble: /^Line 2 .* or before it/,
      why: 'ranges out of order',
    },
    {
      weights: '100000 100009 DBLAL 0 0 0 0 0 0 0 0 0 0 0 0 0 -1',
      trouble: /negative weight in a double alternate check/,
      why: 'digits of a number below zero',
    },
  ])('with $why is refused', ({ weights, trouble }) => {
    expect(() => read({ weights })).toThrow(ModulusTableError)
    expect(() => read({ weights })).toThrow(trouble)
  })
})

describe('a substitution table', () => {
  it.each([
    { substitutes: '', trouble: /^The substitution table is empty/, why: 'nothing' },
    {
      substitutes: `${GOOD_SUBSTITUTE}\n93860 938611`,
      trouble: /^Line 2 of the substitution table/,
      why: 'five digits',
    },
    { substitutes: `${GOOD_SUBSTITUTE} 938612`, trouble: /^Line 1 of the substitution table/, why: 'three codes' },
  ])('with $why is refused', ({ substitutes, trouble }) => {
    expect(() => read({ substitutes })).toThrow(ModulusTableError)
    expect(() => read({ substitutes })).toThrow(trouble)
  })
})

describe('the bundled table', () => {
  it('is frozen through and through', () => {
    const loose: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) loose.push(path)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`)
    }
    visit(loadModulusTable(), 'table')
    expect(loose).toEqual([])
  })

  it('finds by halving what a look at every range finds, at and around both ends of each', () => {
    const table = loadModulusTable()
    const shifted = (sortCode: string, by: number) => String(Number.parseInt(sortCode, 10) + by).padStart(6, '0')
    const asked = table.ranges.flatMap(({ first, last }) => [shifted(first, -1), first, last, shifted(last, 1)])
    for (const sortCode of asked) {
      const seen = table.ranges.find(({ first, last }) => sortCode >= first && sortCode <= last)
      expect(findChecks(table, sortCode)).toBe(seen?.checks)
    }
    expect(asked.length).toBe(4 * 723)
  })
})
