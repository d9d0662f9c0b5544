// TypeScript for the JSON Schemas that the document uses. Money becomes a type of its own, so that numbers do not compile.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly not?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly pattern?: string
  readonly description?: string
}

/** Two decimals, or more where the sum is no whole number of pence. */
const MONEY: Readonly<Record<string, string>> = {
  '^\\d+\\.\\d{2}$': 'Money',
  '^\\d+\\.\\d{2,8}$': 'ExactMoney',
  '^-?\\d+\\.\\d{2,6}$': 'ExactMoney',
}

export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1)!)
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return unionOf(several, indent)
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => plainType(type, schema, indent)).join(' | ')
}

/** Languages have an Error of their own. */
export function nameOf(schema: string): string {
  return schema === 'Error' ? 'ErrorBody' : schema
}

/** Words that may become more one day: an editor offers those that are known, and any other compiles. */
function unionOf(parts: readonly Schema[], indent: string): string {
  const isOpen = parts.some((part) => part.enum !== undefined) && parts.some(isAnyText)
  const shown = isOpen ? parts.filter((part) => !isAnyText(part)) : parts
  const types = shown.map((part) => typeOf(part, indent))
  return [...new Set([...types, ...(isOpen ? ['(string & {})'] : [])])].join(' | ')
}

function isAnyText(schema: Schema): boolean {
  return schema.type === 'string' && schema.enum === undefined && schema.const === undefined
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
      // Told apart from the words that are known, so that these tell the members of a union apart.
      return schema.not === undefined ? (MONEY[schema.pattern ?? ''] ?? 'string') : 'OtherWord'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${inBrackets(typeOf(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    case 'boolean':
    case 'null':
      return type
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const more = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  if (properties === undefined) return `Record<string, ${more}>`
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${commentOf(schema.description, inner)}${inner}${propertyName(name)}${mark}: ${typeOf(schema, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

export function commentOf(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}

export function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value)
}

function inBrackets(type: string): string {
  return /[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type
}
