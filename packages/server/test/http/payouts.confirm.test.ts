// Live payouts from the dashboard: confirmed by a code that fits exactly one of them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { CANARY } from '../support/canaries.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  createPayout,
  inLive,
  setBalance,
  sql,
} from '../support/fixtures.ts'
import { type TestMember, ask, codeIn, latestMail, signedIn } from '../support/sessions.ts'

const rail = anObligingRail()

let test: TestApp
let live: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startTestApp({ liveRail: rail })
})
afterAll(() => test.close())
afterEach(() => {
  vi.restoreAllMocks()
})
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  live = await inLive(test, await aPartner(test), '1000.00')
  admin = await signedIn(test, live)
})

const askFor = (body: PayoutBody = {}, by = admin, environment = 'live') =>
  ask(test, by, {
    method: 'POST',
    url: `/v1/payouts/confirm-code?environment=${environment}`,
    payload: aPayoutBody(body),
  })

async function aCode(body: PayoutBody = {}): Promise<string> {
  expect((await askFor(body)).statusCode).toBe(202)
  return codeIn(await latestMail(test, admin.email))
}

const pay = (body: PayoutBody, key = anIdempotencyKey(), by = admin) =>
  ask(test, by, {
    method: 'POST',
    url: '/v1/payouts?environment=live',
    payload: aPayoutBody(body),
    headers: { 'idempotency-key': key },
  })

const another = (code: string) => (code === '000000' ? '000001' : '000000')
const payouts = async () => (await ask(test, admin, { url: '/v1/payouts?environment=live' })).json().data.length

describe('POST /v1/payouts/confirm-code', () => {
  it('mails a code that names amount, payee and reference, and says where to, masked', async () => {
    const reply = await askFor({ amount_gbp: '250.00' })
    expect(reply.statusCode).toBe(202)
    expect(reply.json()).toMatchObject({
      object: 'confirm_code',
      sent_to: `m•••@thistle.test`,
      amount_gbp: '250.00',
      recipient_name: `${CANARY.firstName} ${CANARY.lastName}`,
    })
    expect(Date.parse(reply.json().expires_at) - test.clock.now().getTime()).toBeLessThanOrEqual(300_000)
    const mail = await latestMail(test, admin.email)
    expect(mail.subject).toMatch(/^\d{6} confirms 250\.00 GBP to /)
    expect(mail.text).toContain('Invoice 1042')
    expect(mail.text).not.toContain(CANARY.accountNumber)
    expect(mail.text).not.toContain(CANARY.sortCode)
  })

  it.each<[string, PayoutBody, number, string]>([
    ['an amount outside the limits', { amount_gbp: '20000.01' }, 422, 'invalid_amount'],
    ['another country', { country: 'FR' }, 422, 'corridor_not_enabled'],
    ['an incomplete recipient', { recipient: {} }, 422, 'invalid_recipient'],
    ['an unknown field', { confirm_code: '123456' }, 422, 'invalid_request'],
  ])('refuses %s before anything is mailed', async (_what, body, status, code) => {
    const reply = await askFor(body)
    expect([reply.statusCode, reply.json().error.code]).toEqual([status, code])
  })

  it('refuses an account that cannot be', async () => {
    const bank = { bank_name: 'Lloyds', sort_code: '089999', account_number: '66374959' }
    const reply = await askFor({ recipient: { ...aRecipient(), bank } })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'recipient_account_rejected'])
  })

  it('asks nobody to confirm what the wallet cannot pay', async () => {
    await setBalance(test, live, '10.00')
    const reply = await askFor({ amount_gbp: '250.00' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([402, 'insufficient_funds'])
    expect(reply.json().error.details).toEqual({ available_usdc: '10.00', wallet_sends_usdc: '314.32' })
    expect(await sql(test, 'select 1 from confirm_codes where partner_id = $1', [live.id])).toEqual([])
  })

  it('says in the mail what is worth a second look: the account has changed, the amount was paid', async () => {
    await askFor()
    const first = await latestMail(test, admin.email)
    expect(first.text).toContain('! First payment to this account.')
    await pay({ confirm_code: codeIn(first) })
    await askFor()
    expect((await latestMail(test, admin.email)).text).toContain(
      '! The same amount to this account was paid or asked for',
    )
    const bank = { bank_name: 'Co-op', sort_code: '089999', account_number: '66374958' }
    await askFor({ recipient: { ...aRecipient(), bank } })
    const { text } = await latestMail(test, admin.email)
    expect(text).toContain(`! Different account from last time (ending ${CANARY.accountNumber.slice(-4)}).`)
    expect(text).not.toContain('66374958')
  })

  it('is for live only, for admins only, for sessions only, and after verification only', async () => {
    expect((await askFor({}, admin, 'sandbox')).json().error.code).toBe('invalid_request')
    const viewer = await signedIn(test, live, { role: 'viewer' })
    expect((await askFor({}, viewer)).json().error.code).toBe('api_key_required')
    const unverified = await signedIn(test, await aPartner(test))
    expect((await askFor({}, unverified)).json().error.message).toContain('verification')
    const headers = { authorization: `Bearer ${live.key}` }
    const withKey = await test.request({
      method: 'POST',
      url: '/v1/payouts/confirm-code',
      payload: aPayoutBody(),
      headers,
    })
    expect(withKey.json().error.code).toBe('api_key_required')
  })

  it('is 429 after ten codes that were not used', async () => {
    for (let count = 0; count < 10; count++) expect((await askFor()).statusCode).toBe(202)
    expect((await askFor()).json().error.code).toBe('rate_limited')
  })
})

describe('POST /v1/payouts with a live session', () => {
  it('pays once it is confirmed, as the dashboard', async () => {
    const reply = await pay({ confirm_code: await aCode() })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ environment: 'live', created_via: 'dashboard', amount_gbp: '25.00' })
  })

  it('needs a code: without one nothing is sent', async () => {
    const asked = rail.requests.length
    const reply = await pay({})
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'confirm_code_required'])
    expect(rail.requests.length).toBe(asked)
    expect(await payouts()).toBe(0)
  })

  it('is repeated with the same Idempotency-Key without a code, with a wrong one, or with the old one', async () => {
    const key = anIdempotencyKey()
    const confirm_code = await aCode()
    const { id } = (await pay({ confirm_code }, key)).json()
    test.clock.advance(10 * 60_000)
    for (const body of [{}, { confirm_code: another(confirm_code) }, { confirm_code }]) {
      const replay = await pay(body, key)
      expect([replay.statusCode, replay.json().id]).toEqual([200, id])
    }
    expect((await pay({ amount_gbp: '26.00' }, key)).json().error.code).toBe('idempotency_key_reused')
  })

  it.each<[string, (code: string) => PayoutBody]>([
    ['no code', () => ({})],
    ['a wrong code', (code) => ({ confirm_code: another(code) })],
    ['the old code', (code) => ({ confirm_code: code })],
  ])('waits for the first request when it is repeated with %s while the bank is asked', async (_what, body) => {
    const [key, confirm_code] = [anIdempotencyKey(), await aCode()]
    const submit = anObligingRail().submit.bind(rail)
    let answer: () => void = () => undefined
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    const isAsked = new Promise<void>((resolve) => {
      vi.spyOn(rail, 'submit').mockImplementation(async (request) => {
        resolve()
        await mayAnswer
        return submit(request)
      })
    })
    const first = pay({ confirm_code }, key)
    await isAsked
    test.clock.advance(300_001)
    const look = vi.spyOn(test.deps.db.lookup, 'query')
    const second = pay(body(confirm_code), key)
    await expect
      .poll(() => look.mock.calls.filter(([statement]) => statement.name === 'find_payout_by_key').length)
      .toBeGreaterThan(1)
    answer()
    expect((await first).statusCode).toBe(201)
    expect([(await second).statusCode, (await second).json().id]).toEqual([200, (await first).json().id])
    expect(await payouts()).toBe(1)
  })

  it('takes a code once: not for a second payout, however alike', async () => {
    const confirm_code = await aCode()
    expect((await pay({ confirm_code })).statusCode).toBe(201)
    const second = await pay({ confirm_code })
    expect(second.json().error).toMatchObject({
      code: 'code_not_accepted',
      details: { tries_left: 0, reason: 'used_up' },
    })
    expect(await payouts()).toBe(1)
  })

  it.each<[string, PayoutBody]>([
    ['the amount', { amount_gbp: '25.01' }],
    ['the reference', { reference: 'Invoice 1043' }],
    ['the account', { recipient: aRecipient({ account_number: '98765433' }) }],
    ['the name', { recipient: aRecipient({ first_name: 'Zephyrina' }) }],
  ])('refuses the right code when %s is another', async (_what, body) => {
    const confirm_code = await aCode()
    const reply = await pay({ ...body, confirm_code })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'code_not_accepted',
      details: { tries_left: 4, reason: 'changed' },
    })
    expect(await payouts()).toBe(0)
  })

  it('counts down five tries, and then not even the right code pays', async () => {
    const code = await aCode()
    const seen: unknown[] = []
    for (let count = 0; count < 5; count++) seen.push((await pay({ confirm_code: another(code) })).json().error.details)
    expect(seen).toEqual([
      { tries_left: 4, reason: 'wrong' },
      { tries_left: 3, reason: 'wrong' },
      { tries_left: 2, reason: 'wrong' },
      { tries_left: 1, reason: 'wrong' },
      { tries_left: 0, reason: 'used_up' },
    ])
    expect((await pay({ confirm_code: code })).json().error.details).toEqual({ tries_left: 0, reason: 'used_up' })
  })

  it('refuses a code after five minutes, one that a newer one replaced, and one that nobody asked for', async () => {
    const old = await aCode()
    test.clock.advance(300_001)
    expect((await pay({ confirm_code: old })).json().error.details).toEqual({ tries_left: 0, reason: 'expired' })
    const first = await aCode()
    const second = await aCode({ amount_gbp: '30.00' })
    expect((await pay({ confirm_code: first })).json().error.details).toMatchObject({ reason: 'changed' })
    expect((await pay({ amount_gbp: '30.00', confirm_code: second })).statusCode).toBe(201)
    const other = await signedIn(test, live)
    expect((await pay({ confirm_code: second }, anIdempotencyKey(), other)).json().error.details).toEqual({
      tries_left: 0,
      reason: 'used_up',
    })
  })

  it('leaves the code usable, with the same key, when the wallet did not hold enough', async () => {
    const key = anIdempotencyKey()
    const confirm_code = await aCode()
    await setBalance(test, live, '1.00')
    for (let count = 0; count < 6; count++) expect((await pay({ confirm_code }, key)).statusCode).toBe(402)
    await setBalance(test, live, '1000.00')
    expect((await pay({ confirm_code })).json().error.details).toMatchObject({ reason: 'used_up' })
    expect((await pay({ confirm_code }, key)).statusCode).toBe(201)
  })

  it('does not ask sandbox sessions or API keys for a code', async () => {
    const sandbox = await ask(test, admin, {
      method: 'POST',
      url: '/v1/payouts',
      payload: aPayoutBody(),
      headers: { 'idempotency-key': anIdempotencyKey() },
    })
    expect(sandbox.statusCode).toBe(201)
    expect((await createPayout(test, live)).statusCode).toBe(201)
  })
})

describe('many at once', () => {
  it('with one code and twenty keys pay once', async () => {
    const confirm_code = await aCode()
    const replies = await Promise.all(Array.from({ length: 20 }, () => pay({ confirm_code })))
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(await payouts()).toBe(1)
  })

  it('with one code and one key pay once and all get that payout', async () => {
    const [confirm_code, key] = [await aCode(), anIdempotencyKey()]
    const replies = await Promise.all(Array.from({ length: 10 }, () => pay({ confirm_code }, key)))
    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1)
    expect(await payouts()).toBe(1)
  })

  it('with fifty wrong codes are judged five times at most', async () => {
    const code = await aCode()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        pay({ confirm_code: String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0') }),
      ),
    )
    const reasons = replies.map((reply) => reply.json().error.details.reason as string)
    expect(reasons.filter((reason) => reason === 'wrong')).toHaveLength(4)
    expect(reasons.filter((reason) => reason === 'used_up')).toHaveLength(46)
    expect((await pay({ confirm_code: code })).statusCode).toBe(422)
  })
})
