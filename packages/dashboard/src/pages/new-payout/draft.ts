// What stands in the form, what is wrong with it, and the request it becomes.
import type { CreatePayoutRequest } from '@kestrel/contract'

import { isPostcode, isSevenDigits, readAccountNumber, readSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { amountMistake, gbp, isMore, readAmount } from '../../format/money.ts'
import { isEmail } from '../../format/people.ts'

export interface Draft {
  readonly type: 'individual' | 'business'
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly line1: string
  readonly line2: string
  readonly city: string
  readonly postcode: string
  readonly bankName: string
  readonly sortCode: string
  readonly accountNumber: string
  readonly amount: string
  readonly reference: string
}

export const EMPTY: Draft = {
  type: 'individual',
  firstName: '',
  lastName: '',
  email: '',
  line1: '',
  line2: '',
  city: '',
  postcode: '',
  bankName: '',
  sortCode: '',
  accountNumber: '',
  amount: '',
  reference: '',
}

export const WHO_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'line1',
  'line2',
  'city',
  'postcode',
  'bankName',
  'sortCode',
  'accountNumber',
] as const satisfies readonly (keyof Draft)[]

type Rule = (typed: string) => true | string

const filled =
  (what: string): Rule =>
  (typed) =>
    typed.trim() !== '' || `Enter ${what}.`

export const RULES = {
  firstName: filled('the first name'),
  lastName: filled('the last name'),
  email: (typed) => typed.trim() === '' || isEmail(typed) || 'Enter an email address, or leave it empty.',
  line1: filled('the first line of the address'),
  line2: () => true,
  city: filled('the town or city'),
  postcode: (typed) => isPostcode(typed) || 'Enter a UK postcode such as LS1 4AP.',
  bankName: filled('the name of the bank'),
  sortCode: (typed) => readSortCode(typed) !== null || 'A sort code has 6 digits, such as 04-00-04.',
  accountNumber: (typed) =>
    readAccountNumber(typed) !== null ||
    (isSevenDigits(typed)
      ? 'This has 7 digits. An account number has 8: banks with 7 put a 0 in front.'
      : 'An account number has 8 digits.'),
} as const satisfies Record<(typeof WHO_FIELDS)[number], Rule>

export interface Limits {
  readonly min: string
  readonly max_per_payout: string
}

export function amountProblem(typed: string, limits: Limits): true | string {
  const amount = readAmount(typed)
  if (amount === null) return amountMistake(typed)
  if (isMore(limits.min, amount)) return `The smallest payout is ${gbp(limits.min)}.`
  if (isMore(amount, limits.max_per_payout)) return `The largest payout is ${gbp(limits.max_per_payout)}.`
  return true
}

/** Only for a draft without problems. */
export function requestOf(draft: Draft): CreatePayoutRequest {
  const optional = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value.trim() })
  return {
    amount_gbp: readAmount(draft.amount) ?? '',
    ...optional('reference', draft.reference),
    recipient: {
      type: draft.type,
      first_name: draft.firstName.trim(),
      last_name: draft.lastName.trim(),
      ...optional('email', draft.email),
      address: {
        line1: draft.line1.trim(),
        ...optional('line2', draft.line2),
        city: draft.city.trim(),
        postal_code: tidyPostcode(draft.postcode),
      },
      bank: {
        bank_name: draft.bankName.trim(),
        sort_code: readSortCode(draft.sortCode) ?? '',
        account_number: readAccountNumber(draft.accountNumber) ?? '',
      },
    },
  }
}

export const fullName = (draft: Pick<Draft, 'firstName' | 'lastName'>) =>
  `${draft.firstName.trim()} ${draft.lastName.trim()}`.trim()

const FIELD_OF: Readonly<Record<string, keyof Draft>> = {
  'recipient.first_name': 'firstName',
  'recipient.last_name': 'lastName',
  'recipient.email': 'email',
  'recipient.address.line1': 'line1',
  'recipient.address.line2': 'line2',
  'recipient.address.city': 'city',
  'recipient.address.postal_code': 'postcode',
  'recipient.bank.bank_name': 'bankName',
  'recipient.bank.sort_code': 'sortCode',
  'recipient.bank.account_number': 'accountNumber',
  amount_gbp: 'amount',
  reference: 'reference',
}

/** The fields that the server complained about: `missing` carries a rule behind each name, `fields` does not. */
export function fieldsNamedIn(details: Readonly<Record<string, unknown>>): readonly (keyof Draft)[] {
  const names = [details['missing'], details['fields']].flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
  return names.flatMap((name) => FIELD_OF[name.split(/[\s(:]/)[0] ?? ''] ?? [])
}
