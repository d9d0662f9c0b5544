// Every route that takes a key × every scope, from the route table: a key without the scope is refused and nothing changes;
// and a key without `pay` moves not a penny, whatever it calls, except that one for `sandbox` moves test money: it tops up,
// resets, and chooses how payouts end.
import { KEY_SCOPES, type KeyScope } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scopeNeeded } from '../../src/http/access/key-access.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aPayoutBody, anIdempotencyKey, createPayout, sql } from '../support/fixtures.ts'
import { type EdgeOperation, edgeOperations } from './operations.ts'

let test: TestApp
let partner: TestPartner
let payoutId: string
let operations: EdgeOperation[]
const keys = new Map<KeyScope, string>()

beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  operations = edgeOperations(test).filter(({ access }) => access.auth === 'key')
  payoutId = (await createPayout(test, partner)).json().id
  const owner = await findPartner(test.deps, partner.slug)
  await sql(test, 'update api_keys set revoked_at = now() where partner_id = $1', [partner.id])
  for (const scope of KEY_SCOPES) {
    const only = await createKey(test.deps, {
      partner: owner,
      environment: 'sandbox',
      label: scope,
      rules: { scopes: [scope] },
    })
    keys.set(scope, only.secret)
  }
})
afterAll(() => test.close())

const needs = ({ method, path, access }: EdgeOperation) =>
  scopeNeeded({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), scope: access.scope })

const call = ({ method, path }: EdgeOperation, secret: string) =>
  test.app.inject({
    method,
    url: path.replaceAll(/\{\w+\}/g, payoutId),
    headers: { authorization: `Bearer ${secret}`, 'idempotency-key': anIdempotencyKey() },
    ...(method === 'GET' || method === 'DELETE' ? {} : { payload: bodyFor(path) }),
  })

const bodyFor = (path: string): object => {
  if (path === '/v1/payouts') return aPayoutBody()
  if (path === '/v1/sandbox/top-up') return { usdc: '10.00', source: 'bank' }
  if (path.endsWith('/simulate')) return { outcome: 'settle' }
  return {}
}

const money = () =>
  sql(test, `select account, balance::text from ledger_accounts where partner_id = $1 order by environment, account`, [
    partner.id,
  ])
const changes = async () => [
  await money(),
  await sql(test, `select id, status, updated_at from payouts where partner_id = $1 order by id`, [partner.id]),
  await sql(test, `select environment, paused_at from wallets where partner_id = $1 order by environment`, [
    partner.id,
  ]),
]

describe('every route that takes a key', () => {
  it('needs one scope, and those that move money need pay', () => {
    const table = new Map(operations.map((operation) => [operation.name, needs(operation)]))
    expect(operations.length).toBeGreaterThan(20)
    expect([...table].filter(([, scope]) => scope === 'pay').map(([name]) => name)).toEqual([
      'POST /v1/payouts',
      'POST /v1/payouts/{id}/cancel',
      'POST /v1/payouts/pause',
      'POST /v1/compliance/verification',
    ])
    expect([...table].filter(([, scope]) => scope === 'quote').map(([name]) => name)).toEqual(['POST /v1/quotes'])
    const scopesUnder = (start: string) =>
      new Set([...table].filter(([name]) => name.includes(start)).map(([, scope]) => scope))
    expect(scopesUnder('/v1/sandbox/')).toEqual(new Set(['sandbox']))
    expect(scopesUnder('/v1/webhook-endpoints')).toEqual(new Set(['webhooks']))
  })

  it.each(KEY_SCOPES)(
    'is refused to a key for %s alone unless it needs just that, and then nothing changes',
    async (scope) => {
      const endless = operations.filter((operation) => operation.access.isEndless !== true)
      for (const operation of endless.filter((each) => needs(each) !== scope)) {
        const before = await changes()
        const reply = await call(operation, keys.get(scope)!)
        expect([operation.name, reply.statusCode, reply.json().error?.code]).toEqual([
          operation.name,
          403,
          'scope_missing',
        ])
        expect(reply.json().error.details).toEqual({ needed: needs(operation) })
        expect([operation.name, await changes()]).toEqual([operation.name, before])
      }
      for (const operation of endless.filter((each) => needs(each) === scope)) {
        const before = await money()
        const reply = await call(operation, keys.get(scope)!)
        const code = String(reply.headers['content-type']).includes('json') ? reply.json().error?.code : undefined
        expect([operation.name, code]).not.toEqual([operation.name, 'scope_missing'])
        const mayMove = scope === 'pay' || scope === 'sandbox'
        expect([operation.name, mayMove ? before : await money()]).toEqual([operation.name, before])
      }
    },
  )
})
