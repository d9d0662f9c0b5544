// Each exception of section 2.2.2 by itself, on rows so small that the sums can be done in one's head.
import { describe, expect, it } from 'vitest'

import { checkModulus } from './modulus-check.ts'
import { readModulusTable } from './read-modulus-table.ts'

interface Case {
  readonly sortCode?: string
  readonly accountNumber: string
  readonly verdict: 'valid' | 'invalid'
  readonly why: string
}

const ALWAYS_PASSES = 'MOD10  0 0 0 0 0 0  0 0 0 0 0 0 0 0'

/** Checks accounts at 100000 (or their own sort code of 100000 to 100009) against the rows. */
function describeException(name: string, rows: readonly string[], cases: readonly Case[]): void {
  const table = readModulusTable({
    version: 'of this test',
    weightTable: rows.map((row) => `100000 100009 ${row}`).join('\n'),
    substitutionTable: '100001 300007',
  })
  describe(`exception ${name}`, () => {
    it.each(cases)('$accountNumber is $verdict: $why', ({ sortCode = '100000', accountNumber, verdict }) => {
      expect(checkModulus(table, { sortCode, accountNumber })).toBe(verdict)
    })
  })
}

describeException(
  '1',
  ['DBLAL  0 0 0 0 0 0  0 0 0 0 0 0 0 1  1'],
  [
    { accountNumber: '00000003', verdict: 'valid', why: '3 and 27 are 30' },
    { accountNumber: '00000000', verdict: 'invalid', why: 'it would pass without the 27' },
  ],
)

describeException(
  '2, when a is 0',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 0 0 1  2'],
  [
    { accountNumber: '01111110', verdict: 'valid', why: 'the weights are the row’s, which only look at h' },
    { accountNumber: '01111111', verdict: 'invalid', why: 'h is not 0' },
    { accountNumber: '01111190', verdict: 'valid', why: 'g alone changes nothing' },
  ],
)

describeException(
  '2, when a is not 0',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 0 0 1  2'],
  [
    // Weights w to h: 1 2 5 3 6 4 8 7 10 9 3 1. The sort code 100000 adds nothing.
    { accountNumber: '10000005', verdict: 'valid', why: '6 and 5 are 11' },
    { accountNumber: '10000000', verdict: 'invalid', why: 'it would pass with the row’s weights' },
    { accountNumber: '10000012', verdict: 'valid', why: '6, 3 and 2 are 11' },
    { sortCode: '100003', accountNumber: '10000007', verdict: 'valid', why: 'z weighs 3: 9, 6 and 7 are 22' },
    // With g = 9 only c to h count: 8 7 10 9 3 1.
    { accountNumber: '10000096', verdict: 'valid', why: '27 and 6 are 33; a is set aside' },
    { accountNumber: '10000090', verdict: 'invalid', why: '27 alone is not' },
    { sortCode: '100003', accountNumber: '19000096', verdict: 'valid', why: 'the sort code and b are set aside' },
  ],
)

describeException(
  '3',
  [ALWAYS_PASSES, 'DBLAL  0 0 0 0 0 0  0 0 0 0 0 0 0 1  3'],
  [
    { accountNumber: '00600001', verdict: 'valid', why: 'c is 6: the second check is left out' },
    { accountNumber: '00900001', verdict: 'valid', why: 'c is 9: the second check is left out' },
    { accountNumber: '00500001', verdict: 'invalid', why: 'c is 5: the second check counts' },
    { accountNumber: '00500000', verdict: 'valid', why: 'and passes with h = 0' },
    { accountNumber: '69099961', verdict: 'invalid', why: '6 and 9 elsewhere mean nothing' },
  ],
)

describeException(
  '3 never excuses the first check',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 0 0 1', `${ALWAYS_PASSES}  3`],
  [{ accountNumber: '00600001', verdict: 'invalid', why: 'the first check fails' }],
)

describeException(
  '4',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 1 1 0 0  4'],
  [
    { accountNumber: '00000303', verdict: 'valid', why: 'the remainder is 3 and gh is 03' },
    { accountNumber: '00001910', verdict: 'valid', why: 'the remainder is 10 and gh is 10' },
    { accountNumber: '00000330', verdict: 'invalid', why: 'gh is 30; its digits add up to 3' },
    { accountNumber: '00000321', verdict: 'invalid', why: 'gh is 21; its digits add up to 3' },
    { accountNumber: '00002911', verdict: 'invalid', why: 'the remainder is 0 and gh is 11' },
    { accountNumber: '00002900', verdict: 'valid', why: 'the remainder is 0 and gh is 00' },
  ],
)

describeException(
  '4, with a weight below zero',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 -1 0 0  4'],
  [
    { accountNumber: '00000803', verdict: 'valid', why: 'a total of -8 leaves 3, as 3 is 8 less than 11' },
    { accountNumber: '00000808', verdict: 'invalid', why: 'it does not leave 8' },
  ],
)

describeException(
  '5, the first check',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 1 1 0 0  5'],
  [
    { accountNumber: '00000000', verdict: 'valid', why: 'the remainder is 0 and g is 0' },
    { accountNumber: '00000010', verdict: 'invalid', why: 'the remainder is 0 and g is 1' },
    { accountNumber: '00000290', verdict: 'valid', why: '11 less 2 is 9' },
    { accountNumber: '00000280', verdict: 'invalid', why: '11 less 2 is not 8' },
    { accountNumber: '00001910', verdict: 'valid', why: '11 less 10 is 1' },
    { accountNumber: '00000100', verdict: 'invalid', why: 'a remainder of 1 never passes' },
    { accountNumber: '00000110', verdict: 'invalid', why: 'a remainder of 1 never passes' },
  ],
)

describeException(
  '5, the second check',
  [ALWAYS_PASSES, 'DBLAL  0 0 0 0 0 0  0 0 0 0 0 1 0 0  5'],
  [
    { accountNumber: '00000000', verdict: 'valid', why: 'the remainder is 0 and h is 0' },
    { accountNumber: '00000001', verdict: 'invalid', why: 'the remainder is 0 and h is 1' },
    { accountNumber: '00000109', verdict: 'valid', why: '10 less 1 is 9' },
    { accountNumber: '00000108', verdict: 'invalid', why: 'a remainder of 1 is nothing special here' },
    { accountNumber: '00000901', verdict: 'valid', why: '10 less 9 is 1' },
  ],
)

describeException(
  '5, the substitute',
  ['MOD11  0 0 0 0 0 1  0 0 0 0 0 0 0 0  5', 'DBLAL  0 0 0 0 0 1  0 0 0 0 0 0 0 0  5'],
  [
    {
      sortCode: '100001',
      accountNumber: '00000043',
      verdict: 'valid',
      why: 'z is 7, the substitute’s, in both checks',
    },
    { sortCode: '100001', accountNumber: '00000049', verdict: 'invalid', why: 'z of the original would want h = 9' },
    { sortCode: '100002', accountNumber: '00000098', verdict: 'valid', why: '100002 has no substitute' },
  ],
)

describeException(
  '6',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 1 0 0  6', 'DBLAL  0 0 0 0 0 0  0 0 0 0 0 1 0 0  6'],
  [
    { accountNumber: '40000111', verdict: 'valid', why: 'foreign currency: a is 4 and g is h' },
    { accountNumber: '80000100', verdict: 'valid', why: 'foreign currency: a is 8 and g is h' },
    { accountNumber: '30000111', verdict: 'invalid', why: 'a is 3' },
    { accountNumber: '90000111', verdict: 'invalid', why: 'a is 9' },
    { accountNumber: '60000112', verdict: 'invalid', why: 'g is not h' },
    { accountNumber: '30000012', verdict: 'valid', why: 'ordinary, and passes both' },
  ],
)

describeException(
  '7',
  ['MOD11  0 0 0 0 0 1  1 1 1 0 0 0 0 0  7'],
  [
    { sortCode: '100005', accountNumber: '55000090', verdict: 'valid', why: 'g is 9: z, a and b are set aside' },
    { sortCode: '100005', accountNumber: '55100090', verdict: 'invalid', why: 'c is not' },
    { sortCode: '100005', accountNumber: '55000080', verdict: 'invalid', why: 'g is 8: 15 is not a multiple of 11' },
    { sortCode: '100005', accountNumber: '33000080', verdict: 'valid', why: 'g is 8: 5, 3 and 3 are 11' },
  ],
)

describeException(
  '8',
  ['MOD10  0 0 0 0 0 1  0 0 0 0 0 0 0 1  8'],
  [
    { accountNumber: '00000004', verdict: 'valid', why: 'z is the 6 of 090126' },
    { accountNumber: '00000000', verdict: 'invalid', why: 'z of its own sort code would pass' },
  ],
)

describeException(
  '9',
  ['MOD11  0 0 0 0 0 0  0 0 0 0 0 0 0 1  2', 'MOD11  0 0 0 0 0 1  1 0 0 0 0 0 0 1  9'],
  [
    { accountNumber: '00000007', verdict: 'valid', why: 'z is the 4 of 309634, and 4 and 7 are 11' },
    { accountNumber: '00000006', verdict: 'invalid', why: 'neither check passes' },
    { accountNumber: '10000006', verdict: 'valid', why: 'the row’s own weights: 4, 1 and 6 are 11' },
  ],
)

describeException(
  '10',
  ['MOD11  0 0 0 0 0 0  1 1 0 0 0 0 0 1  10', 'MOD11  0 0 0 0 0 0  0 0 0 0 0 1 0 0  11'],
  [
    { accountNumber: '09000190', verdict: 'valid', why: 'ab is 09 and g is 9: a and b are set aside' },
    { accountNumber: '99000190', verdict: 'valid', why: 'ab is 99 and g is 9: a and b are set aside' },
    { accountNumber: '09000180', verdict: 'invalid', why: 'g is 8, also with ab = 09' },
    { accountNumber: '99000180', verdict: 'invalid', why: 'g is 8' },
    { accountNumber: '19000190', verdict: 'invalid', why: 'ab is 19' },
    { accountNumber: '90000190', verdict: 'invalid', why: 'ab is 90' },
    { accountNumber: '19000191', verdict: 'valid', why: '1, 9 and 1 are 11' },
    { accountNumber: '19000090', verdict: 'valid', why: 'exception 11 passes' },
  ],
)

describeException(
  '14',
  ['MOD11  0 0 0 0 0 0  8 7 6 5 4 3 2 1  14'],
  [
    { accountNumber: '00000019', verdict: 'valid', why: '2 and 9 are 11' },
    { accountNumber: '00000190', verdict: 'valid', why: 'without the 0 it is 00000019' },
    { accountNumber: '00000191', verdict: 'valid', why: 'without the 1 it is 00000019' },
    { accountNumber: '00000199', verdict: 'valid', why: 'without the 9 it is 00000019' },
    { accountNumber: '00000192', verdict: 'invalid', why: 'a 2 cannot be left out' },
    { accountNumber: '00000198', verdict: 'invalid', why: 'an 8 cannot be left out' },
    { accountNumber: '00000180', verdict: 'invalid', why: '00000018 does not pass either' },
  ],
)
