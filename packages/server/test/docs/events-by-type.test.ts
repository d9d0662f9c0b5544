// What the document says of events by their type: it is what is really written, and what really arrives.
import { EVENT_TYPES, type Event, type EventList } from '@kestrel/contract'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { parseMonth } from '../../src/core/london-month.ts'
import { parseUsdc } from '../../src/core/money.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { creditDeposit } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { vouchForPartner } from '../../src/domain/banking/verification/vouch-for-partner.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { tellOfOverdue } from '../../src/domain/billing/tell-of-overdue.ts'
import { warnOfLowBalances } from '../../src/domain/notices/warn-of-low-balance.ts'
import { deliverWebhooks } from '../../src/domain/webhooks/deliver-webhooks.ts'
import { disableEndpoint } from '../../src/domain/webhooks/failing-endpoints.ts'
import { SENT_TYPES } from '../../src/http/docs/event-kinds.ts'
import { aLiveBank } from '../billing/live-bank.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, get, inLive, post, setBalance, sql } from '../support/fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { ask, signedIn } from '../support/sessions.ts'
import { openApiDocument } from './openapi-document.ts'

const document = await openApiDocument()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...document })
const refersTo = (name: string) => ({ $ref: `openapi#/components/schemas/${name}` })

interface Shape {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Shape>>
}
const schemas = document.components.schemas as Readonly<Record<string, Shape>>
const nameIn = ($ref = '') => $ref.split('/').at(-1)!
const { discriminator, oneOf } = schemas['Event'] as {
  discriminator: { propertyName: string; mapping: Record<string, string> }
  oneOf: Shape[]
}
const branchOf = (type: string) => nameIn(discriminator.mapping[type] ?? '/EventOfAnotherType')

function problemsOf(name: string, value: unknown) {
  const validate = ajv.compile(refersTo(name))
  return validate(value) ? [] : validate.errors
}

/** What its branch has no word for. */
function unnamedIn({ type, data }: Event): string[] {
  const shape = schemas[branchOf(type)]!.properties!['data']!
  const { properties = {} } = shape.$ref === undefined ? shape : schemas[nameIn(shape.$ref)]!
  return Object.keys(data).filter((name) => !(name in properties))
}

let test: TestApp
let receiver: Receiver
const written: Event[] = []
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
  receiver = await startReceiver()
  const partner = await aPartner(test)
  const other = await inLive(test, await aPartner(test), '900.00')
  await vouchForPartner(test.deps, partner.slug, null)
  const live = await inLive(test, partner, '900.00')
  await payouts(partner)
  await team(partner)
  await wallet(live)
  // Invoices take months, and events are kept for 90 days.
  for (const by of [partner, live]) written.push(...(await eventsOf(by)))
  await invoices([live, other])
  for (const by of [live, other]) written.push(...(await eventsOf(by)))
})
afterAll(async () => {
  await receiver.close()
  await test.close()
  vi.useRealTimers()
})

async function eventsOf(by: Pick<TestPartner, 'key'>): Promise<Event[]> {
  const { data, has_more: hasMore } = (await get(test, by, '/v1/events?limit=200')).json<EventList>()
  expect(hasMore).toBe(false)
  return data
}

async function payouts(partner: TestPartner): Promise<void> {
  const { id } = (await post(test, partner, '/v1/webhook-endpoints', { url: receiver.url, events: ['*'] })).json()
  for (const reference of ['Invoice 1042', 'sandbox:return', 'sandbox:fail', 'sandbox:cancel', 'sandbox:late'])
    await createPayout(test, partner, { reference })
  for (let round = 0; round < 20; round++) {
    test.clock.advance(2_000)
    await test.follow()
  }
  for (let round = 0; round < 8; round++) await deliverWebhooks(test.deps)
  await post(test, partner, `/v1/webhook-endpoints/${id}/test`, { type: 'ping' })
  await disableEndpoint(test.deps, { partnerId: partner.id, environment: 'sandbox', id }, 'gone')
}

async function team(partner: TestPartner): Promise<void> {
  const admin = await signedIn(test, partner)
  const made = await ask(test, admin, {
    method: 'POST',
    url: '/v1/keys',
    payload: { environment: 'sandbox', label: 'orders' },
  })
  const { id } = made.json()
  const limits = { daily_gbp: '100.00' }
  await ask(test, admin, { method: 'PATCH', url: `/v1/keys/${id}`, payload: limits })
  await ask(test, admin, { method: 'POST', url: `/v1/keys/${id}/rotate`, payload: { grace_seconds: 3600 } })
  await revokeKey(test.deps, id)
  const url = `/v1/members/${admin.memberId}?environment=sandbox`
  await ask(test, admin, { method: 'PATCH', url, payload: limits })
}

async function wallet(live: TestPartner): Promise<void> {
  await sql(test, `update partners set low_balance_micro = 50000000, verified_at = now() where id = $1`, [live.id])
  for (const usdc of ['20.00', '900.00']) {
    await setBalance(test, live, usdc)
    await warnOfLowBalances(test.deps)
  }
  const at = test.clock.now()
  const deposit = { depositRef: `dep_${newId(at)}`, source: 'bank', amount: parseUsdc('12.34')! } as const
  const scope = { partnerId: live.id, environment: 'live' } as const
  await test.deps.db.inTransaction((tx) =>
    creditDeposit(test.deps, tx, scope, { ...deposit, holderRef: 'x', receivedAt: at, updatedAt: at }),
  )
}

async function invoices(partners: readonly TestPartner[]): Promise<void> {
  test.clock.set('2027-02-10T12:00:00Z')
  for (const live of partners) {
    await sql(test, `update partners set verified_at = $2 where id = $1`, [live.id, test.clock.now()])
    expect((await createPayout(test, live)).statusCode).toBe(201)
  }
  test.clock.advance(60_000)
  await test.follow()
  test.clock.set('2027-03-01T06:00:00Z')
  const [one, other] = await issueInvoices(test.deps, parseMonth('2027-02')!)
  test.clock.set('2027-04-20T06:00:00Z')
  await tellOfOverdue(test.deps)
  await markInvoicePaid(test.deps, one!.number, test.clock.now())
  await markInvoiceVoid(test.deps, other!.number, 'a mistake')
}

describe('an event of the type', () => {
  it.each(EVENT_TYPES)('%s is what the document says of it', (type) => {
    const own = written.filter((event) => event.type === type)
    expect(own.length).toBeGreaterThan(0)
    for (const event of own) {
      expect(problemsOf(branchOf(type), event)).toEqual([])
      expect(problemsOf('Event', event)).toEqual([])
      expect(unnamedIn(event)).toEqual([])
    }
  })

  it('that nobody knows yet is an event all the same, and one that is known needs its own data', () => {
    const [event] = written.filter(({ type }) => type === 'payout.completed')
    expect(problemsOf('Event', { ...event, type: 'payout.celebrated', data: {} })).toEqual([])
    expect(problemsOf('Event', { ...event, data: {} })).not.toEqual([])
    expect(problemsOf('Event', { ...event, type: 'invoice.paid' })).not.toEqual([])
  })
})

describe('the union', () => {
  it('has each type once, and a member for all others', () => {
    expect(discriminator.propertyName).toBe('type')
    expect(Object.keys(discriminator.mapping).toSorted()).toEqual([...SENT_TYPES].toSorted())
    const members = oneOf.map(({ $ref }) => nameIn($ref))
    expect(members).toEqual([...new Set(Object.values(discriminator.mapping).map(nameIn)), 'EventOfAnotherType'])
  })
})

describe('the webhooks of the document', () => {
  it('are the types of events and the test, each with its body, its headers and what to answer', () => {
    expect(Object.keys(document.webhooks)).toEqual([...SENT_TYPES])
    const ids = Object.values(document.webhooks).map(({ post: { operationId } }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const { parameters } = document.components
    for (const { post: arrival } of Object.values(document.webhooks)) {
      const names = arrival.parameters.map(({ $ref }) => parameters[nameIn($ref)]!.name)
      expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(Object.keys(arrival.responses)).toEqual(['410', '429', '503', '2XX', 'default'])
    }
  })

  it.each(Object.entries(document.webhooks))('%s shows an example that fits its body', (type, { post: arrival }) => {
    const { schema, examples } = arrival.requestBody.content['application/json']!
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object)
    const { value } = examples['example']!
    expect(validate(value) ? [] : validate.errors).toEqual([])
    expect(unnamedIn(value as Event)).toEqual([])
    expect(validate({ ...(value as object), type: `${type}.other` })).toBe(false)
  })

  it('are what arrives at a receiver', () => {
    const { parameters } = document.components
    const arrived = receiver.received
    expect(new Set(arrived.map(({ event }) => event.type))).toContain('ping')
    expect(arrived.length).toBeGreaterThan(10)
    for (const { event, headers } of arrived) {
      expect(problemsOf(branchOf(event.type), event)).toEqual([])
      for (const { name, schema } of Object.values(parameters)) expect(ajv.validate(schema, headers[name])).toBe(true)
    }
  })
})
