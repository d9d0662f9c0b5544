// No input gives a 5xx, and every refusal has the shape of one: requests generated from the published schemas, valid, wrong
// in one place, or nonsense, by the ten thousand. The seed is printed; FUZZ_SEED runs one again, FUZZ_RUNS runs more.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anObligingRail,
  createPayout,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'
import { Chance } from './chance.ts'
import { type EdgeOperation, documentOf, edgeOperations } from './operations.ts'
import { NASTY, aValue, mutated, oddText } from './odd-values.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_007)
const PER_OPERATION = Number(process.env['FUZZ_RUNS'] ?? 360)
/** Many times what so many requests of each operation take on a machine that does nothing else. */
const PATIENCE_MS = 60_000 + PER_OPERATION * 1_500
const MESSAGES = 1_000
const LONGEST_MESSAGE = 3_000

/** The 5xx codes that are the bank's fault and not ours; the document describes them. */
const NOT_OURS = new Set(['payout_not_created', 'bank_unavailable'])

/** The private key stays an object: reading one from text takes longer than signing with it. */
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

let test: TestApp
let partner: TestPartner
let live: TestPartner
let operations: EdgeOperation[]
let known: string[]
let cookies: string[]
const chance = new Chance(SEED)

beforeAll(async () => {
  test = await startTestApp({
    liveRail: anObligingRail(),
    banks: { sandbox: { baseUrl: 'http://127.0.0.1:9', apiKey: 'none' }, live: null },
  })
  partner = await aPartner(test)
  live = await inLive(test, partner, '100000.00')
  operations = edgeOperations(test)
  await sql(
    test,
    `insert into bank_webhooks (environment, webhook_ref, url, public_key, created_at)
     values ('sandbox', 'ours', 'http://localhost/', $1, now())`,
    [publicKey.export({ type: 'spki', format: 'pem' })],
  )
  known = [(await createPayout(test, partner)).json().id, (await createPayout(test, live)).json().id]
  await renew()
})
afterAll(() => test.close())

/** What a run uses up: sessions that it ended, keys that it revoked, and how often codes may be asked for. */
async function renew(): Promise<void> {
  await sql(test, 'delete from allowances')
  cookies = [(await signedIn(test, partner)).cookie, (await signedIn(test, partner, { role: 'viewer' })).cookie]
  await sql(test, `update api_keys set revoked_at = now() where partner_id = $1 and label is not null`, [partner.id])
  const wanted = {
    partner: await findPartner(test.deps, partner.slug),
    environment: 'sandbox',
    label: 'spare',
  } as const
  known = [...known.slice(0, 2), (await createKey(test.deps, wanted)).id]
}

function callerHeaders(): Record<string, string> {
  const [admin = '', viewer = ''] = cookies
  return chance.of([
    { authorization: `Bearer ${partner.key}` },
    { authorization: `Bearer ${live.key}` },
    { cookie: admin, origin: PUBLIC_URL },
    { cookie: admin, origin: PUBLIC_URL },
    { cookie: viewer, origin: PUBLIC_URL },
    {},
    { authorization: chance.of(['', 'Bearer', 'Bearer x', `Bearer kp_sandbox_${'0'.repeat(48)}`]) },
  ])
}

function address(operation: EdgeOperation): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'n') return chance.of(['1', '2', '0', '-1', '9999999999999999999', 'x', '1e1'])
    const isDear = operation.access.share === 'documents' && !chance.oneIn(12)
    const id = isDear || chance.oneIn(2) ? oddText(chance) : chance.of([...known, partner.slug])
    return encodeURIComponent(id.slice(0, 60).toWellFormed()) || 'x'
  })
  const query = operation.query
    .filter(() => chance.oneIn(3))
    .flatMap(({ name, schema }) => {
      const value = String(
        chance.oneIn(2) ? aValue(schema, chance, documentOf(test).components.schemas) : oddText(chance),
      )
      const pair = `${name}=${encodeURIComponent(value.toWellFormed())}`
      return chance.oneIn(12) ? [pair, `${name}=twice`] : [pair]
    })
  // A stream that is granted never ends.
  if (operation.access.isEndless === true) query.push('unknown=1')
  if (chance.oneIn(15)) query.push(chance.of(['%', '%00', '&&==', '__proto__=1', '%ff=1', 'constructor[x]=1']))
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function bodyFor(operation: EdgeOperation): Pick<InjectOptions, 'payload'> {
  if (operation.takesBytes) return { payload: Buffer.from(oddText(chance)) }
  if (operation.body === null) return chance.oneIn(10) ? { payload: oddText(chance) } : {}
  const valid =
    operation.id === 'createPayout' && chance.oneIn(2)
      ? aPayoutBody()
      : aValue(operation.body, chance, documentOf(test).components.schemas)
  if (chance.oneIn(12))
    return { payload: chance.of(['', '{', 'null', '[]', '"x"', '1e999', '{"a":1,"a":2}', '\uFEFF{}']) }
  const body = chance.oneIn(4) ? valid : mutated(valid, chance)
  return { payload: JSON.stringify(body) ?? 'null' }
}

function oddHeaders(operation: EdgeOperation): Record<string, string> {
  const headerText = () =>
    oddText(chance)
      .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
      .slice(0, 200)
  const some: Record<string, string> = {}
  if (operation.id === 'createPayout') {
    some['idempotency-key'] = chance.oneIn(6) ? headerText() : `order-${chance.below(1e9)}`
    if (chance.oneIn(6)) some['max-wallet-debit-usdc'] = chance.of([headerText(), '33.30', '0.00'])
  }
  if (operation.id === 'changeLogo') some['content-type'] = chance.of(['image/png', 'image/jpeg', 'image/gif'])
  else if (operation.method !== 'GET') {
    some['content-type'] = chance.oneIn(20)
      ? chance.of(['text/plain', 'application/json; charset=x'])
      : 'application/json'
  }
  if (chance.oneIn(20))
    some[chance.of(['kestrel-business', 'if-none-match', 'accept-encoding', 'range', 'user-agent'])] = headerText()
  return some
}

function check(request: InjectOptions, reply: LightMyRequestResponse): void {
  const about = `seed=${SEED} ${request.method} ${request.url as string} ${JSON.stringify(request.headers)} ${JSON.stringify(request.payload)}`
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  if (reply.statusCode < 400) return
  if (!isJson) throw new Error(`${reply.statusCode} is no JSON: ${about}`)
  const { error } = reply.json<{ error: { code: string; message: string; request_id: string; doc_url: string } }>()
  if (reply.statusCode >= 500 && !NOT_OURS.has(error.code))
    throw new Error(`${reply.statusCode} ${error.code}: ${about}`)
  if (error.message.length > LONGEST_MESSAGE) throw new Error(`A message of ${error.message.length} letters: ${about}`)
  expect(Object.keys(error).filter((name) => name !== 'details')).toEqual(['code', 'message', 'request_id', 'doc_url'])
}

it('no request gives a 5xx, whatever is in it', { timeout: PATIENCE_MS }, async ({ task }) => {
  process.stdout.write(`any input: seed=${SEED}, ${operations.length} operations, ${PER_OPERATION} requests each\n`)
  const statuses = new Map<number, number>()
  for (let run = 0; run < PER_OPERATION; run++) {
    if (run % 10 === 0) await renew()
    for (const operation of operations) {
      const request: InjectOptions = {
        method: operation.method,
        url: address(operation),
        headers: { ...callerHeaders(), ...oddHeaders(operation) },
        ...(operation.method === 'GET' ? {} : bodyFor(operation)),
      }
      const reply = await test.app.inject(request)
      check(request, reply)
      statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
    }
  }
  // Some requests are accepted and some refused: a generator that makes only one kind would prove nothing.
  for (const status of [200, 400, 401, 403, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(20)
  process.stdout.write(`any input: ${JSON.stringify(Object.fromEntries(statuses))}\n`)
  task.meta.cases = [...statuses.values()].reduce((sum, count) => sum + count, 0)
})

it('no message with the bank’s signature gives a 5xx', { timeout: 120_000 }, async ({ task }) => {
  task.meta.cases = MESSAGES
  const event = { event_id: 'evt_1', event_category: 'transfer', event_object_id: 'x', event_type: 'y' }
  for (let run = 0; run < MESSAGES; run++) {
    const word = () => chance.of([oddText(chance), ...NASTY, 'x'.repeat(chance.below(70_000)), 7, null, {}])
    const wrong = Object.fromEntries(
      Object.entries(event).map(([key, value]) => [key, chance.oneIn(3) ? word() : value]),
    )
    const body = chance.oneIn(10) ? chance.of(['', 'null', '[]', '{', oddText(chance)]) : JSON.stringify(wrong)
    const t = test.clock.now().getTime()
    const digest = createHash('sha256').update(`${t}.`).update(Buffer.from(body)).digest()
    const signature = `t=${t},v0=${sign('sha256', digest, privateKey).toString('base64')}`
    const request: InjectOptions = {
      method: 'POST',
      url: '/v1/bank/webhooks/sandbox',
      headers: { 'x-webhook-signature': signature, 'content-type': 'application/json' },
      payload: Buffer.from(body),
    }
    const reply = await test.app.inject(request)
    check(request, reply)
    expect([200, 413, 422]).toContain(reply.statusCode)
  }
})
