// "A runnable example per endpoint" really runs: in a shell, with curl, against the service.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { parseUsdc } from '../../src/core/money.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { verifyPartner } from '../support/verified.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { setLogo } from '../../src/domain/partners/logo.ts'
import { receiptTokenOf } from '../../src/domain/payouts/read/check-receipt.ts'
import { readPayout } from '../../src/domain/payouts/read/read-payout.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
import { createEndpoint } from '../../src/domain/webhooks/create-endpoint.ts'
import { redeliver } from '../../src/domain/webhooks/replay.ts'
import { INVOICE } from '../../src/http/docs/account-examples.ts'
import { CONNECTED_ACCOUNT, FUNDING, VERIFICATION_STARTED } from '../../src/http/docs/bank-examples.ts'
import { CANCELLED, COMPLETED, FAILED, PROCESSING, QUOTE } from '../../src/http/docs/payout-examples.ts'
import { PUBLIC_URL, TEST_BROWSER } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, sql } from '../support/fixtures.ts'
import { PNG } from '../support/images.ts'
import { aSignInCode, ask, signedIn } from '../support/sessions.ts'
import { jsonOf, openApiDocument, operationsOf } from './openapi-document.ts'

const operations = operationsOf(await openApiDocument())
const create = operations.find(({ name }) => name === 'POST /v1/payouts')!.operation
const examples = jsonOf(create.requestBody!).examples

const ANYTHING: unknown = expect.anything()
const LINK: unknown = expect.stringMatching(/^http:/)
const ADDRESS: unknown = expect.stringMatching(/^0x[0-9a-f]{40}$/)
/** What differs from one payout to the next; the same person is paid the same again and again here. */
const ANY = {
  id: ANYTHING,
  idempotency_key: ANYTHING,
  created_at: ANYTHING,
  updated_at: ANYTHING,
  warnings: expect.any(Array) as unknown,
}

/** Answers that are the same everywhere, and so are just what the examples of answers show. */
const SAMPLE_ANSWERS: Readonly<Record<string, object>> = {
  createQuote: QUOTE,
  createPayout: { ...PROCESSING, ...ANY, quote: QUOTE },
  cancelPayout: { ...CANCELLED, ...ANY, refunded_at: ANYTHING },
  readAccount: {
    ...CONNECTED_ACCOUNT,
    id: ANYTHING,
    funding_wallet: { ...CONNECTED_ACCOUNT.funding_wallet, address: ADDRESS },
  },
  readFunding: {
    ...FUNDING,
    bank_transfer: { ...FUNDING.bank_transfer, account_number: expect.stringMatching(/^\d{8}$/) as unknown },
    onchain: { ...FUNDING.onchain, address: ADDRESS },
    deposits: FUNDING.deposits.map((deposit) => ({ ...deposit, id: ANYTHING, received_at: ANYTHING })),
    top_ups: FUNDING.top_ups.map((each) => ({ ...each, id: ANYTHING, at: ANYTHING })),
  },
  startVerification: {
    ...VERIFICATION_STARTED,
    business_verification: {
      ...VERIFICATION_STARTED.business_verification,
      continue_url: LINK,
      terms_url: LINK,
    },
    account: { ...VERIFICATION_STARTED.account, billing_email: ANYTHING, contact_email: ANYTHING },
  },
}

let test: BankApp
let partner: TestPartner
let address: string
let payoutId: string
/** Where a reader would have the files that samples name. */
let folder: string

beforeAll(async () => {
  test = await startBankApp({ isLive: true })
  // The partner that the examples name, in a sandbox that has been topped up.
  partner = await aPartner(test, { slug: 'thistle-market' })
  await connectWallets(test.deps, 'sandbox')
  await topUp()
  folder = await mkdtemp(join(tmpdir(), 'kestrel-samples-'))
  await writeFile(join(folder, 'logo.png'), PNG)
  await setLogo(test.deps, partner.id, { image: PNG, type: 'image/png' })
  // The bank waits for its money: it can be cancelled then, however long the earlier samples take.
  await test.bank.standStill()
  payoutId = (await send(examples['person']?.value)).json().id
  await test.bank.query('drop trigger stand_still on transfers')
  await anInvoice()
  address = await test.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

const INVOICE_ID = INVOICE.id

async function anInvoice(): Promise<void> {
  await sql(
    test,
    `insert into invoices (partner_id, id, number, month, status, total_pence, issued_at, due_at)
     values ($1, $2, $3, '2026-10-01', 'issued', 4840, $4, $5)`,
    [partner.id, INVOICE_ID, INVOICE.number, INVOICE.issued_at, INVOICE.due_at],
  )
  await sql(
    test,
    `insert into invoice_lines values ($1, $2, 1, 'payout_fees', 'Fees', 40, null, 4840, '2026-10-01', '2026-10-31')`,
    [partner.id, INVOICE_ID],
  )
}

/** Every sample gets its own, because one deletes it. */
async function anEndpoint(): Promise<string> {
  const scope = { partnerId: partner.id, environment: 'sandbox' } as const
  await sql(test, 'delete from webhook_deliveries')
  await sql(test, 'delete from webhook_endpoints')
  // Nobody listens there, so a test of it is answered at once.
  const wanted = { url: 'http://127.0.0.1:9/', description: null, events: ['*'], by: 'finance' }
  return (await createEndpoint(test.deps, scope, wanted)).endpoint.id
}

async function webhookThings(): Promise<Record<'ENDPOINT_ID' | 'EVENT_ID' | 'DELIVERY_ID', string>> {
  const scope = { partnerId: partner.id, environment: 'sandbox' } as const
  const [endpointId, eventId] = [await anEndpoint(), await anEvent()]
  const [delivery] = await redeliver(test.deps, scope, { eventId, endpointId })
  return { ENDPOINT_ID: endpointId, EVENT_ID: eventId, DELIVERY_ID: delivery!.id }
}

async function topUp(): Promise<void> {
  const wallet = (await test.bank.books()).wallets[0]!
  await test.bank.control('POST', `/wallets/${wallet.id}/credit`, { source: 'onchain', amount: '2000.00' })
  await test.bank.control('POST', `/wallets/${wallet.id}/credit`, { source: 'bank', amount_gbp: '395.00' })
  await test.pass(0)
}

function send(body: unknown, key = anIdempotencyKey()) {
  return test.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
    payload: body as object,
  })
}

interface CurlAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A key needs nobody, and signing in costs more than all else. */
const isOfPerson = (sample: string) =>
  /\$\{?(OWN_INVITATION|INVITATION|BROWSER|SESSION|CODE|MEMBER|KEY_ID)/.test(sample)

/** A signed-in session. Every sample of a person gets its own, because some end it. */
async function readersOwn(): Promise<Record<string, string>> {
  const email = 'demo@thistle.test'
  const other = await signedIn(test, partner, { email })
  test.clock.advance(1)
  const { cookie } = await signedIn(test, partner, { email })
  const forgetLimits = () => sql(test, 'delete from allowances')
  await forgetLimits()
  const code = await aSignInCode(test, email)
  await forgetLimits()
  const member = await signedIn(test, partner, { role: 'viewer' })
  await sql(test, `update api_keys set revoked_at = now() where partner_id = $1 and label = 'orders'`, [partner.id])
  const key = await createKey(test.deps, {
    partner: await findPartner(test.deps, partner.slug),
    environment: 'sandbox',
    label: 'orders',
  })
  await sql(test, 'delete from invitations')
  const invited = async (to: TestPartner, whom: string): Promise<string> => {
    const by = await signedIn(test, to)
    const payload = { email: whom, role: 'viewer' }
    return (await ask(test, by, { method: 'POST', url: '/v1/members', payload })).json().id
  }
  const own = await invited(await aPartner(test), email)
  const invitation = await invited(partner, 'priya@nair.test')
  await forgetLimits()
  return {
    OWN_INVITATION_ID: own,
    INVITATION_ID: invitation,
    BROWSER: TEST_BROWSER,
    SESSION: cookie.split('=')[1]!,
    SESSION_ID: other.sessionId,
    CODE: code,
    MEMBER_ID: member.memberId,
    KEY_ID: key.id,
  }
}

async function aLiveKey(): Promise<string> {
  const wanted = { partner: await findPartner(test.deps, partner.slug), environment: 'live', label: null } as const
  return (await createKey(test.deps, wanted)).secret
}

async function anEvent(): Promise<string> {
  return (await sql<{ id: string }>(test, 'select id from events where subject_id = $1 limit 1', [payoutId]))[0]!.id
}

async function aRequest(): Promise<string> {
  await test.deps.activity.flush()
  return (await sql<{ id: string }>(test, 'select id from activity where detail = $1 limit 1', [payoutId]))[0]!.id
}

async function aReceipt(): Promise<string> {
  const scope = { partnerId: partner.id, environment: 'sandbox' } as const
  return receiptTokenOf(test.deps.secrets, await readPayout(test.deps, scope, payoutId))
}

/** Runs a sample as a reader would, except that curl also says the status. */
async function run(sample: string): Promise<CurlAnswer> {
  const source = sample.replaceAll(PUBLIC_URL, address)
  const script = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}' "$@"; }\n${source}\n`
  // One of its own where the sample ends it: the others still need theirs.
  const payout = sample.includes('/simulate') ? (await send(examples['person']?.value)).json().id : payoutId
  const keys = { KEY: partner.key, ...(sample.includes('$LIVE_KEY') ? { LIVE_KEY: await aLiveKey() } : {}) }
  const env = {
    PATH: process.env['PATH'],
    ...keys,
    PAYOUT_ID: payout,
    ...(sample.includes('$REQUEST_ID') ? { REQUEST_ID: await aRequest() } : {}),
    INVOICE_ID,
    ...(sample.includes('$RECEIPT_TOKEN') ? { RECEIPT_TOKEN: await aReceipt() } : {}),
    ...(/ENDPOINT_ID|EVENT_ID|DELIVERY_ID/.test(sample) ? await webhookThings() : {}),
    ...(isOfPerson(sample) ? await readersOwn() : {}),
  }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env, cwd: folder })
  const lines = stdout.split('\n')
  const [status, text] = [Number(lines.pop()), lines.join('\n')]
  return { status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } }
}

/** Samples that end by themselves; a stream goes on until the reader has seen enough. */
const ending = operations.filter(({ operation }) => operation.operationId !== 'streamChanges')

describe('every curl sample, pasted into a shell', () => {
  // Another sample starts verification, so live is open only for the one that needs it.
  const isInLive = (name: string) => /confirm-code|lines\/\{n\}/.test(name)
  beforeEach(async ({ task }) => {
    if (!isInLive(task.name)) return
    await verifyPartner(test.deps, partner.slug)
    const live = { partnerId: partner.id, environment: 'live' as const }
    await creditWallet(test.deps, live, { amount: parseUsdc('100.00')!, reason: 'for the sample' })
  })
  afterEach(async ({ task }) => {
    const undo = `update partners set verification_status = 'not_started', verified_at = null where id = $1`
    if (isInLive(task.name)) await sql(test, undo, [partner.id])
  })

  it.each(ending)('$name is answered with success', async ({ name, operation }) => {
    const answer = await run(operation['x-codeSamples']?.[0]?.source ?? '')
    expect(answer.body).not.toHaveProperty('error.code')
    expect(answer.body).toEqual(SAMPLE_ANSWERS[operation.operationId] ?? ANYTHING)
    const succeeded = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
    expect(name === 'POST /v1/payouts' ? ['201'] : succeeded).toContain(String(answer.status))
  })
})

describe('every request example of POST /v1/payouts', () => {
  it.each(Object.entries(examples))('%s creates a payout', async (_label, { value }) => {
    expect((await send(value)).statusCode).toBe(201)
  })

  it('has the outcome that the examples of answers show', async () => {
    expect((await send(examples['fails']?.value)).json()).toEqual({
      ...FAILED,
      ...ANY,
      refunded_at: ANYTHING,
      quote: QUOTE,
    })
    const key = anIdempotencyKey()
    await send(examples['person']?.value, key)
    await test.pass(2_000)
    const replay = await send(examples['person']?.value, key)
    expect(replay.statusCode).toBe(200)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.json()).toEqual({ ...COMPLETED, ...ANY, completed_at: ANYTHING })
  })
})
