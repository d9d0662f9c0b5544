// What the bank says when it refuses, and what that is about. The bank writes its errors in several shapes; this takes what
// it can find.
import { type Json, isJson, wordOrNull } from './json-words.ts'

export interface Refusal {
  readonly code: string
  readonly message: string
  /** Where the fields are that it names: in the body, the query, the path or a header; null: it does not say. */
  readonly location: string | null
  /** Their names, such as `account.sort_code`. */
  readonly fields: readonly string[]
}

export function refusalIn(body: unknown): Refusal {
  const json = isJson(body) ? body : {}
  const [first] = Array.isArray(json['errors']) ? (json['errors'] as unknown[]) : [json]
  const inner = isJson(first) ? first : {}
  const source = isJson(inner['source']) ? inner['source'] : {}
  return {
    code: wordOrNull(inner, 'code') ?? 'none',
    message: (wordOrNull(inner, 'message') ?? 'no message').slice(0, 200),
    location: wordOrNull(source, 'location') ?? wordOrNull(inner, 'location'),
    fields: fieldsIn(source, inner),
  }
}

const MOST_FIELDS = 20

/** In one text, separated by commas, or as an object with a word for each. */
function fieldsIn(source: Json, inner: Json): readonly string[] {
  const { key } = source
  if (isJson(key)) return Object.keys(key).slice(0, MOST_FIELDS)
  const named = wordOrNull(source, 'key') ?? wordOrNull(inner, 'name')
  return (named ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MOST_FIELDS)
}

/**
 * A key that the bank knows with another request, or that is too old, proves that something exists, and not what. Only
 * the message of such an answer is known in public, so its code alone decides nothing.
 */
export function isAboutKey({ code, message, fields }: Refusal): boolean {
  return [code, message, ...fields].some((words) => /idempoten|retry deadline/i.test(words))
}

/** The bank has what it was asked for already, under this name or another. */
export function isDuplicate({ code }: Refusal): boolean {
  return /duplicate/i.test(code)
}

/** The fields of the request itself that are wrong. A refusal that says where, and means elsewhere, names none. */
export function wrongInBody({ location, fields }: Refusal): readonly string[] {
  return location === null || location === 'body' ? fields : []
}
