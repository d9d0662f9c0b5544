import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { BankAccount } from './account-digits.ts'
import { loadModulusTable } from './load-modulus-table.ts'
import { checkModulus } from './modulus-check.ts'
import { readModulusTable } from './read-modulus-table.ts'
import type { ModulusTable } from './weight-table.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`modulus-check.test.ts seed=${SEED}\n`)

/** A table of the one range 100000 to 100009, whose rows are given as "METHOD weights [exception]". */
function tableOf(...rows: string[]): ModulusTable {
  return readModulusTable({
    version: 'of this test',
    weightTable: rows.map((row) => `100000 100009 ${row}`).join('\r\n'),
    substitutionTable: '100001 200001\r\n',
  })
}

function verdictOn(table: ModulusTable, accountNumber: string, sortCode = '100000'): string {
  return checkModulus(table, { sortCode, accountNumber })
}

const ALWAYS_PASSES = 'MOD10 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
/** Passes when h is 0. */
const WANTS_H_0 = 'MOD10 0 0 0 0 0 0 0 0 0 0 0 0 0 1'

describe('a sort code', () => {
  const table = tableOf(WANTS_H_0)

  it.each([
    { sortCode: '099999', verdict: 'unknown', why: 'just below the range' },
    { sortCode: '100000', verdict: 'invalid', why: 'the first of the range' },
    { sortCode: '100005', verdict: 'invalid', why: 'inside it' },
    { sortCode: '100009', verdict: 'invalid', why: 'the last of it' },
    { sortCode: '100010', verdict: 'unknown', why: 'just above it' },
    { sortCode: '000000', verdict: 'unknown', why: 'below everything' },
    { sortCode: '999999', verdict: 'unknown', why: 'above everything' },
  ])('$sortCode gives $verdict for a number that fails: $why', ({ sortCode, verdict }) => {
    expect(verdictOn(table, '00000001', sortCode)).toBe(verdict)
  })

  it.each([
    { sortCode: '10000', why: 'a digit short' },
    { sortCode: '1000000', why: 'a digit long' },
    { sortCode: '10-00-00', why: 'hyphens' },
    { sortCode: ' 100000', why: 'a space before it' },
    { sortCode: '100000\n', why: 'a line break behind it' },
    { sortCode: '１００００0', why: 'full-width digits' },
    { sortCode: '1e5000', why: 'a letter' },
    { sortCode: '', why: 'nothing' },
  ])('of $why is refused, and not repeated in the message', ({ sortCode }) => {
    expect(() => verdictOn(table, '00000000', sortCode)).toThrow(
      /^This should be impossible: a sort code is checked as six digits and nothing else$/,
    )
  })
})

describe('an account number', () => {
  it.each([
    { accountNumber: '0000000', why: 'seven digits' },
    { accountNumber: '000000000', why: 'nine digits' },
    { accountNumber: '0000-000', why: 'a hyphen' },
    { accountNumber: '0000000 ', why: 'a space behind it' },
    { accountNumber: '00000000\n', why: 'a line break behind it' },
    { accountNumber: '٠٠٠٠٠٠٠٠', why: 'Arabic-Indic digits' },
    { accountNumber: '', why: 'nothing' },
  ])('of $why is refused, at a covered sort code and at an unknown one', ({ accountNumber }) => {
    for (const sortCode of ['100000', '999999']) {
      expect(() => verdictOn(tableOf(WANTS_H_0), accountNumber, sortCode)).toThrow(
        /^This should be impossible: an account number is checked as eight digits and nothing else$/,
      )
    }
  })
})

describe('a method', () => {
  it('of modulus 10 and 11 adds whole products', () => {
    // 9 × 9 + 9 × 1 = 90, and 9 × 9 + 7 × 1 = 88
    expect(verdictOn(tableOf('MOD10 0 0 0 0 0 0 0 0 0 0 0 0 9 1'), '00000099')).toBe('valid')
    expect(verdictOn(tableOf('MOD11 0 0 0 0 0 0 0 0 0 0 0 0 9 1'), '00000097')).toBe('valid')
    expect(verdictOn(tableOf('MOD11 0 0 0 0 0 0 0 0 0 0 0 0 9 1'), '00000099')).toBe('invalid')
  })

  it('of double alternate adds the digits of the products, however many they are', () => {
    // 6 × 2 = 12 counts 3; 9 × 128 = 1152 counts 9
    expect(verdictOn(tableOf('DBLAL 0 0 0 0 0 0 0 0 0 0 0 0 2 1'), '00000067')).toBe('valid')
    expect(verdictOn(tableOf('DBLAL 0 0 0 0 0 0 0 0 0 0 0 0 2 1'), '00000068')).toBe('invalid')
    expect(verdictOn(tableOf('DBLAL 0 0 0 0 0 0 0 0 0 0 0 0 128 1'), '00000091')).toBe('valid')
  })

  it('divides a total below zero as well', () => {
    const table = tableOf('MOD11 0 0 0 0 0 0 0 0 0 0 0 0 -1 -1')
    expect(verdictOn(table, '00000056')).toBe('valid')
    expect(verdictOn(table, '00000057')).toBe('invalid')
  })
})

describe('two checks', () => {
  it.each([
    { exceptions: [null, null], both: true },
    { exceptions: [6, 6], both: true },
    { exceptions: [2, 9], both: false },
    { exceptions: [10, 11], both: false },
    { exceptions: [12, 13], both: false },
    { exceptions: [9, 2], both: true },
    { exceptions: [12, null], both: true },
  ])('with exceptions $exceptions must both pass: $both', ({ exceptions: [first, second], both }) => {
    const row = (text: string, exception: number | null | undefined) => `${text} ${exception ?? ''}`.trim()
    const passThenFail = tableOf(row(ALWAYS_PASSES, first), row(WANTS_H_0, second))
    const failThenPass = tableOf(row(WANTS_H_0, first), row(ALWAYS_PASSES, second))
    const bothFail = tableOf(row(WANTS_H_0, first), row(WANTS_H_0, second))
    expect(verdictOn(passThenFail, '00000001')).toBe(both ? 'invalid' : 'valid')
    expect(verdictOn(failThenPass, '00000001')).toBe(both ? 'invalid' : 'valid')
    expect(verdictOn(bothFail, '00000001')).toBe('invalid')
    expect(verdictOn(bothFail, '00000000')).toBe('valid')
  })
})

describe('the bundled table', () => {
  it('keeps 770100 86513042 valid after 770100 99345694 was checked', () => {
    // By hand, with g = 4 so that exception 7 does not apply: 1×2 + 8×6 + 6×4 + 5×8 + 1×7 + 3×10 + 0×9 + 4×3 + 2×1 =
    // 165 = 15 × 11. The second account has g = 9, which sets the weights u to b aside: 3×8 + 4×7 + 5×10 + 6×9 + 9×3 +
    // 4×1 = 187 = 17 × 11. A program that sets them aside in the table itself then finds 91 for the first account.
    const table = loadModulusTable()
    expect(verdictOn(table, '86513042', '770100')).toBe('valid')
    expect(verdictOn(table, '99345694', '770100')).toBe('valid')
    expect(verdictOn(table, '86513042', '770100')).toBe('valid')
  })

  it('answers the same whatever was asked before, and is never changed', () => {
    const table = loadModulusTable()
    const before = JSON.stringify(table)
    // Digits that exceptions look at come up often, so that every branch is taken.
    const digit = fc.constantFrom(...'0123456789', ...'0699')
    const accounts = fc.record({
      sortCode: fc
        .tuple(fc.constantFrom(...table.ranges), fc.boolean())
        .map(([{ first, last }, atStart]) => (atStart ? first : last)),
      accountNumber: fc.string({ unit: digit, minLength: 8, maxLength: 8 }),
    })
    const answers = (list: readonly BankAccount[]) => list.map((account) => checkModulus(table, account))
    fc.assert(
      fc.property(fc.array(accounts, { minLength: 2, maxLength: 60 }), (list) => {
        const once = answers(list)
        expect(answers(list)).toEqual(once)
        expect(answers(list.toReversed()).toReversed()).toEqual(once)
      }),
      { numRuns: 500, seed: SEED },
    )
    expect(JSON.stringify(table)).toBe(before)
  })
})
