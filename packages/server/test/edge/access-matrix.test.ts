// Every route × every kind of caller × whose object it is about, generated from the route table. What each may is said by
// the route's own config; here it is held against what the service answers, and against what must never be in an answer.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { createEndpoint } from '../../src/domain/webhooks/create-endpoint.ts'
import { aLiveBank } from '../billing/live-bank.ts'
import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, createPayout, inLive, sql } from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'
import { type EdgeOperation, edgeOperations } from './operations.ts'

/** Names that say whose payout an answer shows. */
const MARK = { own: 'Ownsandbox', ownLive: 'Ownlive', other: 'Otherbusiness' }
const RANDOM_ID = '01a1946c-7be0-76f0-b316-00a35a099950'

type Kind =
  | 'payout'
  | 'endpoint'
  | 'delivery'
  | 'event'
  | 'request'
  | 'invoice'
  | 'key'
  | 'member'
  | 'session'
  | 'invitation'
  | 'slug'
type Whose = 'own' | 'ownLive' | 'other' | 'random' | 'malformed'

/** What the id in an address names, by how the address begins. A route that is not here has no row, and fails. */
const KIND_OF: readonly (readonly [start: string, kind: Kind])[] = [
  ['/v1/public/partners/{slug}', 'slug'],
  ['/v1/payouts/{id}', 'payout'],
  ['/v1/sandbox/payouts/{id}', 'payout'],
  ['/v1/events/{id}', 'event'],
  ['/v1/activity/{id}', 'request'],
  ['/v1/invoices/{id}', 'invoice'],
  ['/v1/keys/{id}', 'key'],
  ['/v1/members/{id}', 'member'],
  ['/v1/webhook-endpoints/{id}', 'endpoint'],
  ['/v1/deliveries/{id}', 'delivery'],
  ['/v1/auth/sessions/{id}', 'session'],
  ['/v1/invitations/{id}', 'invitation'],
  ['/v1/auth/invitations/{id}', 'invitation'],
]

interface Caller {
  readonly headers: Record<string, string>
  /** The partner that it belongs to; null for a caller without one. */
  readonly business: 'own' | 'other' | 'suspended' | null
  readonly environment: 'sandbox' | 'live'
  readonly via: 'key' | 'session'
  readonly role: 'admin' | 'viewer'
}

let test: TestApp
let ids: Record<Whose, Record<Kind, string>>
let callers: Record<string, Caller>
let operations: EdgeOperation[]
let cells = 0

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
  // No caller and no id opens a receipt: our signature does (http/receipts).
  operations = edgeOperations(test).filter(({ path }) => !path.startsWith('/v1/receipts/'))
  test.clock.set('2026-09-10T12:00:00Z')
  const [own, other, suspended] = [await aPartner(test), await aPartner(test), await aPartner(test)]
  const [ownLive, otherLive] = [await inLive(test, own, '1000.00'), await inLive(test, other, '1000.00')]
  const payouts = {
    own: await paid(own, MARK.own),
    ownLive: await paid(ownLive, MARK.ownLive),
    other: await paid(otherLive, MARK.other),
  }
  await paid(other, MARK.other)
  test.clock.set('2026-10-01T06:00:00Z')
  const invoices = await issueInvoices(test.deps, parseMonth('2026-09')!)
  const invoiceOf = (partner: TestPartner) => invoices.find(({ slug }) => slug === partner.slug)!.id
  const [admin, viewer] = [await signedIn(test, own), await signedIn(test, own, { role: 'viewer' })]
  const [otherAdmin, suspendedAdmin] = [await signedIn(test, other), await signedIn(test, suspended)]
  const expired = await signedIn(test, own)
  await sql(test, `update sessions set expires_at = '2026-09-30T00:00:00Z' where id = $1`, [expired.sessionId])
  const revoked = await aKey(own)
  await revokeKey(test.deps, revoked.id)
  await changePartnerStatus(test.deps, suspended.slug, 'suspended')
  const own1 = { key: (await aKey(own)).id, member: viewer.memberId, session: viewer.sessionId, slug: own.slug }
  const invitations = [await invitationOf(admin.cookie), await invitationOf(otherAdmin.cookie)]
  const objects = { ...own1, invoice: invoiceOf(own), invitation: invitations[0]! }
  const same = (id: string) => ({
    endpoint: id,
    invitation: id,
    payout: id,
    event: id,
    request: id,
    delivery: id,
    invoice: id,
    key: id,
    member: id,
    session: id,
    slug: id,
  })
  ids = {
    own: {
      ...objects,
      payout: payouts.own,
      endpoint: await endpointOf(own, 'sandbox'),
      event: await eventOf(payouts.own),
      request: await requestOf(payouts.own),
      delivery: await deliveryOf(own, 'sandbox'),
    },
    ownLive: {
      ...objects,
      payout: payouts.ownLive,
      endpoint: await endpointOf(own, 'live'),
      event: await eventOf(payouts.ownLive),
      request: await requestOf(payouts.ownLive),
      delivery: await deliveryOf(own, 'live'),
    },
    other: {
      payout: payouts.other,
      endpoint: await endpointOf(other, 'live'),
      event: await eventOf(payouts.other),
      request: await requestOf(payouts.other),
      delivery: await deliveryOf(other, 'live'),
      invoice: invoiceOf(other),
      key: other.keyId,
      member: otherAdmin.memberId,
      session: otherAdmin.sessionId,
      invitation: invitations[1]!,
      slug: other.slug,
    },
    random: same(RANDOM_ID),
    malformed: same('%F0%9F%92%B8'),
  }
  // Live keys have every scope but this one unless they were given it; which scope a route needs is in scopes.test.ts.
  await sql(test, `update api_keys set scopes = '{read,quote,pay,webhooks,sandbox}' where environment = 'live'`)
  const key = (secret: string, business: Caller['business'], environment: Caller['environment'] = 'sandbox') =>
    ({ headers: { authorization: `Bearer ${secret}` }, business, environment, via: 'key', role: 'admin' }) as const
  const session = (cookie: string, business: Caller['business'], role: Caller['role'] = 'admin') =>
    ({ headers: { cookie, origin: PUBLIC_URL }, business, environment: 'sandbox', via: 'session', role }) as const
  callers = {
    nobody: { headers: {}, business: null, environment: 'sandbox', via: 'key', role: 'admin' },
    'a malformed key': key('kp_sandbox_nonsense', null),
    'an unknown key': key(`kp_sandbox_${'0'.repeat(48)}`, null),
    'a revoked key': key(revoked.secret, null),
    'a made-up session': session(`kestrel_session=${'x'.repeat(43)}`, null),
    'an expired session': session(expired.cookie, null),
    'the own sandbox key': key(own.key, 'own'),
    'the own live key': key(ownLive.key, 'own', 'live'),
    'the other’s sandbox key': key(other.key, 'other'),
    'the other’s live key': key(otherLive.key, 'other', 'live'),
    'a suspended key': key(suspended.key, 'suspended'),
    'a suspended admin': session(suspendedAdmin.cookie, 'suspended'),
    'the own admin': session(admin.cookie, 'own'),
    'the own viewer': session(viewer.cookie, 'own', 'viewer'),
    'the other’s admin': session(otherAdmin.cookie, 'other'),
  }
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

async function paid(partner: TestPartner, firstName: string): Promise<string> {
  const { id } = (await createPayout(test, partner, { recipient: aRecipient({ first_name: firstName }) })).json()
  test.clock.advance(5_000)
  await test.follow()
  return id
}

async function eventOf(payoutId: string): Promise<string> {
  return (await sql<{ id: string }>(test, 'select id from events where subject_id = $1 limit 1', [payoutId]))[0]!.id
}

async function requestOf(payoutId: string): Promise<string> {
  await test.deps.activity.flush()
  const rows = await sql<{ id: string }>(test, 'select id from activity where detail = $1 limit 1', [payoutId])
  return rows[0]!.id
}

async function aKey({ slug }: TestPartner): Promise<{ id: string; secret: string }> {
  return createKey(test.deps, { partner: await findPartner(test.deps, slug), environment: 'sandbox', label: null })
}

async function endpointOf({ id: partnerId }: TestPartner, environment: 'sandbox' | 'live'): Promise<string> {
  const wanted = { url: 'https://hooks.thistle.example/', description: null, events: ['*'], by: 'finance' }
  return (await createEndpoint(test.deps, { partnerId, environment }, wanted)).endpoint.id
}

async function deliveryOf({ id: partnerId }: TestPartner, environment: 'sandbox' | 'live'): Promise<string> {
  const [row] = await sql<{ id: string }>(
    test,
    `insert into webhook_deliveries (partner_id, environment, id, endpoint_id, event_id, event_type, subject_id, sequence, cause,
                                     state, created_at, in_order_until, next_try_at)
     select e.partner_id, e.environment, gen_random_uuid(), e.id, v.id, v.type, v.subject_id, v.sequence, 'event', 'waiting',
            v.occurred_at, v.occurred_at, v.occurred_at
       from webhook_endpoints e join events v on v.partner_id = e.partner_id and v.environment = e.environment
      where e.partner_id = $1 and e.environment = $2 limit 1 returning id`,
    [partnerId, environment],
  )
  return row!.id
}

let invited = 0

/** Somebody who was invited, and has not answered yet. */
async function invitationOf(cookie: string): Promise<string> {
  const payload = { email: `invited-${invited++}@thistle.test`, role: 'viewer' }
  const headers = { cookie, origin: PUBLIC_URL }
  const reply = await test.app.inject({ method: 'POST', url: '/v1/members', headers, payload })
  if (reply.statusCode >= 300) throw new Error(`Nobody was invited: ${reply.body}`)
  const { data } = (await test.app.inject({ url: '/v1/invitations', headers })).json<{ data: { id: string }[] }>()
  return data[0]!.id
}

function kindOf({ name, path }: EdgeOperation): Kind | null {
  // Public keys are worked out from any id, whoever has it, and say nothing of anybody.
  if (!path.includes('{') || path.startsWith('/.well-known/')) return null
  const kind = KIND_OF.find(([start]) => path.startsWith(start))?.[1]
  if (kind === undefined) throw new Error(`${name} has no row in the matrix: say what its id names`)
  return kind
}

/** A body that would be accepted, so that only the named object decides the answer. */
const BODIES: Readonly<Record<string, object>> = {
  rotateKey: { grace_seconds: 0 },
  changeWebhookEndpoint: { status: 'paused' },
  rotateWebhookSecret: { grace_seconds: 0 },
  testWebhookEndpoint: {},
  redeliverEvent: {},
  replayWebhooks: { from: '2026-09-01T00:00:00Z' },
  changeMember: { name: 'Amara Okafor' },
  simulatePayout: { outcome: 'complete' },
}

/** What a query must have, of the own partner: others ask for it, and see nothing. */
function queryOf({ id, path }: EdgeOperation): string {
  if (id !== 'listDeliveriesOfSubject') return ''
  return `${path.includes('?') ? '&' : '?'}subject=${ids.own.payout}`
}

function send(operation: EdgeOperation, caller: Caller, whose: Whose | null): Promise<LightMyRequestResponse> {
  const kind = kindOf(operation)
  const path = operation.path
    .replace('{n}', '1')
    .replace(/\{\w+\}/, kind === null || whose === null ? ids.random.endpoint : ids[whose][kind])
  const url = `${path}${queryOf(operation)}`
  const hasBody = operation.method !== 'GET' && (operation.body !== null || operation.takesBytes)
  const payload = { payload: operation.id in BODIES ? BODIES[operation.id]! : { no_such_field: true } }
  const request: InjectOptions = { method: operation.method, url, headers: caller.headers, ...(hasBody ? payload : {}) }
  cells++
  return test.app.inject(request)
}

/** What the route's own config says before anything is looked for; null when the caller may go on. */
function refusalOf({ access }: EdgeOperation, caller: Caller): { status: number; code: string } | null {
  const refused = (status: number, code: string) => ({ status, code })
  if (access.auth === 'none') return null
  if (caller.business === null) return refused(401, 'unauthorized')
  const isSuspended = caller.business === 'suspended' && !(caller.via === 'session' && access.evenSuspended === true)
  if (isSuspended) return refused(403, 'partner_not_active')
  if (access.sandboxOnly === true && caller.environment === 'live') return refused(404, 'not_found')
  if (caller.via === 'key') {
    if (access.auth === 'session') return refused(403, 'api_key_required')
    const isHidden = access.showsLive === true && caller.environment === 'sandbox'
    return isHidden ? refused(403, 'api_key_required') : null
  }
  return access.needs === 'admin' && caller.role === 'viewer' ? refused(403, 'api_key_required') : null
}

/** Whether the caller sees the object at all. A viewer's own session is not the admin's. */
function isVisible(kind: Kind, whose: Whose, caller: Caller): boolean {
  if (whose === 'random' || whose === 'malformed') return false
  if (kind === 'slug') return true
  const owner = whose === 'other' ? 'other' : 'own'
  if (caller.business !== owner) return false
  if (kind === 'session') return false
  const isLive = whose !== 'own'
  return (
    !['payout', 'endpoint', 'event', 'request', 'delivery'].includes(kind) || (caller.environment === 'live') === isLive
  )
}

const masked = (reply: LightMyRequestResponse) => [
  reply.statusCode,
  reply.body.replaceAll(/"request_id":"[^"]+"/g, '"request_id":""'),
]

/** What an answer must never have in it, for this caller. */
function leaksIn({ body, statusCode }: LightMyRequestResponse, caller: Caller): string[] {
  const isKeyOf = (environment: Caller['environment']) => caller.via === 'key' && caller.environment === environment
  const forbidden = [
    ...(caller.business === 'other' ? [] : [MARK.other]),
    ...(caller.business === 'own' ? [] : [MARK.own, MARK.ownLive]),
    ...(isKeyOf('sandbox') ? [MARK.ownLive] : []),
    ...(isKeyOf('live') ? [MARK.own] : []),
  ]
  return [...forbidden.filter((mark) => body.includes(mark)), ...(statusCode >= 500 ? [`status ${statusCode}`] : [])]
}

const codeIn = (reply: LightMyRequestResponse) => reply.json<{ error: { code: string } }>().error.code

/** Routes that would change the data of the other rows, or never end. */
function isLeftOut({ access, method, body, takesBytes }: EdgeOperation): boolean {
  return access.isEndless === true || (method !== 'GET' && body === null && !takesBytes)
}

/** What is wrong with an answer where no object is named. */
function wrongPlain(operation: EdgeOperation, caller: Caller, reply: LightMyRequestResponse): string[] {
  const refusal = refusalOf(operation, caller)
  const { statusCode } = reply
  if (refusal !== null) {
    const isRight = statusCode === refusal.status && codeIn(reply) === refusal.code
    return isRight ? [] : [`${statusCode} instead of ${refusal.status} ${refusal.code}`]
  }
  const isRight = operation.method === 'GET' ? statusCode === 200 : statusCode !== 401 && statusCode !== 403
  return isRight ? [] : [`${statusCode} ${reply.body.slice(0, 200)}`]
}

/** What is wrong with an answer about an object, beside the answer about one that does not exist. */
function wrongAbout(
  operation: EdgeOperation,
  {
    caller,
    isSeen,
    reply,
    unknown,
  }: Record<'reply' | 'unknown', LightMyRequestResponse> & { caller: Caller; isSeen: boolean },
): string[] {
  const { statusCode } = reply
  const refusal = refusalOf(operation, caller)
  if (refusal === null && isSeen) {
    const found = operation.path.endsWith('/logo') ? 404 : 200
    return statusCode === found ? [] : [`${statusCode} instead of ${found}`]
  }
  const wrong =
    JSON.stringify(masked(reply)) === JSON.stringify(masked(unknown)) ? [] : ['another answer than for an unknown id']
  if (refusal === null) return operation.method === 'GET' && statusCode !== 404 ? [...wrong, `${statusCode}`] : wrong
  return statusCode === refusal.status && codeIn(reply) === refusal.code ? wrong : [...wrong, `${statusCode}`]
}

describe('every route, for every caller', () => {
  it('refuses whom its config does not let in, and shows nobody what is another’s', async () => {
    const wrong: string[] = []
    for (const operation of operations.filter((each) => kindOf(each) === null)) {
      for (const [name, caller] of Object.entries(callers)) {
        if (refusalOf(operation, caller) === null && isLeftOut(operation)) continue
        const reply = await send(operation, caller, null)
        const found = [...leaksIn(reply, caller), ...wrongPlain(operation, caller, reply)]
        wrong.push(...found.map((what) => `${operation.name}, ${name}: ${what}`))
      }
    }
    expect(wrong).toEqual([])
  })

  it('ignores what a key says about the environment', async () => {
    const wrong: string[] = []
    for (const operation of operations.filter(({ method, access }) => method === 'GET' && access.auth === 'key')) {
      if (isLeftOut(operation) || operation.access.share === 'documents') continue
      for (const name of ['the own sandbox key', 'the own live key']) {
        const caller = callers[name]!
        const whose = kindOf(operation) === null ? null : caller.environment === 'live' ? 'ownLive' : 'own'
        const plain = await send(operation, caller, whose)
        for (const value of ['live', 'sandbox', 'nonsense', '', 'live&environment=x']) {
          const reply = await send({ ...operation, path: `${operation.path}?environment=${value}` }, caller, whose)
          const isSame = reply.statusCode === plain.statusCode && leaksIn(reply, caller).length === 0
          if (!isSame) wrong.push(`${operation.name}, ${name}, environment=${value}: ${reply.statusCode}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('every route that names an object, for every caller', () => {
  it('answers alike for what is another’s, what is of the other environment, and what does not exist', async () => {
    const wrong: string[] = []
    for (const operation of operations) {
      const kind = kindOf(operation)
      if (kind === null) continue
      for (const [name, caller] of Object.entries(callers)) {
        const isRefused = refusalOf(operation, caller) !== null
        const unknown = await send(operation, caller, 'random')
        for (const whose of ['own', 'ownLive', 'other', 'malformed'] as const) {
          const isSeen = isVisible(kind, whose, caller)
          // Left out if it would change something: the data of the other rows has to stay as it is.
          const isDone =
            isSeen ||
            (kind === 'session' && caller.business === (whose === 'other' ? 'other' : 'own') && whose !== 'malformed')
          if (!isRefused && isDone && (operation.method !== 'GET' || isLeftOut(operation))) continue
          const reply = await send(operation, caller, whose)
          const found = [...leaksIn(reply, caller), ...wrongAbout(operation, { caller, isSeen, reply, unknown })]
          wrong.push(...found.map((what) => `${operation.name}, ${name}, ${whose}: ${what}`))
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('shows the payouts behind an invoice to live keys and sessions, whose they are', async () => {
    const behind = operations.filter(({ access }) => access.showsLive === true)
    expect(behind.map(({ path }) => path)).toEqual([
      '/v1/invoices/{id}/lines/{n}/payouts',
      '/v1/invoices/{id}/lines/{n}/payouts.csv',
    ])
    for (const operation of behind) {
      for (const name of ['the own live key', 'the own admin', 'the own viewer']) {
        expect((await send(operation, callers[name]!, 'own')).body).toContain(MARK.ownLive)
      }
      for (const name of Object.keys(callers).filter((each) => !/own (live key|admin|viewer)/.test(each))) {
        expect((await send(operation, callers[name]!, 'own')).body).not.toContain(MARK.ownLive)
      }
    }
  })
})

it('the matrix has as many cells as it is meant to have', ({ task }) => {
  task.meta.cases = cells
  expect(cells).toBeGreaterThanOrEqual(1_500)
})
