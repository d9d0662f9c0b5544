// The 34 test cases of Vocalink's specification (3.1), in its order. They are the same in versions 6.40 and 9.00,
// and so are the rules: only the rows change from one to the next.
import { describe, expect, it } from 'vitest'

import { loadModulusTable } from './load-modulus-table.ts'
import { checkModulus } from './modulus-check.ts'

const PUBLISHED = [
  { number: 1, sortCode: '089999', accountNumber: '66374958', verdict: 'valid', why: 'passes modulus 10' },
  { number: 2, sortCode: '107999', accountNumber: '88837491', verdict: 'valid', why: 'passes modulus 11' },
  { number: 3, sortCode: '202959', accountNumber: '63748472', verdict: 'valid', why: 'passes both its checks' },
  { number: 4, sortCode: '871427', accountNumber: '46238510', verdict: 'valid', why: '10 & 11: the first passes' },
  { number: 5, sortCode: '872427', accountNumber: '46238510', verdict: 'valid', why: '10 & 11: the second passes' },
  { number: 6, sortCode: '871427', accountNumber: '09123496', verdict: 'valid', why: '10: ab is 09 and g is 9' },
  { number: 7, sortCode: '871427', accountNumber: '99123496', verdict: 'valid', why: '10: ab is 99 and g is 9' },
  { number: 8, sortCode: '820000', accountNumber: '73688637', verdict: 'valid', why: '3: c is 6, at a range’s start' },
  { number: 9, sortCode: '827999', accountNumber: '73988638', verdict: 'valid', why: '3: c is 9, at a range’s end' },
  { number: 10, sortCode: '827101', accountNumber: '28748352', verdict: 'valid', why: '3: both checks, both pass' },
  { number: 11, sortCode: '134020', accountNumber: '63849203', verdict: 'valid', why: '4: the remainder is gh' },
  { number: 12, sortCode: '118765', accountNumber: '64371389', verdict: 'valid', why: '1: 27 is added' },
  { number: 13, sortCode: '200915', accountNumber: '41011166', verdict: 'valid', why: '6: foreign currency' },
  { number: 14, sortCode: '938611', accountNumber: '07806039', verdict: 'valid', why: '5: passes' },
  { number: 15, sortCode: '938600', accountNumber: '42368003', verdict: 'valid', why: '5: passes when substituted' },
  { number: 16, sortCode: '938063', accountNumber: '55065200', verdict: 'valid', why: '5: both remainders are 0' },
  { number: 17, sortCode: '772798', accountNumber: '99345694', verdict: 'valid', why: '7: would fail unchanged' },
  { number: 18, sortCode: '086090', accountNumber: '06774744', verdict: 'valid', why: '8: passes' },
  { number: 19, sortCode: '309070', accountNumber: '02355688', verdict: 'valid', why: '2 & 9: the first passes' },
  { number: 20, sortCode: '309070', accountNumber: '12345668', verdict: 'valid', why: '2 & 9: the second passes' },
  { number: 21, sortCode: '309070', accountNumber: '12345677', verdict: 'valid', why: '2 & 9: a is not 0, g not 9' },
  { number: 22, sortCode: '309070', accountNumber: '99345694', verdict: 'valid', why: '2 & 9: a is not 0, g is 9' },
  { number: 23, sortCode: '938063', accountNumber: '15764273', verdict: 'invalid', why: '5: only g is right' },
  { number: 24, sortCode: '938063', accountNumber: '15764264', verdict: 'invalid', why: '5: only h is right' },
  { number: 25, sortCode: '938063', accountNumber: '15763217', verdict: 'invalid', why: '5: the remainder is 1' },
  { number: 26, sortCode: '118765', accountNumber: '64371388', verdict: 'invalid', why: '1: fails' },
  { number: 27, sortCode: '203099', accountNumber: '66831036', verdict: 'invalid', why: 'fails double alternate only' },
  { number: 28, sortCode: '203099', accountNumber: '58716970', verdict: 'invalid', why: 'fails modulus 11 only' },
  { number: 29, sortCode: '089999', accountNumber: '66374959', verdict: 'invalid', why: 'fails modulus 10' },
  { number: 30, sortCode: '107999', accountNumber: '88837493', verdict: 'invalid', why: 'fails modulus 11' },
  { number: 31, sortCode: '074456', accountNumber: '12345112', verdict: 'valid', why: '12 & 13: the first passes' },
  { number: 32, sortCode: '070116', accountNumber: '34012583', verdict: 'valid', why: '12 & 13: both pass' },
  { number: 33, sortCode: '074456', accountNumber: '11104102', verdict: 'valid', why: '12 & 13: the second passes' },
  { number: 34, sortCode: '180002', accountNumber: '00000190', verdict: 'valid', why: '14: the second try passes' },
] as const

/** Worked through in the text of the specification, beside its test cases. */
const WORKED_EXAMPLES = [
  { sortCode: '180002', accountNumber: '98093517', verdict: 'valid', why: '14: 209 is 19 times 11' },
] as const

describe('a published test case', () => {
  const table = loadModulusTable()

  it.each(PUBLISHED)('$number, $sortCode $accountNumber, is $verdict: $why', ({ sortCode, accountNumber, verdict }) => {
    expect(checkModulus(table, { sortCode, accountNumber })).toBe(verdict)
  })

  it.each(WORKED_EXAMPLES)('$sortCode $accountNumber is $verdict: $why', ({ sortCode, accountNumber, verdict }) => {
    expect(checkModulus(table, { sortCode, accountNumber })).toBe(verdict)
  })

  it('is there for each number from 1 to 34', () => {
    expect(PUBLISHED.map(({ number }) => number)).toEqual(Array.from({ length: 34 }, (_, index) => index + 1))
  })
})
