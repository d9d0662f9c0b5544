// Turns answers into JSON by their schemas. Compiling them all took most of the start, and most are the one shape of
// every error. So a schema is compiled for its first answer, once per process, however many routes and servers share it.
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { PUBLISHED_SCHEMAS } from '@kestrel/contract'
import type { FastifyServerOptions } from 'fastify'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type BuildSerializer = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildSerializer']>
type Serialize = (answer: unknown) => string

/** What schemas refer to. The same in every server, so that what is compiled for one serves the next. */
const SHARED = Object.fromEntries(PUBLISHED_SCHEMAS.map((schema) => [schema.$id, schema]))
const bySchema = new Map<string, Serialize>()

/** Loads what compiles them before anybody asks: the bundle reads it when it is first used. */
export function prepareWriter(): void {
  SerializerSelector()
}

/** Fastify calls this once per route. */
export const buildLazySerializers: BuildSerializer = (_sharedSchemas, options) => {
  return (route) => {
    const text = JSON.stringify(route.schema)
    const known = bySchema.get(text)
    if (known !== undefined) return known
    let compiled: Serialize | null = null
    const serialize: Serialize = (answer) => {
      compiled ??= SerializerSelector()(SHARED, options)(route) as Serialize
      return compiled(answer)
    }
    bySchema.set(text, serialize)
    return serialize
  }
}

type Bucket = ReturnType<NonNullable<SchemaController['bucket']>>

/** Holds a server's shared schemas. Fastify asks for all of them twice per route, and its own bucket copies them each time. */
export function schemaBucket(inherited?: unknown): Bucket {
  const schemas: Record<string, unknown> = { ...(inherited as Record<string, unknown> | undefined) }
  return {
    // A copy: what writes the documentation may change what it is given.
    add: (schema) => {
      const { $id } = schema as { $id: string }
      schemas[$id] = structuredClone(schema)
      // Declared as the server, and used by nobody.
      return undefined as never
    },
    getSchema: (id) => schemas[id],
    getSchemas: () => schemas,
  }
}
