// Finds what is wrong with a request by sheer amount: unknown fields, and lists that are too long. It does not look at
// each of them, so refusing thousands costs no more than refusing twenty.
import type { FastifySchemaValidationError } from 'fastify'

import { type Schema, resolved } from './schema-fields.ts'

/** At most this many offences are listed. */
export const MOST_LISTED = 20

/** The complaints, when a validator need not look any further; null when it should. */
export function excessOf(schema: Schema, value: unknown): FastifySchemaValidationError[] | null {
  if (roomAfter(value, MOST_LISTED) >= 0) return null
  const found: FastifySchemaValidationError[] = []
  const isTooMuch = look(schema, value, '', found)
  return isTooMuch || found.length > MOST_LISTED ? found : null
}

/**
 * How many fields more it could have and still be listed whole, whatever they are; below zero: it has to be looked at. A list has,
 * because it may be too long by itself. Nearly every request has room, and this asks for no schema.
 */
function roomAfter(value: unknown, room: number): number {
  if (typeof value !== 'object' || value === null) return room
  if (Array.isArray(value)) return -1
  const members = Object.values(value)
  let left = room - members.length
  for (let at = 0; at < members.length && left >= 0; at++) left = roomAfter(members[at], left)
  return left
}

/** True when a list is too long: its content does not matter then. */
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
