// Reads the bank's answers leniently: unknown fields are ignored, missing ones are reported. Everything that is read
// can be stored: no NUL, no half characters, and nothing too long for an index.
import { RailUnavailable, UnreadableAnswer } from '../port.ts'

export type Json = Readonly<Record<string, unknown>>

/** Ids, states, amounts and names; an index of the database takes about 2,700 bytes of all its columns. */
const LONGEST_WORD = 500
/** Addresses of pages, and keys. */
const LONGEST_TEXT = 4_000
/** The moments that are believed: this bank has no rows from before or after these. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]

export function asObject(value: unknown): Json {
  if (isJson(value)) return value
  throw new UnreadableAnswer('The bank’s answer is not an object.')
}

/** A bank in trouble may answer with something that is not even JSON. That is worth another try. */
export function wholeAnswer(body: unknown): Json {
  if (isJson(body)) return body
  throw new RailUnavailable('The bank’s answer is not an object.')
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(json: Json, name: string): string {
  return required(name, optionalText(json, name))
}

export function longText(json: Json, name: string): string {
  return required(name, optionalLongText(json, name))
}

function required(name: string, value: string | null): string {
  if (value !== null) return value
  throw new UnreadableAnswer(`The bank’s answer has no ${name}.`)
}

/** Null where the field is missing. A field that is there and is no text is an error, not a missing one. */
export function optionalText(json: Json, name: string): string | null {
  return keepable(json, name, LONGEST_WORD)
}

export function optionalLongText(json: Json, name: string): string | null {
  return keepable(json, name, LONGEST_TEXT)
}

/** Text that only people read is cut short rather than refused. */
export function freeText(json: Json, name: string): string | null {
  const value = keepable(json, name, Number.POSITIVE_INFINITY)
  return value === null ? null : value.slice(0, LONGEST_WORD).toWellFormed()
}

function keepable(json: Json, name: string, longest: number): string | null {
  const value = json[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new UnreadableAnswer(`The bank’s answer has a ${name} that is no text.`)
  if (value.length > longest)
    throw new UnreadableAnswer(`The bank’s answer has a ${name} of ${value.length} characters.`)
  if (value.includes('\u0000') || !value.isWellFormed()) {
    throw new UnreadableAnswer(`The bank’s answer has a ${name} with characters that cannot be kept.`)
  }
  return value
}

export function moment(json: Json, name: string): Date {
  const value = new Date(text(json, name))
  if (value.getTime() >= EARLIEST && value.getTime() < LATEST) return value
  throw new UnreadableAnswer(`The bank’s answer has a ${name} that is no moment.`)
}

/** A field that cannot be read counts as missing. */
export const wordOrNull = (json: Json, name: string): string | null => orNull(() => freeText(json, name))

/** The same of a moment. */
export const momentOrNull = (json: Json, name: string): Date | null => orNull(() => moment(json, name))

function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
