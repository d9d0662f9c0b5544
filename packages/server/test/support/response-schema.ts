// Every answer that a test sees is checked against the published description of its route: the status must be one
// that is described, and the body must fit its schema, with nothing in it that the schema does not name.
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }> }>
  >
  readonly components: { readonly schemas: Record<string, object> }
  readonly 'x-error-codes': Record<string, { readonly details?: { readonly $ref: string } }>
}

/** Servers of one process describe their routes alike, and a description takes as long to write as a server to build. */
let firstDocument: OpenApi | undefined
const validators = new Map<string, ValidateFunction>()

export function checkAgainstSchema(app: FastifyInstance, request: InjectOptions, reply: LightMyRequestResponse): void {
  firstDocument ??= documentOf(app)
  const path = pathOf(request.url as string)
  // A route that the first server did not have is in the description of its own.
  const document = templateFor(firstDocument, path) === undefined ? documentOf(app) : firstDocument
  const template = templateFor(document, path)
  const operation =
    template === undefined ? undefined : document.paths[template]?.[(request.method ?? 'GET').toLowerCase()]
  const isDescribed = operation?.responses[reply.statusCode] !== undefined
  if (operation !== undefined && !isDescribed && ![400, 404, 405, 408, 413, 414, 415, 431].includes(reply.statusCode)) {
    throw new Error(`${request.method} ${template} answered ${reply.statusCode}, which its description does not have`)
  }
  const name =
    isDescribed && operation !== undefined
      ? schemaName(operation.responses[reply.statusCode]!)
      : reply.statusCode >= 400
        ? 'Error'
        : null
  if (name === null || !String(reply.headers['content-type']).startsWith('application/json')) return
  const validate = validatorFor(document, name)
  if (!validate(reply.json())) {
    throw new Error(`The answer does not fit ${name}: ${JSON.stringify(validate.errors)}\n${reply.body}`)
  }
  if (name === 'Error') checkDetails(document, reply)
}

/** Details have the schema of their code, and only codes that have one have any. */
function checkDetails(document: OpenApi, reply: LightMyRequestResponse): void {
  const { code, details } = reply.json<{ error: { code: string; details?: unknown } }>().error
  if (details === undefined) return
  const name = document['x-error-codes'][code]?.details?.$ref.split('/').at(-1)
  if (name === undefined) throw new Error(`The details of ${code} have no schema: ${reply.body}`)
  const validate = validatorFor(document, name)
  if (!validate(details)) throw new Error(`The details of ${code}: ${JSON.stringify(validate.errors)}\n${reply.body}`)
}

function pathOf(url: string): string {
  return (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1')
}

function documentOf(app: FastifyInstance): OpenApi {
  return app.swagger() as unknown as OpenApi
}

/** An address that is written out comes before one with a place for an id. */
function templateFor(document: OpenApi, path: string): string | undefined {
  if (document.paths[path] !== undefined) return path
  return Object.keys(document.paths).find((each) => matches(each, path))
}

const patterns = new Map<string, RegExp>()

function matches(template: string, path: string): boolean {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
  patterns.set(template, pattern)
  return pattern.test(path)
}

function schemaName(response: {
  $ref?: string
  content?: Record<string, { schema: { $ref?: string } }>
}): string | null {
  // Only failures are shared by operations.
  if (response.$ref !== undefined) return 'Error'
  const schema = response.content?.['application/json']?.schema
  return schema?.$ref?.split('/').at(-1) ?? null
}

function validatorFor(document: OpenApi, name: string): ValidateFunction {
  const existing = validators.get(name)
  if (existing !== undefined) return existing
  const made = ajvOf(document).compile({ $ref: `openapi#/components/schemas/${name}` })
  validators.set(name, made)
  return made
}

const ajvs = new WeakMap<OpenApi, Ajv2020>()

/** One for all schemas of a description, which is itself checked by a test of its own: each reads and compiles anew. */
function ajvOf(document: OpenApi): Ajv2020 {
  const existing = ajvs.get(document)
  if (existing !== undefined) return existing
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', components: closed(document.components) as object })
  ajvs.set(document, ajv)
  return ajv
}

/** The same schemas, with every object closed: a field that is not described must not be sent. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === '$ref' ? `openapi${String(member)}` : closed(member)]),
  )
  return 'properties' in copy && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy
}
