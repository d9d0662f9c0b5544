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
}

const documents = new WeakMap<FastifyInstance, OpenApi>()
const validators = new Map<string, ValidateFunction>()

export function checkAgainstSchema(app: FastifyInstance, request: InjectOptions, reply: LightMyRequestResponse): void {
  const document = documents.get(app) ?? (app.swagger() as unknown as OpenApi)
  documents.set(app, document)
  const path = pathOf(request.url as string)
  // An address that is written out comes before one with a place for an id.
  const template =
    document.paths[path] === undefined ? Object.keys(document.paths).find((each) => matches(each, path)) : path
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
}

function pathOf(url: string): string {
  return (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1')
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)
}

function schemaName(response: { content?: Record<string, { schema: { $ref?: string } }> }): string | null {
  const schema = response.content?.['application/json']?.schema
  return schema?.$ref?.split('/').at(-1) ?? null
}

function validatorFor(document: OpenApi, name: string): ValidateFunction {
  const existing = validators.get(name)
  if (existing !== undefined) return existing
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', components: closed(document.components) as object })
  const made = ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
  validators.set(name, made)
  return made
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
