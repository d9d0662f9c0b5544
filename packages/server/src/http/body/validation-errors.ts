// Translates a validator's findings into the specification's errors: by the field that is wrong, not by how it is
// wrong.
import { type FIELD_ERROR_CODES, VISIBLE_OR_EMPTY, VISIBLE_TEXT } from '@kestrel/contract'
import type { FastifySchemaValidationError } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { MOST_LISTED } from './excess.ts'
import { type Schema, fieldOf, schemaAt } from './schema-fields.ts'

export const UNKNOWN_FIELD = 'not a known field'

interface Offence {
  /** The top-level field of the body that it is under; a name may contain dots. */
  readonly under: string
  /** The field, as a path such as recipient.bank.sort_code. */
  readonly field: string
  /** What would be right, as the caller should read it. */
  readonly rule: string
  readonly code: (typeof FIELD_ERROR_CODES)[number]
}

/** The order in which the groups are reported (ARCHITECTURE.md, order of checks). */
export function bodyRefusal(errors: readonly FastifySchemaValidationError[], schema: Schema, body: unknown): AppError {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body === undefined
      ? new AppError('invalid_json', 'The request has no body. Send a JSON object with Content-Type: application/json.')
      : new AppError('invalid_request', 'The body is not a JSON object.', {
          details: { fields: ['(body) (an object)'] },
        })
  }
  const offences = errors.flatMap((error) => offencesOf(error, schema, body))
  const below = (name: string) => offences.filter((offence) => offence.under === name)
  const [country, amount, recipient] = [below('country'), below('amount_gbp'), below('recipient')]
  const others = offences.filter(({ under }) => !['country', 'amount_gbp', 'recipient'].includes(under))
  if (others.length > 0) return fieldsRefusal(others)
  if (country.length > 0) {
    return new AppError('corridor_not_enabled', 'Payouts go to GB only. Send "country": "GB" or leave it out.', {
      details: { enabled_countries: ['GB'] },
    })
  }
  if (amount.length > 0) return amountRefusal((body as { amount_gbp?: unknown }).amount_gbp)
  const { entries: missing, errors: each, inWords } = listed(recipient)
  return new AppError('invalid_recipient', `The recipient is incomplete or malformed: ${inWords}.`, {
    details: { missing, errors: each },
  })
}

const LONGEST_AMOUNT = 24

/** People forget the pence, send pence, or a number: the answer repeats what came beside what should have. */
function amountRefusal(amount: unknown): AppError {
  const came =
    typeof amount === 'string'
      ? `is ${JSON.stringify(amount.slice(0, LONGEST_AMOUNT))}`
      : amount === undefined
        ? 'is missing'
        : 'is not a text'
  return new AppError('invalid_amount', `amount_gbp ${came}. Send pounds as text with two decimals, such as "120.50".`)
}

export function queryRefusal(errors: readonly FastifySchemaValidationError[], schema: Schema): AppError {
  return fieldsRefusal(errors.flatMap((error) => offencesOf(error, schema, undefined)))
}

function fieldsRefusal(offences: readonly Offence[]): AppError {
  const { entries: fields, errors, inWords } = listed(offences)
  return new AppError('invalid_request', `The request is not acceptable: ${inWords}.`, {
    details: { fields, errors },
  })
}

/** One entry per field, in the order of the schema's complaints, and no more than anybody reads. */
function listed(offences: readonly Offence[]): { entries: string[]; errors: object[]; inWords: string } {
  const all = new Map(offences.map(({ field, rule, code }) => [`${field} (${rule})`, { field, rule, code }]))
  const entries = [...all.keys()].slice(0, MOST_LISTED)
  const errors = [...all.values()].slice(0, MOST_LISTED)
  return { entries, errors, inWords: `${entries.join(', ')}${all.size > entries.length ? ' and more' : ''}` }
}

function offencesOf(error: FastifySchemaValidationError, root: Schema, body: unknown): Offence[] {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty'])
    return requiredLeaves([...at, name], fieldOf(schemaAt(root, at), name))
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    const field = [...at, name.slice(0, LONGEST_NAME)].join('.')
    return [{ under: at[0] ?? '', field, rule: UNKNOWN_FIELD, code: 'unknown_field' }]
  }
  const schema = schemaAt(root, at)
  // Another value in the place of an object hides all of its fields: each counts as missing.
  if (error.keyword === 'type' && schema?.properties !== undefined) return requiredLeaves(at, schema)
  const rule = `${ruleOf(schema, error.message)}${hintFor(error, { root, at, body })}`
  return [{ under: at[0] ?? '', field: at.join('.'), rule, code: 'invalid' }]
}

/** A hint where the rule alone would puzzle somebody who sees that their text is not too long. */
function hintFor(
  { keyword }: FastifySchemaValidationError,
  { root, at, body }: { root: Schema; at: readonly string[]; body: unknown },
): string {
  if (isNeedlessNull(root, at, body)) return '; leave it out instead of null'
  const isDisguised = keyword === 'pattern' && READABLE.has(schemaAt(root, at)?.pattern ?? '')
  return isDisguised && valueAt(body, at) !== '' ? '; something visible, no control or direction characters' : ''
}

const READABLE: ReadonlySet<string> = new Set([VISIBLE_TEXT, VISIBLE_OR_EMPTY])

/** An unknown name is repeated only as far as is needed to find it. */
const LONGEST_NAME = 60

/** Null for a field that could simply be left out. */
function isNeedlessNull(root: Schema, path: readonly string[], body: unknown): boolean {
  const name = path.at(-1)
  return (
    valueAt(body, path) === null &&
    name !== undefined &&
    schemaAt(root, path.slice(0, -1))?.required?.includes(name) !== true
  )
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
    body,
  )
}

/** A missing object is missing each of its required fields. */
function requiredLeaves(path: readonly string[], schema: Schema | undefined): Offence[] {
  if (schema?.properties === undefined) {
    return [{ under: path[0] ?? '', field: path.join('.'), rule: ruleOf(schema, undefined), code: 'required' }]
  }
  return (schema.required ?? []).flatMap((name) => requiredLeaves([...path, name], fieldOf(schema, name)))
}

function ruleOf(schema: Schema | undefined, message: string | undefined): string {
  return schema?.['x-rule'] ?? message ?? 'required'
}
