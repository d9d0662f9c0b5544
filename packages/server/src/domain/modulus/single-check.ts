// One row of the weight table, applied to one account.
import { digitsToCheck, lettersOf, withoutCouttsSuffix } from './account-digits.ts'
import type { AccountLetters, BankAccount } from './account-digits.ts'
import { appliedWeights } from './applied-weights.ts'
import { MODULUS, weightedTotal } from './weighted-total.ts'
import type { ModulusCheck, Substitutes } from './weight-table.ts'

interface Subject {
  readonly account: BankAccount
  readonly substitutes: Substitutes
}

/** What the digits 580149 before the sort code would add; exception 1 leaves them out and adds this. */
const FINANCIAL_INSTITUTION_TOTAL = 27

export function passesCheck(check: ModulusCheck, subject: Subject): boolean {
  if (isExcused(check, lettersOf(subject.account)) || leavesRightRemainder(check, subject)) return true
  if (check.exception !== 14) return false
  const shortened = withoutCouttsSuffix(subject.account)
  return shortened !== null && leavesRightRemainder(check, { ...subject, account: shortened })
}

/** Some accounts at a sort code are outside the check, and count as passing it. */
function isExcused({ exception }: ModulusCheck, { a, c, g, h }: AccountLetters): boolean {
  if (exception === 3) return c === '6' || c === '9'
  // Accounts in foreign currency, which cannot be checked.
  if (exception === 6) return a >= '4' && a <= '8' && g === h
  return false
}

function leavesRightRemainder(check: ModulusCheck, subject: Subject): boolean {
  const letters = lettersOf(subject.account)
  const total = weightedTotal(digitsToCheck(check, subject), {
    method: check.method,
    weights: appliedWeights(check, letters),
  })
  const counted = check.exception === 1 ? total + FINANCIAL_INSTITUTION_TOTAL : total
  const modulus = MODULUS[check.method]
  // Some weights are -1, so a total can be below zero, where % alone would leave a remainder below zero too.
  const remainder = ((counted % modulus) + modulus) % modulus
  return remainder === rightRemainder(check, letters)
}

function rightRemainder({ exception, method }: ModulusCheck, { g, h }: AccountLetters): number {
  if (exception === 4) return Number.parseInt(g + h, 10)
  if (exception === 5) {
    // The check digit is what the remainder lacks to the modulus, and 0 when it lacks nothing. So a remainder of 1 in
    // modulus 11 would want the digit 10, which is why the specification calls it invalid outright.
    const modulus = MODULUS[method]
    return (modulus - Number.parseInt(method === 'DBLAL' ? h : g, 10)) % modulus
  }
  return 0
}
