// Reading a request strictly: nothing is coerced, dropped or filled in. Only the query, which is text by nature,
// has its numbers read.
import { PUBLISHED_SCHEMAS } from '@kestrel/contract'
import addFormats from 'ajv-formats'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

const STRICT: Options = {
  strict: true,
  allErrors: true,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  allowUnionTypes: true,
  verbose: false,
}

function reader(options: Options): Ajv {
  const ajv = new Ajv(options)
  addFormats.default(ajv)
  ajv.addKeyword('x-rule')
  for (const schema of PUBLISHED_SCHEMAS) ajv.addSchema(schema)
  return ajv
}

export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const bodies = reader(STRICT)
  const queries = reader({ ...STRICT, coerceTypes: true })
  return ({ schema, httpPart }): ValidateFunction =>
    httpPart === 'body' ? bodies.compile(schema) : queries.compile(schema)
}
