// Keys in the dashboard: made, rotated with a grace, revoked, and every admin told.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { verifyPartner } from '../support/verified.ts'
import { keyedHash } from '../../src/core/seal.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, sql } from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
let viewer: TestMember
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
  viewer = await signedIn(test, partner, { role: 'viewer' })
})

interface Key {
  id: string
  label: string | null
  created_by: string | null
  expires_at: string | null
  replaced_by: string | null
  revoked_at: string | null
}

const url = '/v1/keys'
const create = (payload: object, by = admin) => ask(test, by, { method: 'POST', url, payload })
const rotate = (id: string, grace: unknown, by = admin) =>
  ask(test, by, { method: 'POST', url: `${url}/${id}/rotate`, payload: { grace_seconds: grace } })
const revoke = (id: string, by = admin) => ask(test, by, { method: 'DELETE', url: `${url}/${id}` })
const keys = async (): Promise<Key[]> => (await ask(test, admin, { url })).json().data
const works = async (key: string) => (await get(test, { key }, '/v1/account')).statusCode === 200
const mailsAbout = async (subject: RegExp, to: string) =>
  (await readMailbox(test.deps)).filter((mail) => mail.to === to && subject.test(mail.subject))

it('whoever makes, rotates or revokes a key takes the wallet’s lock last, after the count of notices', async () => {
  const { id } = (await create({ environment: 'sandbox' })).json<Key>()
  const bucket = keyedHash(test.deps.secrets.fingerprintKey, `allowance.v1\nnotice/plain\n${partner.id}/${admin.email}`)
  const COUNT = { name: 'lock_count', text: 'select 1 from allowances where bucket = $1 for update' }
  const WALLET = {
    name: 'lock_wallet_now',
    text: `select 1 from ledger_accounts where partner_id = $1 and environment = 'sandbox' and account = 'available'
      for update nowait`,
  }
  for (const act of [() => create({ environment: 'sandbox' }), () => rotate(id, 3_600), () => revoke(id)]) {
    let acting: ReturnType<typeof create> | null = null
    await test.deps.db.inTransaction(async (tx) => {
      expect(await tx.query(COUNT, [bucket])).toHaveLength(1)
      acting = act()
      await expect
        .poll(() =>
          sql(test, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        )
        .toHaveLength(1)
      await tx.query(WALLET, [partner.id])
    })
    expect((await acting!).statusCode).toBeLessThan(300)
  }
})

describe('POST /v1/keys', () => {
  it('makes a key, whose secret is shown this once, and tells every admin and no viewer', async () => {
    const reply = await create({ environment: 'sandbox', label: 'orders' })
    expect(reply.statusCode).toBe(201)
    const made = reply.json()
    expect(made).toMatchObject({ environment: 'sandbox', label: 'orders', note: expect.stringContaining('Copy') })
    expect(await works(made.secret)).toBe(true)
    const listed = (await keys()).find(({ id }) => id === made.id)
    expect(listed).toMatchObject({ created_by: admin.email, label: 'orders', expires_at: null })
    expect(JSON.stringify(await keys())).not.toContain(made.secret)
    const subject = /A sandbox API key of “Thistle Market” was created/
    const [notice] = await mailsAbout(subject, admin.email)
    expect(notice?.text).toContain(made.key_prefix)
    expect(notice?.text).not.toContain(made.secret)
    expect(await mailsAbout(subject, viewer.email)).toEqual([])
  })

  it('is 403 in live before the business is verified, and works after', async () => {
    const refused = await create({ environment: 'live' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'api_key_required'])
    expect(refused.json().error.message).toContain('verification is approved')
    await verifyPartner(test.deps, partner.slug)
    const confirm_code = await aDoorCode(test, admin, { action: 'key.create', environment: 'live' })
    const made = await create({ environment: 'live', confirm_code })
    expect(made.statusCode).toBe(201)
    expect(made.json().secret).toMatch(/^kp_live_/)
  })

  it('is 409 for the sixth', async () => {
    for (let count = 0; count < 4; count++) await create({ environment: 'sandbox' })
    const reply = await create({ environment: 'sandbox' })
    expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'key_limit_reached'])
  })

  it.each([[{}], [{ environment: 'test' }], [{ environment: 'sandbox', label: 'x'.repeat(61) }]])(
    'is 422 for %j',
    async (payload) => {
      const reply = await create(payload)
      expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
    },
  )
})

describe('POST /v1/keys/{id}/rotate', () => {
  it('makes a new key with the same label, and the old one stops by itself when its grace is over', async () => {
    const reply = await rotate(partner.keyId, 3_600)
    expect(reply.statusCode).toBe(201)
    const made = reply.json()
    expect(made).toMatchObject({ label: 'First key', replaces: partner.keyId })
    expect([await works(partner.key), await works(made.secret)]).toEqual([true, true])
    const old = (await keys()).find(({ id }) => id === partner.keyId)
    expect(old).toMatchObject({ replaced_by: made.id, revoked_at: null })
    expect(Date.parse(old!.expires_at!) - test.clock.now().getTime()).toBeGreaterThan(3_590_000)
    test.clock.advance(3_599_000)
    expect(await works(partner.key)).toBe(true)
    test.clock.advance(1_000)
    expect([await works(partner.key), await works(made.secret)]).toEqual([false, true])
    expect((await keys()).find(({ id }) => id === partner.keyId)?.revoked_at).toBe(old!.expires_at)
  })

  it('without a grace stops the old one at once', async () => {
    const made = (await rotate(partner.keyId, 0)).json()
    expect([await works(partner.key), await works(made.secret)]).toEqual([false, true])
    expect((await keys()).find(({ id }) => id === partner.keyId)).toMatchObject({
      replaced_by: made.id,
      revoked_at: expect.any(String),
    })
  })

  it('tells every admin until when the old one works', async () => {
    await rotate(partner.keyId, 86_400)
    const [notice] = await mailsAbout(/was rotated/, admin.email)
    expect(notice?.text).toContain('Old key works until')
  })

  it('with five active keys is 409, unless the old one stops at once', async () => {
    for (let count = 0; count < 4; count++) await create({ environment: 'sandbox' })
    const refused = await rotate(partner.keyId, 3_600)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'key_limit_reached'])
    expect((await rotate(partner.keyId, 0)).statusCode).toBe(201)
  })

  it('makes room by itself when a grace is over', async () => {
    for (let count = 0; count < 3; count++) await create({ environment: 'sandbox' })
    await rotate(partner.keyId, 3_600)
    expect((await create({ environment: 'sandbox' })).statusCode).toBe(409)
    test.clock.advance(3_600_000)
    expect((await create({ environment: 'sandbox' })).statusCode).toBe(201)
  })

  it.each([60, -1, '3600', null, 0.5])('is 422 for a grace of %j', async (grace) => {
    const reply = await rotate(partner.keyId, grace)
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_request'])
  })

  it('is 422 for a key that was replaced or revoked', async () => {
    await rotate(partner.keyId, 3_600)
    expect((await rotate(partner.keyId, 0)).statusCode).toBe(422)
    const other = (await create({ environment: 'sandbox' })).json()
    await revoke(other.id)
    expect((await rotate(other.id, 0)).statusCode).toBe(422)
  })
})

describe('keys over and over', () => {
  const newest = async () => (await keys()).find(({ revoked_at }) => revoked_at === null)!.id

  it('are 50 at once, made or rotated, and then one more every 30 minutes', async () => {
    const replies = []
    for (let count = 0; count < 25; count++) {
      const made = await create({ environment: 'sandbox' })
      replies.push(made, await rotate(made.json().id, 0))
      await revoke(replies.at(-1)!.json().id)
    }
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(201))
    const before = (await keys()).length
    for (const refused of [await create({ environment: 'sandbox' }), await rotate(partner.keyId, 0)]) {
      expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited'])
      expect(refused.json().error.message).toContain('50 keys')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1_700)
    }
    expect([(await keys()).length, await works(partner.key)]).toEqual([before, true])
    const other = await signedIn(test, await aPartner(test))
    expect((await create({ environment: 'sandbox' }, other)).statusCode).toBe(201)
    // A code that nobody could use is not mailed.
    await verifyPartner(test.deps, partner.slug)
    const payload = { action: 'key.create', environment: 'live' }
    expect((await ask(test, admin, { method: 'POST', url: '/v1/confirm-codes', payload })).statusCode).toBe(429)
    test.clock.advance(30 * 60_000)
    const outcomes = await Promise.all([0, 1, 2].map(() => create({ environment: 'sandbox' })))
    expect(outcomes.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 429, 429])
  })

  it('are listed up to 200, and no old one hides one that works', async () => {
    await sql(
      test,
      `insert into api_keys (partner_id, id, environment, key_hash, key_prefix, created_at, revoked_at)
       select $1::uuid, gen_random_uuid(), 'sandbox', sha256(('old ' || n || $1::uuid)::bytea), 'kp_sandbox_000000',
              $2::timestamptz + n * interval '1 second', $2::timestamptz + n * interval '1 second'
         from generate_series(1, 300) n`,
      [partner.id, test.clock.now()],
    )
    const listed = await keys()
    expect(listed).toHaveLength(200)
    expect(listed.at(-1)?.id).toBe(partner.keyId)
    expect(listed.filter(({ revoked_at }) => revoked_at !== null)).toHaveLength(199)
    expect(await newest()).toBe(partner.keyId)
  })
})

describe('DELETE /v1/keys/{id}', () => {
  it('stops a key at once, once, and tells every admin once', async () => {
    for (let count = 0; count < 2; count++) {
      const reply = await revoke(partner.keyId)
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).toEqual({ id: partner.keyId, revoked: true })
    }
    expect(await works(partner.key)).toBe(false)
    expect(await mailsAbout(/was revoked/, admin.email)).toHaveLength(1)
  })

  it('ends the grace of a key that is being rotated', async () => {
    await rotate(partner.keyId, 604_800)
    await revoke(partner.keyId)
    expect(await works(partner.key)).toBe(false)
  })
})

describe('changing keys', () => {
  it('is 404 for keys of others, as for those that nobody knows', async () => {
    const other = await aPartner(test)
    for (const id of [other.keyId, '019a8a00-0000-7000-8000-000000000000', 'nonsense']) {
      for (const reply of [await rotate(id, 0), await revoke(id)]) {
        expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found'])
      }
    }
    expect(await works(other.key)).toBe(true)
  })

  it('is 403 for viewers and for API keys', async () => {
    const refused = [
      await create({ environment: 'sandbox' }, viewer),
      await rotate(partner.keyId, 0, viewer),
      await revoke(partner.keyId, viewer),
      await test.request({
        method: 'POST',
        url,
        payload: { environment: 'sandbox' },
        headers: { authorization: `Bearer ${partner.key}` },
      }),
    ]
    for (const reply of refused) expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'api_key_required'])
    expect(await works(partner.key)).toBe(true)
  })
})
