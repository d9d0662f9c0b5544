// The operations as a Postman collection (format 2.1). `base` and `key` are its variables.
import { SERVICE_NAME } from '../../core/service-version.ts'
import type { OpenApiDocument, OpenApiOperation } from './complete-document.ts'

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

type Named = OpenApiOperation & { readonly summary?: string; readonly tags?: readonly string[] }

export function postmanCollection(document: OpenApiDocument, publicUrl: string): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation: operation as Named })),
  )
  // What the dashboard's own pages call is no use to a program.
  const callable = operations.filter(({ operation }) => operation.tags?.[0] !== 'Dashboard')
  const tags = [...new Set(callable.map(({ operation }) => operation.tags?.[0] ?? 'Other'))]
  return {
    info: { name: SERVICE_NAME, schema: FORMAT, description: 'Set the variable `key` to a sandbox key of yours.' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'base', value: publicUrl },
      { key: 'key', value: 'kp_sandbox_…' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: callable.filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag).map(requestItem),
    })),
  }
}

interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: Named
}

function requestItem({ path, method, operation }: Operation): object {
  const parameters = operation.parameters ?? []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const body = bodyOf(operation)
  const segments = path.split('/').filter((part) => part !== '')
  const steps = segments.map((part) => part.replaceAll(/\{(\w+)\}/g, ':$1'))
  return {
    name: operation.summary ?? operation.operationId,
    request: {
      method,
      header: headersOf(operation, body !== null),
      ...(operation.security.length === 0 ? { auth: { type: 'noauth' } } : {}),
      url: {
        raw: `{{base}}/${steps.join('/')}`,
        host: ['{{base}}'],
        path: steps,
        variable: inPath.map(({ name, example }) => ({ key: name, value: textOf(example) })),
        // There to be switched on, one by one.
        query: inQuery.map(({ name, example }) => ({ key: name, value: textOf(example), disabled: true })),
      },
      ...(body === null ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

function headersOf(operation: Named, hasBody: boolean): object[] {
  const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header')
  return [
    ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ...named.map(({ name, example }) =>
      name === 'Idempotency-Key'
        ? { key: name, value: 'order-1042', description: 'Your own name for this payment: one per payment.' }
        : { key: name, value: textOf(example), disabled: true },
    ),
  ]
}

/** The first example of a JSON body. */
function bodyOf(operation: Named): string | null {
  const examples = operation.requestBody?.content['application/json']?.examples ?? {}
  const [first] = Object.values(examples as Record<string, { value?: unknown }>)
  return first?.value === undefined ? null : JSON.stringify(first.value, null, 2)
}

function textOf(example: unknown): string {
  return typeof example === 'string' || typeof example === 'number' ? String(example) : ''
}
