// The OpenAPI document: valid, complete, and nothing answers that it does not describe.
import { Validator } from '@seriousme/openapi-schema-validator'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ERROR_CODES } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type Media, jsonOf, openApiDocument, operationsOf } from './openapi-document.ts'
import { routesOf } from './routes-of.ts'

/** The table of endpoints (spec, part 4). */
const SPECIFIED = [
  'GET /',
  'GET /v1',
  'GET /v1/public/partners/{slug}',
  'GET /v1/account',
  'GET /v1/balance',
  'GET /v1/compliance',
  'GET /v1/activity',
  'GET /v1/recipients',
  'POST /v1/quotes',
  'GET /v1/payouts',
  'POST /v1/payouts',
  'GET /v1/payouts/{id}',
  'GET /v1/usage',
  'GET /v1/invoices',
  'GET /v1/keys',
]

/** What needs neither a key nor a session. */
const OPEN = new Set([
  'GET /',
  'GET /v1',
  'GET /.well-known/kestrel-signing-keys',
  'GET /.well-known/kestrel-webhook-keys/{endpoint_id}',
  'GET /v1/auth/options',
  'GET /v1/public/partners/{slug}',
  'GET /v1/public/partners/{slug}/logo',
  'GET /v1/receipts/{token}',
  'POST /v1/auth/code',
  'POST /v1/auth/session',
  'POST /v1/auth/sign-up',
])

/** Statuses that the specification names for an operation (spec, parts 4 and 7). */
const SPECIFIED_STATUSES: Readonly<Record<string, readonly string[]>> = {
  'GET /v1/public/partners/{slug}': ['200', '404'],
  'GET /v1/balance': ['200', '401', '403', '502'],
  'POST /v1/quotes': ['200', '401', '422'],
  'POST /v1/payouts': ['200', '201', '400', '401', '402', '403', '422', '502'],
  'GET /v1/payouts/{id}': ['200', '404'],
}

/** Addresses for people and machines that run the service; the document is about the API. */
const BESIDE_THE_API = [
  /^GET \/(healthz|readyz|metrics|openapi\.(json|yaml)|postman\.json|llms\.txt)$/,
  /^GET \/(docs|dashboard)(\/|$)/,
  /^GET \/receipts(\/\*)?$/,
]

/** Where the bank's messages arrive: partners have no business there, so the document leaves it out. */
const FOR_THE_BANK = '/v1/bank/webhooks/:environment'

const document = await openApiDocument()
const operations = operationsOf(document)
const successes = operations.flatMap(({ name, operation }) =>
  Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => ({ name: `${name}, ${status}`, media: jsonOf(response) })),
)

describe('the document', () => {
  it('is a valid OpenAPI 3.1 document of release 1.3.0', async () => {
    const result = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('1.3.0')
  })

  it('has every endpoint of the specification, with the statuses that it names', () => {
    const described = operations.map(({ name }) => name)
    expect(described).toEqual(expect.arrayContaining(SPECIFIED))
    for (const [name, statuses] of Object.entries(SPECIFIED_STATUSES)) {
      const { responses } = operations.find((each) => each.name === name)!.operation
      expect({ [name]: Object.keys(responses) }).toEqual({ [name]: expect.arrayContaining([...statuses]) })
    }
  })

  it('names its parts after what they are', () => {
    expect(JSON.stringify(document)).not.toMatch(/def-\d/)
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('refers to nothing that is missing', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
    const missing = references.filter((path) => {
      const found = path.split('/').reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document)
      return found === undefined
    })
    expect(missing).toEqual([])
  })
})

describe('clients that are made from the document', () => {
  const text = JSON.stringify(document.components.schemas)

  it('do not have to send what has a default', () => {
    expect(text).not.toMatch(/"default":(?!\{)/)
    expect(text).toContain('By default `GB`.')
  })

  it('take codes that they do not know', () => {
    const anyText = ',{"type":"string"}'
    for (const last of ['"unavailable"]}', '"cancelled","other"]}']) expect(text).toContain(last + anyText)
    expect(text).not.toMatch(/"x-open"|"(unavailable|other)"\]\}(?!,\{"type":"string"\})/)
  })

  it('get bytes as bytes', () => {
    const bytes = operations.flatMap(({ operation }) =>
      [operation.requestBody?.content, operation.responses['200']?.content].flatMap((content) =>
        Object.entries(content ?? {}).filter(([type]) => /pdf|image/.test(type)),
      ),
    )
    expect(bytes.length).toBeGreaterThan(3)
    for (const [, media] of bytes) expect(media.schema).toEqual({ type: 'string', format: 'binary' })
  })

  it('read failures that operations share from one place', () => {
    const { paths, webhooks } = document
    const shared = JSON.stringify({ paths, webhooks }).match(/#\/components\/responses\/\w+/g) ?? []
    expect(new Set(shared).size).toBe(Object.keys(document.components.responses).length)
    expect(shared.length).toBeGreaterThan(500)
  })

  it('know what the details of a code are', () => {
    const codes = document['x-error-codes']
    expect(Object.keys(codes)).toEqual([...ERROR_CODES])
    expect(codes['insufficient_funds']).toEqual({
      status: 402,
      nothing_was_sent: true,
      comes_before_key: false,
      details: { $ref: '#/components/schemas/InsufficientFundsDetails' },
    })
    expect(codes['unavailable']).toEqual({ status: 503, nothing_was_sent: false, comes_before_key: false })
    expect(codes['rate_limited']).toMatchObject({ nothing_was_sent: true, comes_before_key: true })
  })
})

describe.each(operations)('$name', ({ name, operation }) => {
  it('has a summary, a known tag and a curl sample first', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(document.tags.map((tag) => tag.name)).toEqual(expect.arrayContaining([...operation.tags]))
    expect(operation.tags).toHaveLength(1)
    const [sample] = operation['x-codeSamples'] ?? []
    expect(sample).toMatchObject({ lang: 'bash', label: 'curl' })
    expect(sample?.source).toMatch(/^curl "?http:\/\/localhost:3000\//)
  })

  it('says whether it needs a key or a session, and that a bad one is refused', () => {
    const isOpen = OPEN.has(name)
    const isForSessions = operation.tags[0] === 'Dashboard'
    expect(operation.security).toEqual(isOpen ? [] : isForSessions ? [{ session: [] }] : [{ apiKey: [] }])
    expect('401' in operation.responses).toBe(!isOpen)
  })

  it('describes every parameter, and headers in their usual spelling', () => {
    const parameters = operation.parameters ?? []
    expect(parameters.filter(({ description }) => !description)).toEqual([])
    expect(parameters.filter((parameter) => parameter.in === 'header' && !/^[A-Z]/.test(parameter.name))).toEqual([])
  })

  it('shows an example of every answer, and its headers', () => {
    const responses = Object.entries(operation.responses)
    // 304 says nothing beyond its status.
    const withBody = responses.filter(([status]) => status !== '304')
    const holders = [...withBody.map(([, response]) => response), operation.requestBody ?? []].flat()
    expect(holders.filter((holder) => Object.keys(jsonOf(holder).examples).length === 0)).toEqual([])
    expect(responses.filter(([, { headers }]) => !('X-Request-Id' in headers))).toEqual([])
  })

  it('has an example for each code that it can fail with', () => {
    const failures = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status))
    for (const [, response] of failures) {
      const codes = [...`\n\n${response.description}`.matchAll(/\n\n`([a-z_]+)`: /g)].map((match) => match[1] ?? '')
      expect(Object.keys(jsonOf(response).examples).toSorted()).toEqual(codes.toSorted())
      for (const code of codes) expect(document.components.examples[code]?.value).toMatchObject({ error: { code } })
    }
  })
})

describe('the examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const problemsIn = ({ schema, examples }: Pick<Media, 'schema' | 'examples'>) => {
    const validate = ajv.compile(schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` })
    return Object.entries(examples)
      .map(([label, { value }]) => ({ label, problems: validate(value) ? [] : validate.errors }))
      .filter(({ problems }) => problems?.length !== 0)
  }

  it.each(successes)('of $name fit their schema', ({ media }) => {
    expect(problemsIn(media)).toEqual([])
  })

  it('of requests fit their schema', () => {
    const bodies = operations.flatMap(({ operation }) => operation.requestBody ?? [])
    expect(bodies.length).toBeGreaterThan(2)
    expect(bodies.flatMap((body) => problemsIn(jsonOf(body)))).toEqual([])
  })

  it('of details fit the schema of their code', () => {
    const examples = Object.entries(document.components.examples).map(([code, { value }]) => {
      const { details } = (value as { error: { details?: unknown } }).error
      return { code, details, schema: document['x-error-codes'][code]?.details }
    })
    expect(examples.filter(({ details, schema }) => details !== undefined && schema === undefined)).toEqual([])
    const problems = examples.flatMap(({ code, details, schema }) =>
      details === undefined ? [] : problemsIn({ schema: schema!, examples: { [code]: { value: details } } }),
    )
    expect(problems).toEqual([])
  })

  it('of failures fit the schema of errors', () => {
    const schema = { $ref: '#/components/schemas/Error' }
    expect(problemsIn({ schema, examples: document.components.examples })).toEqual([])
  })
})

describe('the service', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp()
  })
  afterAll(() => test.close())

  it('answers nothing that the document does not describe', async () => {
    const described = new Set(operations.map(({ name }) => name))
    const unknown: string[] = []
    for (const url of routesOf(test.app).filter((each) => each !== FOR_THE_BANK)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
        const reply = await test.app.inject({ method, url })
        // HEAD is there wherever GET is, and is described with it.
        const name = `${method === 'HEAD' ? 'GET' : method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
        const isDescribed = described.has(name) || BESIDE_THE_API.some((pattern) => pattern.test(name))
        if (reply.statusCode !== 405 && !isDescribed) unknown.push(name)
        if (reply.statusCode === 405 && isDescribed) unknown.push(`${name} is described and not there`)
      }
    }
    expect(unknown).toEqual([])
  })

  it('takes the bank’s messages where the document is silent, signed ones and by POST only', async () => {
    expect(routesOf(test.app)).toContain(FOR_THE_BANK)
    expect(JSON.stringify(document)).not.toContain('/bank/webhooks')
    for (const environment of ['sandbox', 'live', 'elsewhere']) {
      const url = FOR_THE_BANK.replace(':environment', environment)
      const unsigned = await test.app.inject({ method: 'POST', url, payload: { event_id: 'wh_1' } })
      expect(unsigned.statusCode).toBe(environment === 'elsewhere' ? 404 : 401)
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
        expect([404, 405]).toContain((await test.app.inject({ method, url })).statusCode)
      }
    }
  })

  it('serves the document that is written down, under its own address', async () => {
    const reply = await test.app.inject({ url: '/openapi.json' })
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.json()).toEqual(document)
  })
})
