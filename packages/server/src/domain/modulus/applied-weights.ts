// The weights that a check uses: those of its row, except where the account's own digits say otherwise. Always the
// row's list or a new one; a row that changed would give the next account a wrong answer.
import type { AccountLetters } from './account-digits.ts'
import type { ModulusCheck, Weights } from './weight-table.ts'

/** Exception 2's two lists, copied from the specification because the table does not carry them. */
const LLOYDS_EURO_WEIGHTS: Weights = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1]
const LLOYDS_EURO_WEIGHTS_WHEN_G_IS_9: Weights = [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1]

/** Positions u to b: the sort code and the first two digits of the account number. */
const POSITIONS_U_TO_B = 8

export function appliedWeights({ exception, weights }: ModulusCheck, { a, b, g }: AccountLetters): Weights {
  if (exception === 2 && a !== '0') return g === '9' ? LLOYDS_EURO_WEIGHTS_WHEN_G_IS_9 : LLOYDS_EURO_WEIGHTS
  if (exception === 7 && g === '9') return withoutUToB(weights)
  // "If ab = 09 or ab = 99 and g = 9": test cases 6 and 7 name g = 9 with either ab.
  if (exception === 10 && (a === '0' || a === '9') && b === '9' && g === '9') return withoutUToB(weights)
  return weights
}

function withoutUToB(weights: Weights): Weights {
  return weights.map((weight, position) => (position < POSITIONS_U_TO_B ? 0 : weight))
}
