// The files of the SDK that are made from the published document: its types, its operations, and what each error proves.
import { type Schema, commentOf, nameOf, propertyName, typeOf } from './schema-types.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly summary?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly 'x-error-codes': Readonly<
    Record<
      string,
      { readonly nothing_was_sent: boolean; readonly comes_before_key: boolean; readonly details?: Schema }
    >
  >
}

const HEAD = '// Written by `npm run docs` from docs/openapi.json. Do not edit.\n'

const OTHER_WORD = `/**
 * Any word that was not known when this was written. TypeScript cannot say "any other text", so this is a text that no known
 * word can be: comparing with a known word tells what the rest is.
 */
export type OtherWord = \`\${string}…\`
`

/** The text of each file by its path from the root of the repository. */
export function sdkSources(document: Document): Readonly<Record<string, string>> {
  const operations = keyOperations(document)
  return {
    'packages/sdk/src/generated/types.ts': typesFile(document, schemasOf(document, operations)),
    'packages/sdk/src/generated/operations.ts': operationsFile(document, operations),
    'packages/sdk/src/generated/error-codes.ts': errorCodesFile(document),
  }
}

/** What an API key can call; sessions are the dashboard's. */
export function keyOperations(document: Document): [route: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = [] }]) => security.some((each) => 'apiKey' in each))
      // The same as GET, without a body.
      .filter(([method]) => method !== 'head')
      .map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  )
}

/** The schemas that these operations lead to, in the order of the document. */
function schemasOf(document: Document, operations: readonly [string, Operation][]): string[] {
  const all = document.components.schemas
  const found = new Set<string>()
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(all[name])
    }
  }
  look(operations)
  // Failures are shared by operations, and all of them are errors.
  look({ $ref: '#/components/schemas/Error' })
  look({ $ref: '#/components/schemas/Event' })
  return Object.keys(all).filter((name) => found.has(name))
}

function typesFile(document: Document, names: readonly string[]): string {
  const types = names.map((name) => {
    const schema = document.components.schemas[name]!
    return `${commentOf(schema.description, '')}export type ${nameOf(name)} = ${typeOf(schema)}\n`
  })
  const money = ['Money', 'ExactMoney'].filter((name) => new RegExp(`\\b${name}\\b`).test(types.join('')))
  return `${HEAD}import type { ${money.join(', ')} } from '../money.ts'\n\n${OTHER_WORD}\n${types.join('\n')}`
}

function operationsFile(document: Document, operations: readonly [string, Operation][]): string {
  const entries = operations.map(([route, operation]) => {
    const fields = [
      parametersType('path', operation),
      parametersType('query', operation),
      ...bodyType(operation),
      `answer: ${answerType(operation)}`,
    ]
    return `${commentOf(operation.summary, '  ')}  '${route}': {\n${fields.map((field) => `    ${field}\n`).join('')}  }\n`
  })
  const text = entries.join('')
  const names = Object.keys(document.components.schemas).filter((name) => new RegExp(`\\b${name}\\b(?!')`).test(text))
  const money = /\bMoney\b/.test(text) ? "import type { Money } from '../money.ts'\n" : ''
  return `${HEAD}${money}import type { ${names.join(', ')} } from './types.ts'

/** What each operation of an API key takes and answers. */
export interface Operations {
${text}}
`
}

function parametersType(place: 'path' | 'query', { parameters = [] }: Operation): string {
  // A key has its environment.
  const own = parameters.filter((each) => each.in === place && each.name !== 'environment')
  if (own.length === 0) return `${place}?: Record<string, never>`
  const fields = own.map(({ name, required, description, schema }) => {
    const mark = required === true ? '' : '?'
    return `${commentOf(description, '      ')}      ${propertyName(name)}${mark}: ${parameterType(schema)}\n`
  })
  return `${place}${own.some(({ required }) => required === true) ? '' : '?'}: {\n${fields.join('')}    }`
}

/** One or several, where the API takes several. */
function parameterType(schema: Schema): string {
  const item = schema.type === 'array' ? typeOf(schema.items ?? {}) : null
  return item === null ? typeOf(schema) : `${item} | readonly (${item})[]`
}

function bodyType({ requestBody }: Operation): string[] {
  const schema = requestBody?.content['application/json']?.schema
  return schema === undefined ? [] : [`body: ${typeOf(schema)}`]
}

/** A replay answers with the same schema as the first time. */
function answerType({ responses }: Operation): string {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content['application/json'])
  const types = contents.map((json) => (json === undefined ? 'Response' : typeOf(json.schema)))
  return [...new Set(types)].join(' | ')
}

function errorCodesFile(document: Document): string {
  const codes = Object.entries(document['x-error-codes'])
  const early = codes.filter(([, { comes_before_key: isEarly }]) => isEarly).map(([code]) => code)
  const certain = codes.filter(([, { nothing_was_sent: isCertain }]) => isCertain).map(([code]) => code)
  const detailed = codes.flatMap(([code, { details }]) =>
    details === undefined ? [] : [[code, typeOf(details)] as const],
  )
  return `${HEAD}import type { ${detailed.map(([, type]) => type).join(', ')} } from './types.ts'

export const VERSION = '${document.info.version}'

/** Every code that is known; the service may know more. */
export type ErrorCode = ${codes.map(([code]) => `'${code}'`).join(' | ')}

/** What \`details\` holds, by code. Codes that are not listed have none. */
export interface ErrorDetails {
${detailed.map(([code, type]) => `  ${code}: ${type}\n`).join('')}}

/** Codes that prove that the request sent nothing. */
export const NOTHING_WAS_SENT: ReadonlySet<string> = new Set(
  '${certain.join(' ')}'.split(' '),
)

/** Codes of requests whose idempotency key was not looked up: an earlier request with it may have sent something. */
export const COMES_BEFORE_KEY: ReadonlySet<string> = new Set(
  '${early.join(' ')}'.split(' '),
)
`
}
