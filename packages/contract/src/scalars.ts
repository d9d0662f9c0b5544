// The words that several resources share.
import { Type, type Static } from 'typebox'

import { Words } from './schema.ts'

export const MONEY_PATTERN = '^\\d+\\.\\d{2}$'

/** The specification's MoneyString: text with exactly two decimals. The description says which money it is. */
export function Money(description: string, example: string) {
  return Type.String({ pattern: MONEY_PATTERN, description, examples: [example] })
}

export const Environment = Words(['sandbox', 'live'], {
  description: 'Test money or real money. An API key belongs to exactly one of them.',
})
export type Environment = Static<typeof Environment>

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Day = Type.String({ format: 'date' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Country = Words(['GB'], { default: 'GB', description: 'Where the recipient banks.' })
