// Whether an account number can exist at a sort code, by Vocalink's "Validating account numbers: UK modulus checking".
// The section numbers in this folder are those of that document. A valid answer means a possible account, not an open
// one.
import { assert } from '../../core/assert.ts'
import type { BankAccount } from './account-digits.ts'
import { passesCheck } from './single-check.ts'
import { findChecks } from './weight-table.ts'
import type { ModulusCheck, ModulusChecks, ModulusTable } from './weight-table.ts'

/** `unknown` is a sort code that the table does not cover: the scheme presumes its accounts valid (2.2.1). */
export type ModulusVerdict = 'valid' | 'invalid' | 'unknown'

const SORT_CODE_TEXT = /^\d{6}$/
const ACCOUNT_NUMBER_TEXT = /^\d{8}$/

/** Exceptions that come in pairs, first row and second, where one passing check is enough (2.2.2). */
const EITHER_IS_ENOUGH = [
  [2, 9],
  [10, 11],
  [12, 13],
] as const

export function checkModulus(table: ModulusTable, account: BankAccount): ModulusVerdict {
  // An answer for text that is not an account would be worse than none: "12-34-56" is a good sort code that nobody
  // normalised, and calling it invalid would refuse a good recipient. The digits stay out of the message.
  assert(SORT_CODE_TEXT.test(account.sortCode), 'a sort code is checked as six digits and nothing else')
  assert(
    ACCOUNT_NUMBER_TEXT.test(account.accountNumber),
    'an account number is checked as eight digits and nothing else',
  )

  const checks = findChecks(table, account.sortCode)
  if (checks === undefined) return 'unknown'
  return passesTogether(table, { account, checks }) ? 'valid' : 'invalid'
}

function passesTogether(
  { substitutes }: ModulusTable,
  { account, checks }: { readonly account: BankAccount; readonly checks: ModulusChecks },
): boolean {
  const [first, second] = checks
  const firstPasses = passesCheck(first, { account, substitutes })
  if (second === undefined) return firstPasses
  const secondPasses = passesCheck(second, { account, substitutes })
  // The overview (figure 1) lists exception 5 among those where one is enough. Its own text and Vocalink's test cases
  // 23 and 24 say both, and they win.
  return eitherIsEnough({ first, second }) ? firstPasses || secondPasses : firstPasses && secondPasses
}

function eitherIsEnough({ first, second }: { readonly first: ModulusCheck; readonly second: ModulusCheck }): boolean {
  return EITHER_IS_ENOUGH.some((pair) => first.exception === pair[0] && second.exception === pair[1])
}
