// What an entry of the log says of a change besides the action: what it was about by its name, and the values before and after. They
// are the business's own names and settings; of recipients there is nothing.
import { CHANGED_FIELDS, type Change, type ChangedField } from '@kestrel/contract'

export interface Audited {
  /** How it is called, such as “orders” of a key. */
  readonly subject: string | null
  readonly changes: readonly Change[]
}

type Values = Readonly<Partial<Record<ChangedField, unknown>>>

/** Longer values say no more in a log. */
const LONGEST = 300

/** The fields that differ, of those that have words. A thing that is new has no values before. */
export function changesBetween(before: Values, after: Values): Change[] {
  return (Object.keys(CHANGED_FIELDS) as ChangedField[]).flatMap((field) => {
    if (!(field in after)) return []
    const change = { field, before: textOf(before[field]), after: textOf(after[field]) }
    return change.before === change.after ? [] : [change]
  })
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = Array.isArray(value) ? value.join(', ') : `${value as string | number | boolean}`
  // Half a character has no place in JSON: PostgreSQL would refuse the entry, and all that are written with it.
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
}

/** A name in the middle of a sentence. */
export const called = (name: string): string => `“${name}”`
