// What each behaviour of the bank on the wire means for a payment, against a server that behaves so. What is not certain
// is unknown, and every request is made once.
import { type RequestListener, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { KEY_ANSWERS } from '../../../test/support/key-answers.ts'
import { selfSigned } from '../../../test/support/self-signed.ts'
import { CREATED, REQUEST } from '../../../test/support/transfer-request.ts'
import type { SubmitAnswer } from '../port.ts'
import { ProviderClient } from './provider-client.ts'
import { createProviderRail } from './provider-rail.ts'

const open: { close: () => void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return (server.address() as AddressInfo).port
}

async function submitTo(baseUrl: string, totalTimeoutMs = 5_000, connectTimeoutMs = 20_000): Promise<SubmitAnswer> {
  const client = new ProviderClient({ baseUrl, apiKey: 'sk-test', connectTimeoutMs, totalTimeoutMs })
  try {
    return await createProviderRail('provider_sandbox', client).submit(REQUEST)
  } finally {
    await client.close()
  }
}

/** How the adapter reads a bank that behaves like this, and how often it asked. */
async function submitted(
  behave: RequestListener,
  totalTimeoutMs?: number,
): Promise<{ answer: SubmitAnswer; asked: number }> {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    // All of the request has arrived: nobody can say that nothing left.
    request.resume().on('end', () => behave(request, response))
  })
  const answer = await submitTo(`http://127.0.0.1:${await listening(server)}/v0`, totalTimeoutMs)
  server.closeAllConnections()
  return { answer, asked }
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }

const refusing = (status: number, code: string, key?: string, location = 'body') =>
  answering(status, { code, message: `It is ${code}.`, ...(key === undefined ? {} : { source: { location, key } }) })

/** Orders are answered so, and the recipient is there, or not (null), or cannot be read. */
const withRecipient =
  (recipient: unknown, behave: RequestListener): RequestListener =>
  (request, response) => {
    if (request.method !== 'GET') return behave(request, response)
    const status = recipient === null ? 404 : typeof recipient === 'string' ? 500 : 200
    return answering(status, recipient ?? {})(request, response)
  }

const NAMELESS = { ...CREATED, client_reference_id: undefined }
const FIELDS_IN_OBJECT = { code: 'invalid_parameters', message: 'Please resubmit the following parameters.' }

const notReached = (code: string) => ({ kind: 'not_sent', reason: expect.stringMatching(`(${code}).*\\)`) as string })
describe('certain: no byte of the payment can have been acted on', () => {
  it('a port where nobody listens', async () => {
    const gone = createServer()
    const port = await listening(gone)
    await new Promise((resolve) => gone.close(resolve))
    expect(await submitTo(`http://127.0.0.1:${port}/v0`)).toMatchObject(notReached('ECONNREFUSED'))
  })

  it('a name without an address', async () => {
    expect(await submitTo('http://bank.invalid/v0')).toMatchObject(notReached('ENOTFOUND|EAI_AGAIN'))
  })

  it('a certificate that nobody vouches for', async () => {
    let asked = 0
    const port = await listening(createTlsServer(selfSigned(), () => (asked += 1)))
    expect(await submitTo(`https://127.0.0.1:${port}/v0`)).toMatchObject(notReached('SELF_SIGNED'))
    expect(asked).toBe(0)
  })

  it('a port that does not speak TLS', async () => {
    let asked = 0
    const port = await listening(createServer(() => (asked += 1)))
    expect(await submitTo(`https://127.0.0.1:${port}/v0`)).toMatchObject(notReached('SSL|EPROTO'))
    expect(asked).toBe(0)
  })

  it('a connection that is not made in time', async () => {
    const port = await listening(
      createTcpServer(() => undefined).on('connection', (socket) => open.push(closing(socket))),
    )
    expect(await submitTo(`https://127.0.0.1:${port}/v0`, 5_000, 500)).toMatchObject(notReached('CONNECT_TIMEOUT'))
  })

  it.each([
    ['429', answering(429, { code: 'rate_limited', message: 'Slow down.' }, { 'retry-after': '1' })],
    ['429 without a word', answering(429, '')],
    ['401', answering(401, { code: 'required', location: 'header', name: 'Api-Key', message: 'Missing Api-Key' })],
    ['403 without a domain code', answering(403, { message: 'Forbidden' })],
    ['403 of a proxy', answering(403, '<html>Forbidden</html>')],
    ['400 for our own mistake', refusing(400, 'invalid_parameters')],
    ['400 for a customer who is not ready', refusing(400, 'invalid_parameters', 'on_behalf_of')],
    ['400 in the shape of a customer’s', answering(400, { code: 'bad_customer_request', message: 'No.', name: 'x,y' })],
    ['400 for a wallet that is empty', refusing(400, 'invalid_parameters', 'source.bridge_wallet_id')],
    ['400 for a rate that has moved', refusing(400, 'invalid_parameters', 'source.amount')],
    ['400 with its fields in an object', answering(400, { ...FIELDS_IN_OBJECT, source: { key: { amount: 'low' } } })],
    ['404 for a customer it does not know', refusing(404, 'Invalid')],
    ['422 for a field of the body', refusing(422, 'invalid_parameters', 'source.amount')],
  ])('an answer of %s', async (what, behave) => {
    const { answer, asked } = await submitted(behave)
    expect(answer.kind).toBe('not_sent')
    // Only what the bank has read and refused can prove anything of the requests before it.
    expect('isVerdict' in answer).toBe(/^4(00|04|22) /.test(what))
    expect(asked).toBe(1)
  })
})

describe('refused: the account cannot be paid', () => {
  const ACCOUNT = 'destination.external_account_id'
  it.each<[string, RequestListener]>([
    ['400 for its account', refusing(400, 'invalid_parameters', ACCOUNT)],
    ['422 for its account', refusing(422, 'invalid_parameters', ACCOUNT)],
    [
      '400 for its account, in an object',
      answering(400, { ...FIELDS_IN_OBJECT, source: { key: { [ACCOUNT]: 'is not taken' } } }),
    ],
    ['403 for its screening', refusing(403, 'aml_violation')],
  ])('an answer of %s', async (what, behave) => {
    const { answer, asked } = await submitted(withRecipient({ active: true }, behave))
    expect(answer).toMatchObject({ kind: 'rejected', isVerdict: true })
    // The recipient is looked at once more: one that the bank has lost is not to blame.
    expect(asked).toBe(what.includes('account') ? 2 : 1)
  })

  it.each([
    { recipient: { active: false }, trouble: 'recipient' },
    { recipient: null, trouble: 'recipient' },
    { recipient: 'no answer', trouble: undefined },
  ])('not while the bank has the recipient as $recipient', async ({ recipient, trouble }) => {
    const { answer } = await submitted(withRecipient(recipient, refusing(400, 'invalid_parameters', ACCOUNT)))
    expect(answer).toMatchObject({ kind: 'not_sent', isVerdict: true })
    expect('trouble' in answer ? answer.trouble : undefined).toBe(trouble)
  })

  it.each([
    ['another field', refusing(400, 'invalid_parameters', 'destination.amount')],
    ['a path', refusing(400, 'invalid_parameters', ACCOUNT, 'path')],
    ['no field, though its code speaks of an account', refusing(400, 'account_rejected')],
  ])('not an answer about %s', async (_, behave) => {
    expect((await submitted(behave)).answer.kind).toBe('not_sent')
  })
})

/** Whatever its status and its code: none is proof that nothing was made. */
const ABOUT_KEYS = KEY_ANSWERS.flatMap((body) =>
  [400, 403, 404, 409, 422].map((status): [string, RequestListener] => [
    `${status} with ${JSON.stringify(body)}`,
    answering(status, body),
  ]),
)

describe('unknown: it may have been acted on', () => {
  it('no answer in time', async () => {
    const { answer, asked } = await submitted(() => undefined, 300)
    expect(answer.kind).toBe('unknown')
    expect(asked).toBe(1)
  })

  it.each<[string, RequestListener]>([
    ['a connection reset after the request', (request) => request.socket.resetAndDestroy()],
    ['a connection closed after the request', (request) => request.socket.destroy()],
    [
      'half an answer',
      (request, response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' })
        response.write('{"id":"tr_1",')
        setTimeout(() => request.socket.destroy(), 20)
      },
    ],
    ['an answer of more than a megabyte', answering(201, { ...CREATED, more: 'x'.repeat(1_100_000) })],
    ['408', refusing(408, 'timeout')],
    ...ABOUT_KEYS,
    ['409 for whatever reason', refusing(409, 'conflict')],
    ['422 that names no field', refusing(422, 'unprocessable_entity')],
    ['422 for a field that is not in the body', refusing(422, 'invalid_parameters', 'starting_after', 'query')],
    ['422 for a field whose place is not said', answering(422, { ...FIELDS_IN_OBJECT, source: { key: { a: 'b' } } })],
    ['400 for a reference that has a transfer already', refusing(400, 'duplicate_record', 'client_reference_id')],
    ['400 that is not the bank’s', answering(400, '<html>Bad Request</html>')],
    ['400 without a code', answering(400, {})],
    ['404 that is not the bank’s', answering(404, 'Not Found')],
    ['500', answering(500, { errors: [{ code: 'unexpected', message: 'An unexpected error occurred' }] })],
    ['500 with an account’s field', refusing(500, 'invalid_parameters', 'destination.external_account_id')],
    ['502', answering(502, '<html>Bad Gateway</html>')],
    ['503', refusing(503, 'unavailable')],
    ['504', refusing(504, 'gateway_timeout')],
    ['a redirect', answering(307, '', { location: '/v0/elsewhere' })],
    ['a redirect for good', answering(308, '', { location: 'https://127.0.0.1:1/' })],
    ['201 that is not JSON', answering(201, '<html><body>OK</body></html>')],
    ['201 that is empty', answering(201, '')],
    ['201 that is null', answering(201, null)],
    ['204', answering(204, '')],
    ['201 without an id', answering(201, { ...CREATED, id: undefined })],
    ['201 without an amount', answering(201, { ...CREATED, amount: undefined, receipt: undefined })],
    ['201 with a state that is new', answering(201, { ...CREATED, state: 'quantum' })],
    ['201 for another reference', answering(201, { ...CREATED, client_reference_id: 'another' })],
    ['201 for no reference, another amount', answering(201, { ...NAMELESS, receipt: { initial_amount: '32.06' } })],
    ['201 for no reference, nothing that arrives', answering(201, { ...NAMELESS, destination: {} })],
    ['201 for a penny less', answering(201, { ...CREATED, destination: { amount: '24.99' } })],
    ['201 for a penny more', answering(201, { ...CREATED, destination: { amount: '25.01' } })],
    ['201 that takes a millionth more', answering(201, { ...CREATED, receipt: { initial_amount: '32.070001' } })],
  ])('%s', async (_, behave) => {
    const { answer, asked } = await submitted(behave)
    expect(answer.kind).toBe('unknown')
    // No hidden retries, no redirects followed.
    expect(asked).toBe(1)
  })
})

describe('accepted: the bank has it, and says so with our own figures', () => {
  it.each([
    ['pending', 'accepted', 'none'],
    ['awaiting_funds', 'awaiting_funds', 'none'],
    ['underfunded', 'awaiting_funds', 'none'],
    ['payment_processed', 'settled', 'none'],
    // Refused from the start: the wallet was never drawn, so there is nothing to wait for.
    ['undeliverable', 'undeliverable', 'done'],
  ])('201 that is %s', async (bankState, state, refund) => {
    const { answer, asked } = await submitted(answering(201, { ...CREATED, state: bankState }))
    expect(answer).toMatchObject({ kind: 'accepted', transfer: { transferRef: 'tr_1', state, refund, bankState } })
    expect(asked).toBe(1)
  })

  it.each([
    ['without what arrives', { ...CREATED, destination: {} }],
    ['without a reference, with every figure', NAMELESS],
  ])('201 %s', async (_what, body) => {
    expect((await submitted(answering(201, body))).answer).toMatchObject({ kind: 'accepted' })
  })

  it('200, when it is the answer of the first time again', async () => {
    const { answer } = await submitted(answering(200, CREATED, { 'idempotent-replayed': 'true' }))
    expect(answer).toMatchObject({ kind: 'accepted', transfer: { transferRef: 'tr_1' } })
  })
})

describe('a payment on the wire', () => {
  it('is the same to the byte however often it is asked for, with the payout’s id as its key', async () => {
    const seen: { method: string; url: string; key: unknown; apiKey: unknown; body: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        const { 'idempotency-key': key, 'api-key': apiKey } = request.headers
        seen.push({ method: request.method!, url: request.url!, key, apiKey, body })
        answering(201, CREATED)(request, response)
      })
    })
    const baseUrl = `http://127.0.0.1:${await listening(server)}/v0`
    await submitTo(baseUrl)
    await submitTo(baseUrl)
    expect(seen[1]).toEqual(seen[0])
    expect({ ...seen[0], body: JSON.parse(seen[0]!.body) as unknown }).toEqual({
      method: 'POST',
      url: '/v0/transfers',
      key: REQUEST.clientReference,
      apiKey: 'sk-test',
      body: {
        client_reference_id: REQUEST.clientReference,
        on_behalf_of: 'cust_1',
        developer_fee: '0.0',
        source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: 'wallet_1', amount: '32.07' },
        destination: {
          payment_rail: 'faster_payments',
          currency: 'gbp',
          external_account_id: 'ea_1',
          amount: '25.00',
          reference: 'Invoice 1042 of No',
        },
      },
    })
  })
})

function closing(socket: { destroy: () => void }): { close: () => void } {
  return { close: () => socket.destroy() }
}
