// Schemas as the document has them.

export type Json = Record<string, unknown>

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Without what only the library that wrote it reads, and with references as the document has them. */
export function published(schema: Json): [name: string, schema: Json] {
  const { $id, ...rest } = JSON.parse(JSON.stringify(schema)) as Json & { $id: string }
  const text = JSON.stringify(rest).replaceAll(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"')
  return [$id, JSON.parse(text) as Json]
}
