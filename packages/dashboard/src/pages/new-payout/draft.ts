// What stands in the form, what is wrong with it, and the request it becomes.
import type { CreatePayoutRequest, QuoteRecipient } from '@kestrel/contract'

import { isPostcode, isSevenDigits, readAccountNumber, readSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { amountMistake, gbp, isMore, readAmount } from '../../format/money.ts'
import { isEmail, splitName } from '../../format/people.ts'

export interface Draft {
  readonly type: 'individual' | 'business'
  /** Of a business: the name on its account. */
  readonly businessName: string
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
  businessName: '',
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
  'businessName',
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

/** The longest texts that the API takes, in characters. */
export const LONGEST = { name: 80, reference: 120 } as const

export const lengthOf = (typed: string) => [...typed.trim()].length

/** A text that is too long is refused, not shortened: half a name is another name. */
export function tooLong(typed: string, most: number): string | undefined {
  const over = lengthOf(typed) - most
  return over > 0 ? `That is ${over} too many: at most ${most} characters.` : undefined
}

const named =
  (what: string): Rule =>
  (typed) =>
    tooLong(typed, LONGEST.name) ?? filled(what)(typed)

export const RULES = {
  businessName: named('the name of the business'),
  firstName: named('the first name'),
  lastName: named('the last name'),
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

/**
 * The API has two names for everybody. A business's is taken apart at its last word, and put together again by the
 * service: the bank gets it whole. Of a business of one word the last name is a dash, which the service leaves out.
 */
function namesOf(draft: Draft): { first_name: string; last_name: string } {
  if (draft.type === 'individual') return { first_name: draft.firstName.trim(), last_name: draft.lastName.trim() }
  const { first, last } = splitName(draft.businessName)
  return { first_name: first, last_name: last === '' ? '-' : last }
}

/** The fields that are asked of a person or of a business. */
export const asksFor =
  ({ type }: Pick<Draft, 'type'>) =>
  (field: keyof Draft) =>
    type === 'business' ? field !== 'firstName' && field !== 'lastName' : field !== 'businessName'

/** The part of the recipient that the server compares with earlier payouts. */
export function comparedOf(draft: Draft): QuoteRecipient {
  const { first_name, last_name, bank } = requestOf(draft).recipient
  return { first_name, last_name, bank: { sort_code: bank.sort_code, account_number: bank.account_number } }
}

/** Only for a draft without problems. */
export function requestOf(draft: Draft): CreatePayoutRequest {
  const optional = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value.trim() })
  return {
    amount_gbp: readAmount(draft.amount) ?? '',
    ...optional('reference', draft.reference),
    recipient: {
      type: draft.type,
      ...namesOf(draft),
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

export const fullName = (draft: Pick<Draft, 'type' | 'businessName' | 'firstName' | 'lastName'>) =>
  draft.type === 'business'
    ? draft.businessName.trim().replaceAll(/\s+/g, ' ')
    : `${draft.firstName.trim()} ${draft.lastName.trim()}`.trim()

const FIELD_OF: Readonly<Record<string, keyof Omit<Draft, 'type' | 'businessName'>>> = {
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
export function fieldsNamedIn(
  details: Readonly<Record<string, unknown>>,
  type: Draft['type'] = 'individual',
): readonly (keyof Draft)[] {
  const names = [details['missing'], details['fields']].flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
  const fields = names.flatMap((name) => FIELD_OF[name.split(/[\s(:]/)[0] ?? ''] ?? [])
  // The form asks for a business's name in one field, which is sent as both.
  const shown = fields.map((field) =>
    type === 'business' && (field === 'firstName' || field === 'lastName') ? 'businessName' : field,
  )
  return [...new Set(shown)]
}

const WORDS_FOR: Readonly<Record<(typeof FIELD_OF)[string], string>> = {
  firstName: 'the first name',
  lastName: 'the last name',
  email: 'the email',
  line1: 'address line 1',
  line2: 'address line 2',
  city: 'the town or city',
  postcode: 'the postcode',
  bankName: 'the bank name',
  sortCode: 'the sort code',
  accountNumber: 'the account number',
  amount: 'the amount',
  reference: 'the reference',
}

/** What the server says of a payout, with the form's words for its fields in place of the API's. */
export function inFormWords(message: string): string {
  return message
    .replace('recipient.first_name, recipient.last_name', 'the name')
    .replaceAll(/\brecipient\.[a-z0-9_.]*[a-z0-9_]/g, (path) => {
      const field = FIELD_OF[path]
      return field === undefined ? path : WORDS_FOR[field]
    })
}
