// Small builders for the shapes that JSON Schema says in a roundabout way.
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'

/** `T` or null, written as `type: [t, 'null']`: validators, serialisers and OpenAPI 3.1 all read it. */
export function Nullable<T extends TSchema & { type: string }>(schema: T): TUnsafe<Static<T> | null> {
  const words = (schema as { enum?: unknown[] }).enum
  const nulled = { ...schema, type: [schema.type, 'null'] }
  return Type.Unsafe<Static<T> | null>(words === undefined ? nulled : { ...nulled, enum: [...words, null] })
}

/** One of a fixed list of words. */
export function Words<const T extends readonly string[]>(
  words: T,
  options: Record<string, unknown> = {},
): TUnsafe<T[number]> & { type: string } {
  return { ...Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options }), type: 'string' }
}

/** A reference to a schema that is published under its `$id`. */
export function RefTo<T extends TSchema>(schema: T & { $id: string }): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
}

/** The `{object: "list", data: [...]}` that every list of the API has. */
export function ListOf<T extends TSchema & { $id: string }>(item: T, options: { $id: string; description: string }) {
  return {
    ...Type.Object(
      { object: Type.Literal('list'), data: Type.Array(RefTo(item)) },
      { description: options.description },
    ),
    $id: options.$id,
  }
}

/** Gives a schema the name under which it is published. */
export function Named<T extends TSchema, const Id extends string>(id: Id, schema: T): T & { $id: Id } {
  return { ...schema, $id: id }
}
