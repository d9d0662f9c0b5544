// What the log of requests keeps of each request: enough to find a mistake, nothing of bank details, people or secrets.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { ActivityDetail } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createActivityRecorder } from '../../src/domain/activity/activity-recorder.ts'
import { type NewRequestBodies, forgetOldBodies } from '../../src/domain/activity/request-bodies.ts'
import { newId } from '../../src/core/ids.ts'
import { FAILURE_EXAMPLES } from '../../src/http/docs/failure-examples.ts'
import { kindOf } from '../../src/http/masking/field-kinds.ts'
import { Mask } from '../../src/http/masking/mask.ts'
import type { Database } from '../../src/storage/sql.ts'
import { openApiDocument } from '../docs/openapi-document.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { CANARY, CANARY_SHAPES } from '../support/canaries.ts'
import {
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
  post,
  sql,
} from '../support/fixtures.ts'
import { ask as askInSession, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp({ liveRail: anObligingRail() })
  partner = await aPartner(test)
})
afterAll(() => test.close())

type Reply = Awaited<ReturnType<typeof get>>
const look = async (reply: Reply, by: Pick<TestPartner, 'key'> = partner): Promise<ActivityDetail> =>
  (await get(test, by, `/v1/activity/${String(reply.headers['x-request-id'])}`)).json()
const bodyOf = (side: { body: string | null } | null) => JSON.parse(side?.body ?? 'null') as unknown

describe('GET /v1/activity/{id}', () => {
  it('shows the request and the answer of a payout, masked, with its idempotency key', async () => {
    const made = await createPayout(test, partner, { amount_gbp: '25.00' }, { 'max-wallet-debit-usdc': '99.00' })
    const seen = await look(made)
    expect(seen).toMatchObject({
      action: 'payout.create',
      status: 201,
      idempotency_key: made.json<{ idempotency_key: string }>().idempotency_key,
      request: {
        query: null,
        headers: { 'Content-Type': 'application/json', 'Max-Wallet-Debit-USDC': '99.00' },
        cut: false,
        left_out: null,
      },
      response: { cut: false, left_out: null },
    })
    const recipient = aRecipient()
    const stars = (text: string) => text.replaceAll(/[a-z0-9]/gi, '*')
    expect(bodyOf(seen.request)).toMatchObject({
      amount_gbp: '25.00',
      recipient: {
        first_name: stars(recipient.first_name),
        email: stars(recipient.email),
        bank: { sort_code: '******', account_number: '********' },
      },
    })
    expect(bodyOf(seen.response)).toMatchObject({
      id: made.json<{ id: string }>().id,
      status: 'processing',
      amount_gbp: '25.00',
      recipient: { account_last4: '****' },
    })
    expect(Date.parse(seen.kept_until!) - Date.parse(seen.at)).toBe(14 * 86_400_000)
  })

  it('shows what was refused, in the service’s own words and without what they repeat', async () => {
    const bank = { bank_name: 'Monzo', sort_code: '11224', account_number: CANARY.accountNumber }
    const refused = await createPayout(test, partner, { recipient: { ...aRecipient(), bank, [CANARY.lastName]: 'x' } })
    const seen = await look(refused)
    expect(bodyOf(seen.response)).toMatchObject({
      error: {
        code: 'invalid_recipient',
        message:
          'The recipient is incomplete or malformed: recipient.************ (not a known field), recipient.bank.sort_code (6 digits).',
      },
    })
    expect(bodyOf(seen.request)).toMatchObject({ recipient: { bank: { sort_code: '*****' } } })
  })

  it('is of the environment that is asked, and of one’s own business', async () => {
    const live = await inLive(test, partner, '100.00')
    const made = await createPayout(test, live, { amount_gbp: '5.00' })
    const url = `/v1/activity/${String(made.headers['x-request-id'])}`
    expect((await get(test, live, url)).statusCode).toBe(200)
    expect((await get(test, partner, url)).statusCode).toBe(404)
    expect((await get(test, await aPartner(test), url)).statusCode).toBe(404)
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await askInSession(test, viewer, { url: `${url}?environment=live` })).statusCode).toBe(200)
    expect((await askInSession(test, viewer, { url: `${url}?environment=sandbox` })).statusCode).toBe(404)
    expect((await get(test, partner, '/v1/activity/nothing')).statusCode).toBe(404)
  })

  it('keeps nothing of what a member only looked at, and what they changed without its codes', async () => {
    const admin = await signedIn(test, partner)
    const seenByMember = async (reply: Reply): Promise<ActivityDetail> =>
      (await askInSession(test, admin, { url: `/v1/activity/${String(reply.headers['x-request-id'])}` })).json()
    const read = await askInSession(test, admin, { url: '/v1/usage' })
    expect(await seenByMember(read)).toMatchObject({ request: null, response: null, kept_until: null })
    const payload = { environment: 'sandbox', label: 'nightly', confirm_code: '123456' }
    const made = await askInSession(test, admin, { method: 'POST', url: '/v1/keys', payload })
    const seen = await seenByMember(made)
    // It could be about live, and the key is of the sandbox.
    expect(await look(made)).toMatchObject({ action: 'key.create', request: null, response: null, kept_until: null })
    expect(bodyOf(seen.request)).toEqual({ environment: 'sandbox', label: '*******', confirm_code: '[secret]' })
    expect(bodyOf(seen.response)).toMatchObject({
      secret: '[secret]',
      key_prefix: expect.stringMatching(/^\*/) as unknown,
    })
  })
})

describe('what an answer repeats', () => {
  it('of an address that is refused is told to the caller in part, and is not in the log', async () => {
    const url = `http://hooks.thistle.example/quill-jane/${'a-b-'.repeat(50)}end`
    const refused = await post(test, partner, '/v1/webhook-endpoints', { url })
    expect(refused.json().error.message).toContain(`not sent to ${url.slice(0, 60)}…: it must begin with https://`)
    const { response } = await look(refused)
    expect(response?.body).toContain('endpoint_not_allowed')
    expect(response?.body).not.toMatch(/thistle|quill|a-b-a/)
  })

  it('of the page’s business is not in the log of the business that the session is in', async () => {
    const [first, second] = [await aPartner(test), await aPartner(test)]
    const member = await signedIn(test, second)
    const headers = { 'kestrel-business': first.slug }
    const refused = await askInSession(test, member, { method: 'POST', url: '/v1/quotes', payload: {}, headers })
    expect(refused.json().error.message).toContain(first.slug)
    const seen = await askInSession(test, member, { url: `/v1/activity/${String(refused.headers['x-request-id'])}` })
    expect(seen.body).toContain('business_changed')
    expect(seen.body).not.toContain(first.slug)
  })

  it('about a spending limit is told whole', async () => {
    const payload = { environment: 'sandbox', label: 'small', daily_gbp: '10.00' }
    const admin = await signedIn(test, partner)
    const made = await askInSession(test, admin, { method: 'POST', url: '/v1/keys', payload })
    const refused = await createPayout(test, { key: made.json().secret as string }, { amount_gbp: '25.00' })
    expect(refused.statusCode).toBe(403)
    expect(bodyOf((await look(refused)).response)).toEqual(refused.json())
  })
})

describe('a request that cannot be read', () => {
  const asked = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    test.request({
      method: 'POST',
      url: '/v1/quotes',
      headers: { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json', ...headers },
      payload,
    })

  it.each<[string, string | Buffer, Record<string, string>, string]>([
    ['no JSON', `{"account_number": "${CANARY.accountNumber}"`, {}, 'not_json'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}, 'not_json'],
    ['NUL', `{"a": "\\u0000"}`, {}, 'not_json'],
    ['a NUL byte', Buffer.from('{"a\0": 1}'), {}, 'not_json'],
    ['half a character', `{"a": "\\ud800"}`, {}, 'not_json'],
    ['a picture', Buffer.from([0x89, 0x50]), { 'content-type': 'image/png' }, 'not_json'],
    ['very much', ' '.repeat(40_000), {}, 'too_large'],
    ['another charset', '{}', { 'content-type': `application/json; charset=${CANARY.firstName}` }, 'not_json'],
  ])('is in the log, and its body is not: %s', async (_what, payload, headers, leftOut) => {
    const reply = await asked(payload, headers)
    const seen = await look(reply)
    expect(seen.status).toBe(reply.statusCode)
    expect(seen.request).toMatchObject({ body: null, left_out: leftOut, bytes: Buffer.byteLength(payload) })
    expect(seen.response?.body).toContain('"error"')
    expect(seen.curl).toContain('--data-binary @body')
    expect(JSON.stringify(seen)).not.toContain(CANARY.firstName)
  })

  it('is cut when it is long, and says so', async () => {
    const seen = await look(
      await asked(JSON.stringify({ amount_gbp: '1.00', q: 'x'.repeat(60), events: Array(1000).fill('payout.failed') })),
    )
    expect(seen.request?.cut).toBe(true)
    expect(seen.request?.body).toHaveLength(4_096)
  })

  it('is left out when there is more to hide in it than anybody reads, and so is what is said about it', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `${CANARY.lastName}${index}`.slice(-9))
    const names = Object.fromEntries(many.slice(0, 20).map((name) => [name, name]))
    const reply = await asked(JSON.stringify({ ...names, events: many }))
    const seen = await look(reply)
    expect(seen.request).toMatchObject({ body: null, left_out: 'too_large' })
    expect(reply.body).toContain(many[0])
    expect(bodyOf(seen.response)).toMatchObject({ error: { code: 'invalid_request' } })
    expect(seen.response?.body).not.toContain(many[0])
    const pairs = many.map((name) => `${name}=1`).join('&')
    const listed = await look(await get(test, partner, `/v1/payouts?${pairs}`.slice(0, 12_000)))
    expect(listed.request?.query).toMatch(/^[*=&1]+$/)
    expect(listed.response?.body).not.toContain(many[0])
  })

  it('with odd names, headers and queries is kept without them', async () => {
    const odd = { ['x'.repeat(5_000)]: 1, '\u2028': '\uFFFF', "'; drop table --": "'" }
    const reply = await post(test, partner, `/v1/quotes?q=%00%FF&${CANARY.lastName}=1&limit=5`, odd, {
      'idempotency-key': 'caf\u00e9 \u00ff',
    })
    const seen = await look(reply)
    expect(seen.idempotency_key).toBe('**** *')
    expect(seen.request?.query).toBe(`q=**&************=*&limit=5`)
    expect(seen.request?.body).not.toContain('drop')
  })
})

describe('the curl command of a request', () => {
  it('is the request that was made: pasted into a shell it makes it again', async () => {
    await test.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = test.app.addresses()[0] as { port: number }
    const again = async (curl: string) => {
      const script = curl.replaceAll(PUBLIC_URL, `http://127.0.0.1:${port}`).replace(/^curl/, 'curl --silent')
      const env = { PATH: process.env['PATH'], KESTREL_API_KEY: partner.key }
      return JSON.parse((await promisify(execFile)('bash', ['-c', script], { env })).stdout) as Record<string, unknown>
    }
    const listed = await get(test, partner, '/v1/payouts?status=completed&limit=3&reference=sandbox:return')
    const { curl } = await look(listed)
    expect(curl).toBe(
      `curl '${PUBLIC_URL}/v1/payouts?status=completed&limit=3&reference=sandbox%3Areturn' \\\n  -H "Authorization: Bearer $KESTREL_API_KEY"`,
    )
    expect(await again(curl!)).toEqual(listed.json())
    const quoted = await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })
    expect(await again((await look(quoted)).curl!)).toEqual(quoted.json())
    const paid = await createPayout(test, partner, {}, { 'idempotency-key': 'order-1042' })
    const repeated = await again((await look(paid)).curl!)
    // The recipient is masked, so it is another request under the same key.
    expect(repeated).toMatchObject({
      error: { code: expect.stringMatching(/idempotency_key_reused|invalid_recipient/) as unknown },
    })
    const cancel = await test.request({
      method: 'POST',
      url: `/v1/payouts/${paid.json<{ id: string }>().id}/cancel`,
      headers: { authorization: `Bearer ${partner.key}` },
    })
    expect((await look(cancel)).curl).toMatch(/^curl -X POST '.*\/cancel' \\\n {2}-H "Authorization: [^\n]*"$/)
  })

  it('cannot break out of its quotes', async () => {
    const reply = await post(test, partner, `/v1/quotes?v='%3B%20touch%20x`, { amount_gbp: `'; touch x #` })
    const { curl } = await look(reply)
    expect(curl).not.toContain('touch')
    const { stdout } = await promisify(execFile)('bash', ['-c', `curl() { printf '%s\\n' "$@"; }; ${curl!}`])
    expect(stdout).toContain(`"amount_gbp":"'; ***** * #"`)
  })
})

describe('GET /v1/activity?q=', () => {
  it('finds by path, code, status, request, payout and idempotency key', async () => {
    const own = await aPartner(test)
    const made = await createPayout(test, own, {}, { 'idempotency-key': 'Order-77:a' })
    const { id } = made.json<{ id: string }>()
    await get(test, own, `/v1/payouts/${id}`)
    await get(test, own, '/v1/usage')
    await createPayout(test, own, { amount_gbp: '19999.00' }, { 'idempotency-key': 'order-78' })
    const found = async (q: string, more = '') =>
      ((await get(test, own, `/v1/activity?q=${encodeURIComponent(q)}${more}`)).json().data as ActivityDetail[])
        .map(({ action, status }) => `${action} ${status}`)
        .filter((words) => !words.startsWith('activity.'))
    expect(await found('usage')).toEqual(['usage.read 200'])
    expect(await found('insufficient')).toEqual(['payout.create 402'])
    expect(await found('402')).toEqual(['payout.create 402'])
    expect(await found(id.toUpperCase())).toEqual(['payout.read 200', 'payout.create 201'])
    expect(await found(id, '&status_class=2xx&only=changes')).toEqual(['payout.create 201'])
    expect(await found(String(made.headers['x-request-id']))).toEqual(['payout.create 201'])
    expect(await found('Order-77:a')).toEqual(['payout.create 201'])
    expect(await found('order-77')).toEqual([])
    expect(await found(`%' or true --`)).toEqual([])
    expect((await get(test, own, `/v1/activity?q=${'x'.repeat(121)}`)).statusCode).toBe(422)
    // Beyond what is looked through, an index still knows it.
    await sql(
      test,
      `insert into activity (partner_id, at, id, action, status, by)
       select $1, now() + interval '1 hour', gen_random_uuid(), 'usage.read', 200, 'x' from generate_series(1, 100001)`,
      [own.id],
    )
    expect(await found(id)).toEqual(['payout.read 200', 'payout.create 201'])
    expect(await found('Order-77:a')).toEqual(['payout.create 201'])
    const csv = await get(test, own, `/v1/activity/export.csv?q=${id}`)
    expect(csv.body.split('\r\n').filter((line) => line.includes('payout.'))).toHaveLength(2)
  })
})

const NO_BODIES: NewRequestBodies = {
  subjectId: null,
  idempotencyKey: null,
  query: null,
  headers: null,
  requestBody: null,
  requestBytes: null,
  requestLeftOut: null,
  isRequestCut: false,
  answerBody: null,
  answerBytes: null,
  answerLeftOut: null,
  isAnswerCut: false,
}
const aTrace = (id: string, at: Date) => ({
  partnerId: partner.id,
  keyId: null,
  id,
  at,
  environment: null,
  action: 'usage.read',
  status: 200,
  by: 'x',
  detail: null,
  request: null,
})

describe('what is kept', () => {
  it('is gone after fourteen days, while the entry stays', async () => {
    const own = await aPartner(test)
    const made = await createPayout(test, own)
    expect((await look(made, own)).request).not.toBeNull()
    test.clock.advance(14 * 86_400_000 + 1)
    // No longer told, even before anybody has tidied up.
    expect(await look(made, own)).toMatchObject({ action: 'payout.create', request: null, response: null })
    while (await forgetOldBodies(test.deps));
    const left = await sql<{ count: number }>(
      test,
      'select count(*)::int as count from request_bodies where partner_id = $1 and id = $2',
      [own.id, made.headers['x-request-id']],
    )
    expect(left).toEqual([{ count: 0 }])
  })

  it('of many reads is the beginning', async () => {
    const own = await aPartner(test)
    const replies: Reply[] = []
    for (let count = 0; count < 61; count++) replies.push(await get(test, own, '/v1/balance'))
    expect((await look(replies[0]!, own)).response?.body).toContain('"usdc"')
    expect(await look(replies[60]!, own)).toMatchObject({ action: 'balance.read', status: 200, response: null })
    const rows = 'select id from request_bodies where partner_id = $1'
    // Looking into an entry is a read as well.
    expect(await sql(test, rows, [own.id])).toHaveLength(60)
  })

  it('never keeps the trace itself from the log when it cannot be written', async () => {
    const problems: unknown[] = []
    const recorder = createActivityRecorder(test.deps.db, (error) => problems.push(error))
    const at = test.clock.now()
    const id = newId(at)
    const bodies = { ...NO_BODIES, idempotencyKey: 'a\0b' }
    const trace = aTrace(id, at)
    recorder.record({ ...trace, bodies: () => bodies })
    await recorder.flush()
    expect(problems).toHaveLength(1)
    await recorder.close()
    expect(await sql(test, 'select id from activity where partner_id = $1 and id = $2', [partner.id, id])).toEqual([
      { id },
    ])
  })

  it('that cannot be written costs no other trace of the business its own, and one that never can costs no other', async () => {
    const dropped: number[] = []
    const recorder = createActivityRecorder(test.deps.db, (_, count) => dropped.push(count))
    const at = test.clock.now()
    const [good, bare, hopeless, late] = [newId(at), newId(at), newId(at), newId(at)]
    recorder.record({ ...aTrace(good, at), bodies: () => NO_BODIES })
    recorder.record({ ...aTrace(bare, at), bodies: () => ({ ...NO_BODIES, idempotencyKey: 'a\0b' }) })
    recorder.record({ ...aTrace(hopeless, at), detail: 'a\0b', bodies: () => NO_BODIES })
    await recorder.flush()
    recorder.record({ ...aTrace(late, at), bodies: () => NO_BODIES })
    await recorder.close()
    await recorder.flush()
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(1)
    const kept = async (table: string) =>
      (
        await sql<{ id: string }>(test, `select id from ${table} where id = any($1)`, [[good, bare, hopeless, late]])
      ).map(({ id }) => id)
    expect(new Set(await kept('activity'))).toEqual(new Set([good, bare, late]))
    expect(new Set(await kept('request_bodies'))).toEqual(new Set([good, late]))
  })

  it('that cannot be written costs no other business its own: theirs go in without it', async () => {
    const transactions: number[] = []
    const inTransaction: Database['inTransaction'] = (work) => {
      transactions.push(transactions.length)
      return test.deps.db.inTransaction(work)
    }
    const recorder = createActivityRecorder({ inTransaction }, () => undefined)
    const others = await Promise.all([aPartner(test), aPartner(test)])
    const at = test.clock.now()
    const tracesOf = (bodies: NewRequestBodies) =>
      [partner, ...others].map(({ id: partnerId }) => {
        const own = partnerId === partner.id ? bodies : NO_BODIES
        return { ...aTrace(newId(at), at), partnerId, bodies: () => own }
      })
    const kept = (table: string, ids: readonly string[]) =>
      sql<{ partner_id: string }>(test, `select partner_id from ${table} where id = any($1)`, [ids])

    const good = tracesOf(NO_BODIES)
    for (const trace of good) recorder.record(trace)
    await recorder.flush()
    expect(transactions).toHaveLength(1)
    expect(
      await kept(
        'request_bodies',
        good.map(({ id }) => id),
      ),
    ).toHaveLength(3)

    const bad = tracesOf({ ...NO_BODIES, idempotencyKey: 'a\0b' })
    for (const trace of bad) recorder.record(trace)
    await recorder.close()
    const ids = bad.map(({ id }) => id)
    const whose = (await kept('request_bodies', ids)).map((row) => row.partner_id).toSorted()
    expect(whose).toEqual(others.map(({ id }) => id).toSorted())
    await recorder.flush()
    expect(await kept('activity', ids)).toHaveLength(3)
  })

  it('is written once when the answer to its being written was lost', async () => {
    let lost = 1
    const inTransaction: Database['inTransaction'] = async (work) => {
      const done = await test.deps.db.inTransaction(work)
      if (lost-- > 0) throw Object.assign(new Error('the connection is gone'), { code: 'ECONNRESET' })
      return done
    }
    const recorder = createActivityRecorder({ inTransaction }, () => undefined)
    const at = test.clock.now()
    const ids = [newId(at), newId(at)]
    recorder.record({ ...aTrace(ids[0]!, at), bodies: () => NO_BODIES })
    await recorder.flush()
    recorder.record({ ...aTrace(ids[1]!, at), bodies: () => NO_BODIES })
    await recorder.close()
    const waiting = `(select split_part(line, ' ', 2)::uuid as id
      from activity_waiting, string_to_table(entries, E'\\n') as line) waiting`
    for (const table of ['activity', waiting, 'request_bodies']) {
      expect(await sql(test, `select id from ${table} where id = any($1)`, [ids])).toHaveLength(2)
    }
  })

  it('is held for the newest 2,000 of the requests that wait to be written', async () => {
    const recorder = createActivityRecorder(test.deps.db, () => undefined)
    const at = test.clock.now()
    const ids = Array.from({ length: 2_600 }, () => newId(at))
    for (const id of ids) recorder.record({ ...aTrace(id, at), bodies: () => NO_BODIES })
    await recorder.close()
    const kept = (table: string) =>
      sql<{ id: string }>(test, `select id from ${table} where partner_id = $1 and id = any($2)`, [partner.id, ids])
    expect(await kept('activity')).toHaveLength(2_600)
    const held = new Set((await kept('request_bodies')).map(({ id }) => id))
    expect(held.size).toBe(2_000)
    expect(ids.slice(-2_000).every((id) => held.has(id))).toBe(true)
  })

  it('holds no canary, key, cookie or address, whatever was sent where', async () => {
    await createPayout(test, partner)
    await createPayout(test, partner, { reference: CANARY.lastName, note: CANARY.accountNumber })
    const inOurNames = [
      'note',
      'message',
      'title',
      'fields',
      'doc_url',
      'failure_reason',
      'missing',
      'status',
      'id',
      'at',
    ]
    for (const name of inOurNames) await createPayout(test, partner, { [name]: CANARY.lastName })
    await createPayout(test, partner, { amount_gbp: CANARY.accountNumber, country: CANARY.firstName })
    await createPayout(test, partner, { recipient: [CANARY.accountNumber, { sort_code: CANARY.sortCode }] })
    await createPayout(test, partner, { recipient: CANARY.lastName }, { 'max-wallet-debit-usdc': CANARY.sortCode })
    await get(test, partner, `/v1/payouts?q=${CANARY.lastName}&reference=${CANARY.firstName}`)
    await get(test, partner, `/v1/payouts/${CANARY.accountNumber}`)
    await get(test, partner, `/v1/recipients`)
    await post(test, partner, '/v1/webhook-endpoints', {
      url: `https://u:${partner.key}@x.example/${CANARY.accountNumber}`,
    })
    const admin = await signedIn(test, partner)
    await askInSession(test, admin, {
      method: 'POST',
      url: '/v1/members',
      payload: { email: CANARY.email, name: CANARY.firstName, role: 'viewer' },
    })
    await test.deps.activity.flush()
    const rows = await sql<{ row: string }>(test, `select request_bodies::text as row from request_bodies`)
    const all = rows.map(({ row }) => row).join('\n')
    expect(rows.length).toBeGreaterThan(40)
    expect(Object.values(CANARY).filter((value) => all.includes(value))).toEqual([])
    expect(Object.values(CANARY_SHAPES).filter((shape) => shape.test(all))).toEqual([])
    expect(all).not.toMatch(/whsec_/)
  })
})

describe('the list of what may be told', () => {
  it('decides about every field that the API has', async () => {
    const document = await openApiDocument()
    const names = new Set<string>()
    const walk = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      for (const [name, value] of Object.entries(schema)) {
        if (name === 'example' || name === 'examples') continue
        if (name === 'properties') for (const field of Object.keys(value as object)) names.add(field)
        if (name === 'properties') Object.values(value as object).forEach(walk)
        else walk(value)
      }
    }
    walk((document as { components?: unknown }).components)
    expect(names.size).toBeGreaterThan(200)
    expect([...names].filter((name) => kindOf(name) === null)).toEqual([])
    const ours = [...names].filter((name) => kindOf(name) === 'text')
    expect(ours).toContain('note')
    const told = ours.map((name) => new Mask().value({ [name]: 'Quill', recipient: { [name]: ['Quill'] } }))
    expect(JSON.stringify(told)).not.toContain('Quill')
  })
  it('tells every detail of a refusal that is no address and no person', () => {
    const details = Object.values(FAILURE_EXAMPLES).flatMap((example) => Object.entries(example.details ?? {}))
    const ofPeople = ['invitations', 'partners']
    const told = details.filter(([name]) => kindOf(name) !== 'hidden' && !ofPeople.includes(name))
    expect(told.length).toBeGreaterThan(15)
    for (const [name, value] of told) expect(new Mask().answer({ [name]: value })).toEqual({ [name]: value as unknown })
  })
})
