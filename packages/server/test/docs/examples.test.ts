// "A runnable example per endpoint" really runs: in a shell, with curl, against the service.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { COMPLETED, FAILED, PROCESSING, QUOTE } from '../../src/http/docs/payout-examples.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, createPayout } from '../support/fixtures.ts'
import { jsonOf, openApiDocument, operationsOf } from './openapi-document.ts'

const operations = operationsOf(await openApiDocument())

const ANYTHING: unknown = expect.anything()
/** What differs from one payout to the next. */
const ANY = { id: ANYTHING, created_at: ANYTHING, updated_at: ANYTHING }

/** Answers that are the same everywhere, and so are just what the examples of answers show. */
const SAMPLE_ANSWERS: Readonly<Record<string, object>> = {
  createQuote: QUOTE,
  createPayout: { ...PROCESSING, ...ANY, quote: QUOTE },
}

let test: TestApp
let partner: TestPartner
let address: string
let payoutId: string

beforeAll(async () => {
  test = await startTestApp()
  // The partner that the examples name.
  partner = await aPartner(test, { slug: 'thistle-market' })
  payoutId = (await createPayout(test, partner)).json().id
  address = await test.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => test.close())

interface CurlAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Runs a sample as a reader would, except that curl also says the status. */
async function run(sample: string): Promise<CurlAnswer> {
  const source = sample.replaceAll(PUBLIC_URL, address)
  const script = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}' "$@"; }\n${source}\n`
  const env = { PATH: process.env['PATH'], KEY: partner.key, PAYOUT_ID: payoutId }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
  const lines = stdout.split('\n')
  return { status: Number(lines.pop()), body: JSON.parse(lines.join('\n')) as Record<string, unknown> }
}

describe('every curl sample, pasted into a shell', () => {
  it.each(operations)('$name is answered with success', async ({ name, operation }) => {
    const answer = await run(operation['x-codeSamples']?.[0]?.source ?? '')
    expect(answer.body).not.toHaveProperty('error')
    expect(answer.body).toEqual(SAMPLE_ANSWERS[operation.operationId] ?? ANYTHING)
    expect(answer.status).toBe(name === 'POST /v1/payouts' ? 201 : 200)
  })
})

describe('every request example of POST /v1/payouts', () => {
  const create = operations.find(({ name }) => name === 'POST /v1/payouts')!.operation
  const examples = jsonOf(create.requestBody!).examples

  const send = (body: unknown, key = anIdempotencyKey()) =>
    test.request({
      method: 'POST',
      url: '/v1/payouts',
      headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
      payload: body as object,
    })

  it.each(Object.entries(examples))('%s creates a payout', async (_label, { value }) => {
    expect((await send(value)).statusCode).toBe(201)
  })

  it('has the outcome that the examples of answers show', async () => {
    expect((await send(examples['fails']?.value)).json()).toEqual({ ...FAILED, ...ANY, quote: QUOTE })
    const key = anIdempotencyKey()
    await send(examples['person']?.value, key)
    test.clock.advance(2_000)
    await test.follow()
    const replay = await send(examples['person']?.value, key)
    expect(replay.statusCode).toBe(200)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.json()).toEqual({ ...COMPLETED, ...ANY })
  })
})
