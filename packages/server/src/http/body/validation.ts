// Reads a request strictly: nothing is coerced, dropped or filled in. Only in the query, which is text by nature, are
// numbers read.
import { PUBLISHED_SCHEMAS } from '@kestrel/contract'
import addFormats from 'ajv-formats'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'

import { excessOf } from './excess.ts'

const STRICT: Options = {
  strict: true,
  allErrors: true,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  allowUnionTypes: true,
  verbose: false,
  // That the schemas are schemas is tested; asking again took a twentieth of a start (test/docs/openapi.test.ts).
  validateSchema: false,
}

function reader(options: Options): Ajv {
  const ajv = new Ajv(options)
  addFormats.default(ajv)
  ajv.addKeyword('x-rule')
  ajv.addKeyword('x-words')
  ajv.addKeyword('x-open')
  for (const schema of PUBLISHED_SCHEMAS) ajv.addSchema(schema)
  return ajv
}

/** One per process, made for the first request: it compiles a schema once, however many servers are built. */
let strictReader: Ajv | null = null

/** Makes it before anybody asks. */
export function prepareReader(): void {
  strictReader ??= reader(STRICT)
}

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type BuildValidator = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>

/** Fastify calls this once per server; without it, it would load a validator of its own. It is declared for that one's schemas. */
export const buildLazyValidators = (() => createValidatorCompiler()) as unknown as BuildValidator

function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    const validate = compiledWhenNeeded(schema)
    if (httpPart === 'querystring') return stoppingEarly(readingText(validate, schema), schema)
    return httpPart === 'body' ? stoppingEarly(validate, schema) : validate
  }
}

/** Compiling the validators of all routes took a third of the time that a server needs to be ready. */
function compiledWhenNeeded(schema: TSchema): ValidateFunction {
  let compiled: ValidateFunction | null = null
  const validate = (value: unknown): boolean => {
    strictReader ??= reader(STRICT)
    compiled ??= strictReader.compile(schema)
    const isValid = compiled(value)
    validate.errors = compiled.errors
    return isValid
  }
  validate.errors = null as ValidateFunction['errors']
  return validate as unknown as ValidateFunction
}

/** The validator lists every offence; a request with very many is refused without it. */
function stoppingEarly(validate: ValidateFunction, schema: TSchema): ValidateFunction {
  const stopping = (value: unknown): boolean => {
    stopping.errors = excessOf(schema, value)
    if (stopping.errors !== null) return false
    const isValid = validate(value)
    stopping.errors = (validate.errors ?? null) as typeof stopping.errors
    return isValid
  }
  stopping.errors = null as ReturnType<typeof excessOf>
  return stopping as unknown as ValidateFunction
}

/**
 * A query is text. Where a whole number is expected, digits are read as one, and nothing else is. Where several words are, they
 * come with commas between them or each by itself: programs that are made from the document write either.
 */
function readingText(validate: ValidateFunction, schema: TSchema): ValidateFunction {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown; 'x-words'?: unknown }> }
  const names = Object.keys(properties)
  const numbers = names.filter((name) => properties[name]?.type === 'integer')
  const lists = names.filter((name) => properties[name]?.['x-words'] !== undefined)
  const reading = (query: Record<string, unknown>): boolean => {
    for (const name of numbers) {
      const text = query[name]
      if (typeof text === 'string' && /^\d{1,9}$/.test(text)) query[name] = Number.parseInt(text, 10)
    }
    for (const name of lists) {
      const texts = query[name]
      if (Array.isArray(texts)) query[name] = texts.join(',')
    }
    const isValid = validate(query)
    reading.errors = validate.errors
    return isValid
  }
  reading.errors = validate.errors
  return reading as unknown as ValidateFunction
}
