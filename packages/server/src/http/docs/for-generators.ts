// What the document says otherwise than the schemas that validate, so that clients made from it are good: words that may become
// more, no defaults that make a field look as if it had to be sent, details by code, events by type, and what operations share said
// once.
import { ERROR_DETAILS, FieldError } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'

import type { OpenApiDocument, OpenApiOperation } from './complete-document.ts'
import { withEvents } from './published-events.ts'
import { type Json, published, refTo } from './published-schema.ts'

type Schemas = Record<string, Json>

export function forGenerators(document: OpenApiDocument): OpenApiDocument {
  const { schemas, responses: own } = document.components as { schemas: Schemas; responses: Json }
  const described = Object.fromEntries(
    Object.entries(withEvents(withDetails(schemas))).map(([name, each]) => [name, readable(each)]),
  )
  const responses = shareResponses(Object.values(document.paths).flatMap((path) => Object.values(path)))
  const components = { ...document.components, schemas: described as Schemas, responses: { ...responses, ...own } }
  return { ...document, components }
}

/** Every details of a code is a schema with a name, and an error has one of them. */
function withDetails(schemas: Schemas): Schemas {
  const named = [FieldError, ...Object.values(ERROR_DETAILS)].map((schema) => published(schema as unknown as Json))
  const error = structuredClone(schemas['Error']!) as { properties: { error: { properties: { details: Json } } } }
  const { details } = error.properties.error.properties
  const known = Object.values(ERROR_DETAILS).map(({ $id }) => refTo($id))
  details['anyOf'] = [...known, { type: 'object', additionalProperties: true }]
  return { ...schemas, Error: error, ...Object.fromEntries(named) }
}

/** A schema and all within it: open words are open, and a default is said in words. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable)
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readable(member)]))
  return 'type' in schema && !isSchema(schema['type']) ? inWords(opened(schema)) : schema
}

/** A property may be called `type`; its value is a schema then, and no word. */
function isSchema(type: unknown): boolean {
  return typeof type === 'object' && !Array.isArray(type)
}

function opened(schema: Json): Json {
  const { 'x-open': isOpen, enum: words, ...rest } = schema
  if (isOpen !== true || !Array.isArray(words)) return schema
  const known = { type: 'string', enum: words.filter((word) => word !== null) }
  const empty = words.includes(null) ? [{ type: 'null' }] : []
  // With the type beside it: the reference page takes a schema without one for a mistake.
  return { ...rest, anyOf: [known, { type: 'string' }, ...empty] }
}

function inWords(schema: Json): Json {
  if (!('default' in schema)) return schema
  const { default: usual, description, ...rest } = schema
  const said = typeof description === 'string' ? description : ''
  return { ...rest, description: /by default/i.test(said) ? said : `${said} By default \`${String(usual)}\`.`.trim() }
}

/** Failures that several operations can answer are written once, and referred to. */
function shareResponses(operations: readonly OpenApiOperation[]): Json {
  const uses = new Map<string, number>()
  const failures = operations.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, response]) => ({ responses, status, text: JSON.stringify(response) })),
  )
  for (const { text } of failures) uses.set(text, (uses.get(text) ?? 0) + 1)
  const names = new Map<string, string>()
  const shared: Json = {}
  for (const { responses, status, text } of failures) {
    if (uses.get(text) === 1) continue
    const name = names.get(text) ?? freeName(status, shared)
    names.set(text, name)
    shared[name] = JSON.parse(text)
    responses[status] = { $ref: `#/components/responses/${name}` } as unknown as (typeof responses)[string]
  }
  return shared
}

/** Such as `NotFound`, and `Forbidden2` where there is more than one kind. */
function freeName(status: string, taken: Json): string {
  const name = (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '')
  let number = 1
  const numbered = () => (number === 1 ? name : `${name}${number}`)
  while (numbered() in taken) number += 1
  return numbered()
}
