// Adds what the schemas cannot say: realistic examples, the headers of answers, and header names in their usual
// spelling.
import { type ErrorCode, ERROR_CODES, ERROR_DETAILS, SLUG_PATTERN } from '@kestrel/contract'

import { comesBeforeKey, nothingWasSent, statusOf } from '../errors/error-catalogue.ts'
import { FAILURE_EXAMPLES, failureExample } from './failure-examples.ts'
import type { NamedExamples, OperationExamples } from './examples.ts'
import { operationExamples } from './operation-examples.ts'
import { PROCESSING } from './payout-examples.ts'
import { inReadingOrder } from './reading-order.ts'
import { RESPONSE_HEADERS, headersOf } from './response-headers.ts'
import { WEBHOOK_ANSWERS, WEBHOOK_PARAMETERS, webhooksSection } from './webhooks-section.ts'

interface Media {
  schema: object
  examples?: object
}

interface Parameter {
  name: string
  in: string
  schema: { readonly 'x-words'?: readonly string[] }
  example?: unknown
}

export interface OpenApiOperation {
  operationId: string
  security: readonly object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  'x-bytes'?: readonly string[]
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>
}

export interface OpenApiDocument {
  openapi: string
  info: object
  servers: object
  tags: object
  paths: Record<string, Record<string, OpenApiOperation>>
  /** What arrives at a receiver, by the type of the event. */
  webhooks?: object
  components: object
  /** Each code with its status, whether it proves that nothing was sent, and whether it comes before the idempotency key. */
  'x-error-codes'?: object
}

/** Fastify wants header names in lower case; nobody writes them so. */
const HEADER_SPELLING: Readonly<Record<string, string>> = {
  'confirm-code': 'Confirm-Code',
  'idempotency-key': 'Idempotency-Key',
  'max-wallet-debit-usdc': 'Max-Wallet-Debit-USDC',
  'last-event-id': 'Last-Event-ID',
}

/** The shape of an id. It is not in the schema that validates: a malformed id is answered 404, like an unknown one. */
const PATH_PARAMETERS: Readonly<Record<string, { rule: object; example: string }>> = {
  id: { rule: { format: 'uuid' }, example: PROCESSING.id },
  slug: { rule: { pattern: SLUG_PATTERN }, example: 'thistle-market' },
}

export function completeDocument(document: OpenApiDocument, publicUrl: string): OpenApiDocument {
  const { openapi, info, servers, tags, paths, components } = document
  const examples = operationExamples(publicUrl)
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    completeOperation(operation, examples[operation.operationId])
  }
  // In the order in which a person would read it.
  return {
    openapi,
    info,
    servers,
    tags,
    paths: inReadingOrder(paths),
    webhooks: webhooksSection(),
    components: {
      ...components,
      headers: RESPONSE_HEADERS,
      examples: failureExamples(publicUrl),
      responses: WEBHOOK_ANSWERS,
      parameters: WEBHOOK_PARAMETERS,
    },
    'x-error-codes': errorCodes(),
  }
}

function completeOperation(operation: OpenApiOperation, examples: OperationExamples | undefined): void {
  describeBytes(operation)
  for (const { content } of Object.values(operation.responses)) {
    for (const [type, media] of Object.entries(content ?? {}))
      if (/^(image|application\/pdf)/.test(type)) media.schema = BYTES
  }
  for (const parameter of operation.parameters ?? []) completeParameter(parameter)
  if (examples?.request !== undefined) addExamples(operation.requestBody, examples.request)
  for (const [status, response] of Object.entries(operation.responses)) {
    const codes = codesIn(response.description)
    const needsKey = operation.security.length > 0
    const isTagged = '304' in operation.responses && codes.length === 0
    const names = headersOf({ status, codes, needsKey, isTagged, isReplay: isReplay(operation, status) })
    response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
    const own = examples?.answers[status]
    addExamples(response, own ?? failuresOf(codes))
  }
}

const BYTES = { type: 'string', format: 'binary' }

/** A body of bytes has no schema that validates, so it is described here. */
function describeBytes(operation: OpenApiOperation): void {
  const { 'x-bytes': types, ...described } = operation
  if (types === undefined) return
  const schema = BYTES
  const requestBody = { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
  delete operation['x-bytes']
  Object.assign(operation, { ...described, requestBody })
}

function completeParameter(parameter: Parameter): void {
  if (parameter.in === 'header') parameter.name = HEADER_SPELLING[parameter.name] ?? parameter.name
  const words = parameter.schema['x-words']
  if (words !== undefined) {
    // Validated as the text that it is, and described as the list that it means.
    parameter.schema = { type: 'array', items: { type: 'string', enum: words } } as Parameter['schema']
    parameter.example = String(parameter.example).split(',')
  }
  const known = parameter.in === 'path' ? PATH_PARAMETERS[parameter.name] : undefined
  if (known === undefined) return
  parameter.schema = { ...parameter.schema, ...known.rule }
  parameter.example = known.example
}

function isReplay(operation: OpenApiOperation, status: string): boolean {
  return operation.operationId === 'createPayout' && status === '200'
}

function addExamples(holder: { content?: Record<string, Media> } | undefined, examples: object): void {
  for (const media of Object.values(holder?.content ?? {})) media.examples = examples
}

/** In the description of a failing status, each of its codes begins a paragraph. */
function codesIn(description: string): ErrorCode[] {
  return ERROR_CODES.filter((code) => `\n\n${description}`.includes(`\n\n\`${code}\`: `))
}

function failuresOf(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
}

function failureExamples(publicUrl: string): NamedExamples {
  const codes = ERROR_CODES.filter((code) => code in FAILURE_EXAMPLES)
  return Object.fromEntries(codes.map((code) => [code, { summary: code, value: failureExample(code, publicUrl) }]))
}

/** What a program can decide by a code, for clients that are made from the document. */
function errorCodes(): object {
  return Object.fromEntries(ERROR_CODES.map((code) => [code, errorCode(code)]))
}

function errorCode(code: ErrorCode): object {
  const details = ERROR_DETAILS[code]
  return {
    status: statusOf(code),
    nothing_was_sent: nothingWasSent(code),
    comes_before_key: comesBeforeKey(code),
    ...(details === undefined ? {} : { details: { $ref: `#/components/schemas/${details.$id}` } }),
  }
}
