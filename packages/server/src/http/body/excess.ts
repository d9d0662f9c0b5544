// What is wrong with a request by its sheer amount: fields that nobody knows, and lists that are too long. It is found
// without looking at each of them, so that refusing thousands costs no more than refusing twenty.
import type { FastifySchemaValidationError } from 'fastify'

import { type Schema, resolved } from './schema-fields.ts'

/** So many offences are listed, and no more. */
export const MOST_LISTED = 20

/** Complaints of a validator that need not look any further; null when it may. */
export function excessOf(schema: Schema, value: unknown): FastifySchemaValidationError[] | null {
  const found: FastifySchemaValidationError[] = []
  const isTooMuch = look(schema, value, '', found)
  return isTooMuch || found.length > MOST_LISTED ? found : null
}

/** True when a list is too long: what is in it is of no interest then. */
function look(schema: Schema, value: unknown, path: string, found: FastifySchemaValidationError[]): boolean {
  const { properties, maxItems } = resolved(schema) ?? {}
  if (Array.isArray(value)) {
    const isTooLong = maxItems !== undefined && value.length > maxItems
    if (isTooLong) found.push(complaint('maxItems', path, {}))
    return isTooLong
  }
  if (typeof value !== 'object' || value === null || properties === undefined) return false
  let isTooMuch = false
  for (const [name, member] of Object.entries(value)) {
    if (found.length > MOST_LISTED) return true
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined) found.push(complaint('additionalProperties', path, { additionalProperty: name }))
    else if (look(field, member, `${path}/${name}`, found)) isTooMuch = true
  }
  return isTooMuch
}

function complaint(
  keyword: string,
  instancePath: string,
  params: FastifySchemaValidationError['params'],
): FastifySchemaValidationError {
  return { keyword, instancePath, params, schemaPath: '' }
}
