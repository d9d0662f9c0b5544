// The only JSON reader. It refuses what JSON.parse lets through and money must not: bytes that are not UTF-8, a field
// named twice, names that poison prototypes, NUL and half characters that PostgreSQL cannot store.
import { isUtf8 } from 'node:buffer'

import secureJson from 'secure-json-parse'

import { AppError } from '../../core/errors.ts'

const DEEPEST = 32

/** No real request has a tenth as many. Reading thousands of names costs as much as everything else together. */
const MOST_NAMES = 200

export function parseStrictJson(bytes: Buffer): unknown {
  const names = namesIn(bytes)
  if (names > MOST_NAMES) throw invalid(`The body names more than ${MOST_NAMES} fields.`)
  const text = decode(bytes)
  if (text.startsWith('\uFEFF')) throw invalid('The body begins with a byte order mark. Send plain UTF-8.')
  if (text.trim() === '') throw invalid('The body is empty. Send a JSON object.')
  // Without escapes there is no NUL, no half character and no name that is written in two ways.
  const isLiteral = !text.includes('\\')
  const value = parsed(text, isLiteral && !text.includes('__proto__') && !text.includes('constructor'))
  // As many fields as names: none is named twice. That is nearly every body, and takes a fraction of walking the tokens.
  if (!isLiteral || fieldsIn(value, DEEPEST) !== names) refuseWhatJsonAllows(text)
  return value
}

function parsed(text: string, isHarmless: boolean): unknown {
  try {
    if (isHarmless) return JSON.parse(text)
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

/** The fields of all objects in a value; no number when they are deeper than so many levels. */
function fieldsIn(value: unknown, deepest: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (deepest === 0) return Number.NaN
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let fields = members === value ? 0 : members.length
  for (const member of members) fields += fieldsIn(member, deepest - 1)
  return fields
}

const [COLON, QUOTE, SPACE] = [0x3a, 0x22, 0x20]

/**
 * Counts colons after a quote: as many as there are names, or more when a text holds some. Counted before any name is
 * read.
 */
function namesIn(bytes: Buffer): number {
  let names = 0
  let last = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === COLON && last === QUOTE) names++
    if (byte > SPACE) last = byte
  }
  return names
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  return bytes.toString('utf8')
}

/** Walks the tokens of a text that is known to be JSON, and keeps the names seen in each open object. */
function refuseWhatJsonAllows(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > DEEPEST) throw invalid(`The body is nested deeper than ${DEEPEST} levels.`)
    } else if (character === '}' || character === ']') {
      open.pop()
    } else if (character === '"') {
      const end = endOfString(text, index)
      const string = readString(text.slice(index, end + 1))
      const names = open.at(-1)
      if (names != null && isFollowedByColon(text, end + 1)) {
        if (names.has(string)) throw invalid(`The body names the field ${JSON.stringify(string.slice(0, 60))} twice.`)
        names.add(string)
      }
      index = end
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; ; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
}

function readString(literal: string): string {
  const string = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
  if (string.includes('\u0000')) throw invalid('The body holds a NUL character.')
  if (!string.isWellFormed()) throw invalid('The body holds half of a surrogate pair.')
  return string
}

function isFollowedByColon(text: string, from: number): boolean {
  for (let index = from; index < text.length; index++) {
    const character = text[index]
    if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t') return character === ':'
  }
  return false
}

function invalid(message: string): AppError {
  return new AppError('invalid_json', message)
}
