// The SDK fits the published document: its types are up to date, and every operation of a key has a method.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Schema } from '../generate/schema-types.ts'
import { type Document, keyOperations, sdkSources } from '../generate/sdk-sources.ts'
import { Kestrel } from '../src/index.ts'
import { BODY } from './support/service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const document = JSON.parse(read('docs/openapi.json')) as Document

it.each(Object.entries(sdkSources(document)))('%s is up to date; npm run docs writes it', (path, text) => {
  expect(read(path)).toBe(text)
})

const ID = '01a19b8a-d7c6-7269-bef2-a74de452e6b4'

/** One call of every method that asks something, by the operation that it asks for. */
const METHODS: Readonly<Record<string, (kestrel: Kestrel) => unknown>> = {
  'GET /v1/account': (kestrel) => kestrel.account.retrieve(),
  'GET /v1/balance': (kestrel) => kestrel.balance.retrieve(),
  'GET /v1/compliance': (kestrel) => kestrel.compliance.retrieve(),
  'POST /v1/compliance/verification': (kestrel) => kestrel.compliance.startVerification(),
  'GET /v1/go-live': (kestrel) => kestrel.goLive.retrieve(),
  'GET /v1/activity': (kestrel) => kestrel.activity.list().page(),
  'GET /v1/activity/{id}': (kestrel) => kestrel.activity.retrieve(ID),
  'GET /v1/activity/chain': (kestrel) => kestrel.activity.chain(),
  'GET /v1/activity/heads': (kestrel) => kestrel.activity.heads(),
  'GET /v1/activity/export.csv': (kestrel) => kestrel.activity.exportCsv(),
  'GET /v1/recipients': (kestrel) => kestrel.recipients.list().page(),
  'POST /v1/quotes': (kestrel) => kestrel.quotes.create({ amount_gbp: '25.00' }),
  'GET /v1/payouts/summary': (kestrel) => kestrel.payouts.summary(),
  'GET /v1/payouts/daily': (kestrel) => kestrel.payouts.daily(),
  'GET /v1/payouts/export.csv': (kestrel) => kestrel.payouts.exportCsv(),
  'POST /v1/payouts': (kestrel) => kestrel.payouts.create(BODY, { idempotencyKey: 'order-1042' }),
  'GET /v1/payouts': (kestrel) => kestrel.payouts.list().page(),
  'GET /v1/payouts/{id}': (kestrel) => kestrel.payouts.retrieve(ID),
  'POST /v1/payouts/{id}/cancel': (kestrel) => kestrel.payouts.cancel(ID),
  'POST /v1/payouts/pause': (kestrel) => kestrel.payouts.pause(),
  'GET /v1/payouts/{id}/timeline': (kestrel) => kestrel.payouts.timeline(ID),
  'GET /v1/payouts/{id}/receipt.pdf': (kestrel) => kestrel.payouts.receipt(ID),
  'GET /v1/events': (kestrel) => kestrel.events.list().page(),
  'GET /v1/events/{id}': (kestrel) => kestrel.events.retrieve(ID),
  'GET /v1/stream': (kestrel) => kestrel.events.stream().next(),
  'POST /v1/events/{id}/redeliver': (kestrel) => kestrel.events.redeliver(ID),
  'GET /v1/usage': (kestrel) => kestrel.usage.retrieve(),
  'GET /v1/invoices': (kestrel) => kestrel.invoices.list().page(),
  'GET /v1/invoices/{id}': (kestrel) => kestrel.invoices.retrieve(ID),
  'GET /v1/invoices/{id}.pdf': (kestrel) => kestrel.invoices.pdf(ID),
  'GET /v1/invoices/{id}/lines.csv': (kestrel) => kestrel.invoices.exportCsv(ID),
  'GET /v1/invoices/{id}/lines/{n}/payouts': (kestrel) => kestrel.invoices.payouts(ID, 1).page(),
  'GET /v1/invoices/{id}/lines/{n}/payouts.csv': (kestrel) => kestrel.invoices.exportPayoutsCsv(ID, 1),
  'GET /v1/statement': (kestrel) => kestrel.statement.list().page(),
  'GET /v1/statement.csv': (kestrel) => kestrel.statement.exportCsv(),
  'GET /v1/keys': (kestrel) => kestrel.keys.list().page(),
  'GET /v1/members': (kestrel) => kestrel.members.list().page(),
  'GET /v1/invitations': (kestrel) => kestrel.invitations.list().page(),
  'GET /v1/funding': (kestrel) => kestrel.funding.retrieve(),
  'GET /v1/settings': (kestrel) => kestrel.settings.retrieve(),
  'GET /v1/webhook-endpoints': (kestrel) => kestrel.webhookEndpoints.list().page(),
  'POST /v1/webhook-endpoints': (kestrel) => kestrel.webhookEndpoints.create({ url: 'https://a.test/', events: ['*'] }),
  'GET /v1/webhook-endpoints/{id}': (kestrel) => kestrel.webhookEndpoints.retrieve(ID),
  'PATCH /v1/webhook-endpoints/{id}': (kestrel) => kestrel.webhookEndpoints.update(ID, { description: 'orders' }),
  'DELETE /v1/webhook-endpoints/{id}': (kestrel) => kestrel.webhookEndpoints.delete(ID),
  'POST /v1/webhook-endpoints/{id}/rotate-secret': (kestrel) => kestrel.webhookEndpoints.rotateSecret(ID),
  'POST /v1/webhook-endpoints/{id}/test': (kestrel) => kestrel.webhookEndpoints.test(ID),
  'GET /v1/webhook-endpoints/{id}/deliveries': (kestrel) => kestrel.webhookEndpoints.deliveries(ID).page(),
  'POST /v1/webhook-endpoints/{id}/replay': (kestrel) =>
    kestrel.webhookEndpoints.replay(ID, { from: '2026-11-02T09:00:00Z' }),
  'GET /v1/deliveries': (kestrel) => kestrel.deliveries.list({ subject: ID }).page(),
  'GET /v1/deliveries/{id}': (kestrel) => kestrel.deliveries.retrieve(ID),
  'POST /v1/sandbox/payouts/{id}/simulate': (kestrel) => kestrel.sandbox.simulate(ID, { outcome: 'settle' }),
  'POST /v1/sandbox/top-up': (kestrel) => kestrel.sandbox.topUp({ usdc: '500.00', source: 'bank' }),
  'POST /v1/sandbox/reset': (kestrel) => kestrel.sandbox.reset(),
  'GET /v1/sandbox/invoice': (kestrel) => kestrel.sandbox.rehearseInvoice({ month: '2026-11' }),
  'GET /v1/sandbox/invoice.pdf': (kestrel) => kestrel.sandbox.rehearseInvoicePdf({ month: '2026-11' }),
  'POST /v1/sandbox/advance': (kestrel) => kestrel.sandbox.advance({ seconds: 60 }),
}

/** Whether an answer of this shape always says what it is, or which. */
function isNamed({ $ref, required = [], allOf = [], anyOf, oneOf }: Schema): boolean {
  const several = anyOf ?? oneOf
  if ($ref !== undefined) return isNamed(document.components.schemas[$ref.split('/').at(-1)!]!)
  if (several !== undefined) return several.every(isNamed)
  return required.includes('object') || required.includes('id') || allOf.some(isNamed)
}

describe('every operation of an API key', () => {
  const routes = keyOperations(document).map(([route]) => route)

  it('has a method', () => {
    expect(routes.filter((route) => !(route in METHODS))).toEqual([])
    expect(Object.keys(METHODS).filter((route) => !routes.includes(route))).toEqual([])
  })

  it('answers with what says what it is, or which: the client takes nothing else for an answer', () => {
    const silent = keyOperations(document).filter(([, { responses }]) =>
      Object.entries(responses).some(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        return status.startsWith('2') && schema !== undefined && !isNamed(schema)
      }),
    )
    expect(silent.map(([route]) => route)).toEqual([])
  })

  it.each(routes)('%s is what its method asks for', async (route) => {
    const asked: Request[] = []
    const kestrel = new Kestrel({
      apiKey: 'kp_sandbox_0',
      baseUrl: 'https://payouts.example/under/a/path/',
      fetch: async (...call) => {
        asked.push(new Request(...call))
        const headers = route === 'GET /v1/stream' ? { 'content-type': 'text/event-stream' } : {}
        return Response.json({ object: 'list', data: [], deposits: [] }, { headers })
      },
    })
    await METHODS[route]!(kestrel)
    const [method, path = ''] = route.split(' ')
    expect(asked).toHaveLength(1)
    expect(asked[0]!.method).toBe(method)
    const expected = `/under/a/path${path.replace('{id}', ID).replace('{n}', '1')}`
    expect(new URL(asked[0]!.url).pathname).toBe(expected)
    expect(asked[0]!.headers.get('authorization')).toBe('Bearer kp_sandbox_0')
  })
})
