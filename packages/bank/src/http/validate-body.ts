// Reads a body strictly: nothing is coerced, dropped or filled in, and every wrong field is named. A schema is compiled
// when it is first needed, once per process.
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

import { invalidParameters } from '../core/bank-error.ts'

const validators = new WeakMap<TSchema, Validator>()

function validatorFor(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? (Compile(schema) as Validator)
  validators.set(schema, validator)
  return validator
}

export const compileBody: FastifySchemaCompiler<TSchema> =
  ({ schema }) =>
  (value: unknown) => {
    const validator = validatorFor(schema)
    if (validator.Check(value)) return { value }
    const keys = validator.Errors(value).flatMap(offendingKeys)
    return { error: invalidParameters('body', [...new Set(keys)]) }
  }

/** `destination.amount`, as the caller wrote it. */
function offendingKeys(error: { readonly instancePath: string; readonly params: object }): string[] {
  const path = error.instancePath.split('/').slice(1)
  const { requiredProperties: missing } = error.params as { requiredProperties?: readonly string[] }
  if (missing !== undefined) return missing.map((name) => [...path, name].join('.'))
  return [path.length === 0 ? 'body' : path.join('.')]
}
