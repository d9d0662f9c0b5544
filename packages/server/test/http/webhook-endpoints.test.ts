// Receivers of webhooks: made, changed, paused, rotated and deleted, by those who may.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openSecret } from '../../src/domain/webhooks/endpoint-secret.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, inLive, sql } from '../support/fixtures.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
  admin = await signedIn(test, partner)
})

const url = '/v1/webhook-endpoints'
const HOOK = 'https://hooks.thistle.example/kestrel'

function byKey(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, key = partner.key) {
  const headers = { authorization: `Bearer ${key}` }
  return test.request({ method, url: path, headers, ...(payload === undefined ? {} : { payload }) })
}
const create = (payload: object = { url: HOOK }) => byKey('POST', url, payload)
const listed = async () => (await get(test, partner, url)).json().data

describe('a webhook endpoint', () => {
  it('is made with a secret that is shown once, and sealed at rest', async () => {
    const reply = await create({ url: HOOK, description: 'The shop', events: ['payout.failed', 'payout.failed'] })
    expect(reply.statusCode).toBe(201)
    const { secret, note, ...made } = reply.json()
    expect(made).toMatchObject({ url: HOOK, description: 'The shop', events: ['payout.failed'], status: 'active' })
    expect(note).toContain('Copy')
    expect(await listed()).toEqual([made])
    expect((await get(test, partner, `${url}/${made.id}`)).json()).toEqual(made)
    const [row] = await sql<{ sealed: Buffer }>(
      test,
      'select secret_sealed as sealed from webhook_endpoints where id = $1',
      [made.id],
    )
    expect(row!.sealed.toString('latin1')).not.toContain(secret.slice(6))
    expect(openSecret(test.deps.secrets, row!.sealed, made.id)).toBe(secret)
    expect(() => openSecret(test.deps.secrets, row!.sealed, partner.id)).toThrow('unable to authenticate')
    // The official library takes the secret as it is.
    expect(new Webhook(secret)).toBeInstanceOf(Webhook)
  })

  it('of letters that become too many when it is sent is refused, and is no failure', async () => {
    const reply = await create({ url: `${HOOK}/${'é'.repeat(1_900)}` })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'endpoint_not_allowed'])
  })

  it('gets all events unless it names some, and a wrong name is told with the nearest', async () => {
    expect((await create()).json().events).toEqual(['*'])
    expect((await create({ url: HOOK, events: ['payout.failed', '*'] })).json().events).toEqual(['*'])
    const wrong = await create({ url: HOOK, events: ['payout.complete'] })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json().error).toMatchObject({
      code: 'invalid_request',
      message: 'No event is called payout.complete. Did you mean payout.completed?',
    })
  })

  it('is one of ten at most, however many ask at once', async () => {
    const replies = await Promise.all(Array.from({ length: 14 }, () => create()))
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10)
    for (const reply of replies.filter(({ statusCode }) => statusCode !== 201)) {
      expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'endpoint_limit_reached'])
    }
    const [{ id }] = await listed()
    expect((await byKey('DELETE', `${url}/${id}`)).json()).toEqual({ id, deleted: true })
    expect((await create()).statusCode).toBe(201)
  })

  it('is refused at a hostile address, with the reason, and nothing is kept', async () => {
    for (const hostile of ['https://10.0.0.1/', 'https://169.254.169.254/', 'http://hooks.thistle.example/', 'x']) {
      const reply = await create({ url: hostile })
      expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'endpoint_not_allowed'])
      expect(reply.json().error.message).toContain(hostile)
    }
    const secretive = await create({ url: 'https://me:password1@hooks.thistle.example/' })
    expect(secretive.body).toContain('must not contain a user name or a password')
    expect(secretive.body).not.toContain('password1')
    const { id } = (await create()).json()
    const moved = await byKey('PATCH', `${url}/${id}`, { url: 'https://192.168.0.1/' })
    expect(moved.json().error.code).toBe('endpoint_not_allowed')
    expect(await listed()).toMatchObject([{ url: HOOK }])
  })

  it('may be on this machine in sandbox, and never in live', async () => {
    const here = { url: 'http://localhost:4242/hook' }
    expect((await create(here)).statusCode).toBe(201)
    const live = await ask(test, admin, { method: 'POST', url: `${url}?environment=live`, payload: here })
    expect([live.statusCode, live.json().error.code]).toEqual([422, 'endpoint_not_allowed'])
  })

  it('is changed, paused and made active again', async () => {
    const { id } = (await create()).json()
    const change = async (payload: object) => (await byKey('PATCH', `${url}/${id}`, payload)).json()
    expect(await change({ status: 'paused', description: 'Old' })).toMatchObject({
      status: 'paused',
      description: 'Old',
    })
    expect(await change({ description: null, events: ['balance.low'] })).toMatchObject({
      status: 'paused',
      description: null,
      events: ['balance.low'],
    })
    await sql(
      test,
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone', disabled_at = created_at where id = $1`,
      [id],
    )
    expect((await listed())[0]).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    expect(await change({ status: 'active' })).toMatchObject({
      status: 'active',
      disabled_reason: null,
      disabled_at: null,
    })
    expect((await byKey('PATCH', `${url}/${id}`, {})).statusCode).toBe(422)
    expect((await byKey('PATCH', `${url}/${id}`, { status: 'disabled' })).statusCode).toBe(422)
  })

  it('gets another secret; the one before stays until its grace is over', async () => {
    const { id, secret } = (await create()).json()
    const rotated = (await byKey('POST', `${url}/${id}/rotate-secret`, {})).json()
    expect(rotated.secret).not.toBe(secret)
    const untilMs = Date.parse(rotated.previous_secret_until) - Date.parse(rotated.created_at)
    expect(Math.floor(untilMs / 3_600_000)).toBe(24)
    // The receiver may still have the first: another rotation with a grace would end it at once.
    const again = await byKey('POST', `${url}/${id}/rotate-secret`, {})
    expect(again.json().error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Two secrets sign'),
    })
    const atOnce = (await byKey('POST', `${url}/${id}/rotate-secret`, { grace_seconds: 0 })).json()
    expect(atOnce.previous_secret_until).toBeNull()
    expect((await byKey('POST', `${url}/${id}/rotate-secret`, { grace_seconds: 604_801 })).statusCode).toBe(422)
  })

  it('that is deleted is not there any more, and its secret neither', async () => {
    const { id } = (await create()).json()
    await byKey('DELETE', `${url}/${id}`)
    expect(await listed()).toEqual([])
    for (const reply of [
      await get(test, partner, `${url}/${id}`),
      await byKey('DELETE', `${url}/${id}`),
      await byKey('PATCH', `${url}/${id}`, { status: 'paused' }),
      await byKey('POST', `${url}/${id}/rotate-secret`, {}),
    ]) {
      expect(reply.statusCode).toBe(404)
    }
    expect(await sql(test, 'select secret_sealed as sealed from webhook_endpoints where id = $1', [id])).toEqual([
      { sealed: null },
    ])
  })

  it('is managed by admins, and by sandbox keys; viewers look, and a live key needs the scope', async () => {
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await ask(test, viewer, { method: 'POST', url, payload: { url: HOOK } })).statusCode).toBe(403)
    expect((await ask(test, viewer, { url })).statusCode).toBe(200)
    const live = await inLive(test, partner)
    const refused = await byKey('POST', url, { url: HOOK }, live.key)
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'scope_missing'])
    const made = await ask(test, admin, { method: 'POST', url: `${url}?environment=live`, payload: { url: HOOK } })
    expect(made.json()).toMatchObject({ environment: 'live', created_by: admin.email })
    await ask(test, admin, { method: 'POST', url, payload: { url: HOOK } })
    // A program is not told who is in the team.
    const [seen] = await listed()
    expect(seen).toMatchObject({ created_by: 'member' })
    expect((await get(test, partner, `${url}/${seen.id}`)).body).not.toContain(admin.email)
    expect((await ask(test, viewer, { url })).json().data[0].created_by).toBe(admin.email)
    await byKey('DELETE', `${url}/${seen.id}`)
    expect(await listed()).toEqual([])
  })
})
