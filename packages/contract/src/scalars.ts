// The words that several resources share.
import { Type, type Static } from 'typebox'

import { Words } from './schema.ts'

export const MONEY_PATTERN = '^\\d+\\.\\d{2}$'

/** The specification's MoneyString: text with exactly two decimals. The description says which money it is. */
export function Money(description: string, example: string) {
  return Type.String({ pattern: MONEY_PATTERN, description, examples: [example] })
}

/** The same with as many decimals as it has, where it is no whole number of pence. */
export function ExactMoney(description: string, example: string) {
  return Type.String({ pattern: '^\\d+\\.\\d{2,8}$', description, examples: [example] })
}

export const Environment = Words(['sandbox', 'live'], {
  description: 'Test money or real money. An API key belongs to exactly one of them.',
})
export type Environment = Static<typeof Environment>

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Day = Type.String({ format: 'date' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
/** The same address as people type it into a form. */
export const EmailInput = Type.String({
  format: 'email',
  maxLength: 254,
  'x-rule': 'an email address',
  examples: ['demo@thistle.test'],
})
/** Control characters, and the marks that turn the writing direction round: they can disguise a text. */
const DISGUISES = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/**
 * Characters that nobody sees: spaces, those that are ignored unless they join something, private and unassigned ones,
 * and the blank of Braille.
 */
const INVISIBLE = '\\s\\p{C}\\p{Default_Ignorable_Code_Point}\\u2800'
/** One rule for every text that people read: something visible, and no disguise. */
export const VISIBLE_TEXT = `^(?=[\\s\\S]*[^${INVISIBLE}])[^${DISGUISES}]*$`
/** The same for what may be left empty. */
export const VISIBLE_OR_EMPTY = `^$|${VISIBLE_TEXT}`

/** Something visible, and none of the characters that can disguise a text. */
export function PlainText(longest: number, example: string) {
  return Type.String({
    minLength: 1,
    maxLength: longest,
    pattern: VISIBLE_TEXT,
    'x-rule': `1 to ${longest} characters`,
    examples: [example],
  })
}
export const SixDigits = Type.String({ pattern: '^[0-9]{6}$', 'x-rule': '6 digits', examples: ['042424'] })
/** Sent with a request that a mailed code guards. */
export const ConfirmCode = {
  ...SixDigits,
  description: 'The mailed code, where this needs one: see `POST /v1/confirm-codes`.',
}
export const Country = Words(['GB'], { default: 'GB', description: 'Where the recipient banks.' })
