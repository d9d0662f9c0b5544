// The OpenAPI document with as much of its shape as the tests look at.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { writtenDocs } from '../../src/http/written-docs.ts'

const ROOT = join(import.meta.dirname, '../../../..')

export interface Media {
  readonly schema: { readonly $ref?: string }
  readonly examples: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
}

interface Response {
  readonly description: string
  readonly headers: object
  readonly content: Readonly<Record<string, Media>>
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly summary?: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

interface Arrival {
  readonly operationId: string
  readonly parameters: readonly { readonly $ref: string }[]
  readonly requestBody: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: object
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Arrival }>>
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string; readonly schema: object }>>
    readonly schemas: Readonly<Record<string, object>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: object
  }
  readonly 'x-error-codes': Readonly<Record<string, { readonly details?: { readonly $ref: string } }>>
}

export interface NamedOperation {
  /** Such as `POST /v1/payouts`. */
  readonly name: string
  readonly operation: DocumentedOperation
}

export async function openApiDocument(): Promise<OpenApiDocument> {
  const docs = await writtenDocs((path) => readFileSync(join(ROOT, path), 'utf8'))
  return JSON.parse(docs['docs/openapi.json'] ?? '') as OpenApiDocument
}

/** Each operation, with the failures that it shares with others as if they were its own. */
export function operationsOf(document: OpenApiDocument): NamedOperation[] {
  const { responses: shared } = document.components
  const own = (response: Response & { readonly $ref?: string }) =>
    response.$ref === undefined ? response : shared[response.$ref.split('/').at(-1)!]!
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const responses = Object.entries(operation.responses).map(
        ([status, response]) => [status, own(response)] as const,
      )
      const name = `${method.toUpperCase()} ${path}`
      return { name, operation: { ...operation, responses: Object.fromEntries(responses) } }
    }),
  )
}

/** The JSON of an answer, or the other content of the few that are not JSON. */
export function jsonOf(holder: { readonly content: Readonly<Record<string, Media>> }): Media {
  return holder.content['application/json'] ?? Object.values(holder.content)[0]!
}
