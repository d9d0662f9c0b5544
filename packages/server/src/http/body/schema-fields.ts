// Finds the fields of a schema, which may be spread over several published ones.
import { PUBLISHED_SCHEMAS } from '@kestrel/contract'

export interface Schema {
  readonly type?: unknown
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly maxItems?: number
  readonly pattern?: string
  readonly 'x-rule'?: string
}

const published = new Map<string, Schema>(PUBLISHED_SCHEMAS.map((schema) => [schema.$id, schema as Schema]))

export function schemaAt(root: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((schema, name) => fieldOf(schema, name), resolved(root))
}

/** A name that every object inherits is no field. */
export function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = resolved(schema)?.properties ?? {}
  return Object.hasOwn(properties, name) ? resolved(properties[name]) : undefined
}

export function resolved(schema: Schema | undefined): Schema | undefined {
  return schema?.$ref === undefined ? schema : published.get(schema.$ref.replace(/#$/, ''))
}
