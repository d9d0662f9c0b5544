// The checks of each sort code, and the sort codes that stand in for others: Vocalink's two files, as data.

/** Deeply frozen: an answer must never depend on what was asked before. */
export interface ModulusTable {
  /** As Vocalink numbers it, such as v8.50. */
  readonly version: string
  /** In order, no two overlapping. */
  readonly ranges: readonly SortCodeRange[]
  readonly substitutes: Substitutes
}

/** Both ends belong to the range. Sort codes are text of six digits, which sorts as the numbers do. */
export interface SortCodeRange {
  readonly first: string
  readonly last: string
  readonly checks: ModulusChecks
}

export type ModulusChecks = readonly [ModulusCheck] | readonly [ModulusCheck, ModulusCheck]

export interface ModulusCheck {
  readonly method: CheckMethod
  readonly weights: Weights
  readonly exception: ModulusException | null
}

/** Standard modulus 10, standard modulus 11, double alternate (1.3). */
export const CHECK_METHODS = ['MOD10', 'MOD11', 'DBLAL'] as const
export type CheckMethod = (typeof CHECK_METHODS)[number]

/** One weight per digit: six for the sort code (u to z), eight for the account number (a to h). */
export type Weights = readonly number[]

/** The numbers of section 2.2.2. A table with another one needs a newer program than this. */
export const MODULUS_EXCEPTIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] as const
export type ModulusException = (typeof MODULUS_EXCEPTIONS)[number]

/** The sort code to check with, by the one that was given (exception 5). */
export type Substitutes = Readonly<Record<string, string>>

/** Undefined when the table does not cover the sort code. */
export function findChecks({ ranges }: ModulusTable, sortCode: string): ModulusChecks | undefined {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const range = ranges[middle]
    if (range === undefined) return undefined
    if (sortCode < range.first) high = middle - 1
    else if (sortCode > range.last) low = middle + 1
    else return range.checks
  }
  return undefined
}
