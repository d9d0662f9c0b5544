// The fourteen digits that a check looks at. They are the account's own, except where an exception says "for check
// purposes only".
import type { ModulusCheck, Substitutes } from './weight-table.ts'

export interface BankAccount {
  readonly sortCode: string
  readonly accountNumber: string
}

/** The digits that exceptions speak of, by the specification's letters: the account number is a to h (1.3). */
export interface AccountLetters {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly g: string
  readonly h: string
}

/** Lloyds keeps every euro account here, whichever branch its customer names (exception 9). */
const LLOYDS_EURO_SORT_CODE = '309634'
/** Exception 8. */
const SORT_CODE_OF_EXCEPTION_8 = '090126'

export function lettersOf({ accountNumber }: BankAccount): AccountLetters {
  return {
    a: accountNumber.charAt(0),
    b: accountNumber.charAt(1),
    c: accountNumber.charAt(2),
    g: accountNumber.charAt(6),
    h: accountNumber.charAt(7),
  }
}

export function digitsToCheck(
  { exception }: ModulusCheck,
  { account, substitutes }: { readonly account: BankAccount; readonly substitutes: Substitutes },
): string {
  const { sortCode, accountNumber } = account
  if (exception === 5) return (substitutes[sortCode] ?? sortCode) + accountNumber
  if (exception === 8) return SORT_CODE_OF_EXCEPTION_8 + accountNumber
  if (exception === 9) return LLOYDS_EURO_SORT_CODE + accountNumber
  return sortCode + accountNumber
}

/**
 * Coutts' second try (exception 14): some of its numbers carry a last digit that is not part of the check. Null when
 * the last digit cannot be such a one.
 */
export function withoutCouttsSuffix({ sortCode, accountNumber }: BankAccount): BankAccount | null {
  if (!/[019]$/.test(accountNumber)) return null
  return { sortCode, accountNumber: `0${accountNumber.slice(0, -1)}` }
}
