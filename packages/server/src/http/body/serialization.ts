// Turns answers into JSON by their schemas. Compiling them all took most of the start, and most are the one shape of
// every error. So a schema is compiled for its first answer, once however many routes share it.
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type BuildSerializer = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildSerializer']>
type Serialize = (answer: unknown) => string

export const buildLazySerializers: BuildSerializer = (sharedSchemas, options) => {
  const compile = SerializerSelector()(sharedSchemas, options)
  const bySchema = new Map<string, Serialize>()
  return (route) => {
    const text = JSON.stringify(route.schema)
    const known = bySchema.get(text)
    if (known !== undefined) return known
    let compiled: Serialize | null = null
    const serialize: Serialize = (answer) => {
      compiled ??= compile(route) as Serialize
      return compiled(answer)
    }
    bySchema.set(text, serialize)
    return serialize
  }
}
