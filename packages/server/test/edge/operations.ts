// Every published operation with its route's own config: the tests in this folder are generated from them.
import type { RouteAccess } from '../../src/http/access/route-access.ts'
import type { TestApp } from '../support/app.ts'

export interface SchemaNode {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
}

export interface EdgeOperation {
  readonly name: string
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Such as /v1/payouts/{id}. */
  readonly path: string
  readonly access: RouteAccess
  readonly query: readonly { readonly name: string; readonly schema: SchemaNode }[]
  readonly body: SchemaNode | null
  readonly takesBytes: boolean
}

interface Published {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: SchemaNode }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SchemaNode }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Published>>>>
  readonly components: { readonly schemas: Readonly<Record<string, SchemaNode>> }
}

export function documentOf(test: TestApp): Document {
  return test.app.swagger() as unknown as Document
}

export function edgeOperations(test: TestApp): EdgeOperation[] {
  return Object.entries(documentOf(test).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([word, published]) => {
      const method = word.toUpperCase() as EdgeOperation['method']
      const content = published.requestBody?.content
      return {
        name: `${method} ${path}`,
        id: published.operationId,
        method,
        path,
        access: accessOf(test, method, path),
        query: (published.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        body: content?.['application/json']?.schema ?? null,
        takesBytes: content !== undefined && content['application/json'] === undefined,
      }
    }),
  )
}

/** Read from the route itself, not from the document. */
function accessOf(test: TestApp, method: string, path: string): RouteAccess {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const access = test.app.routeTable.get(`${method} ${url}`)
  if (access === undefined) throw new Error(`${method} ${url} has no route`)
  return access
}
