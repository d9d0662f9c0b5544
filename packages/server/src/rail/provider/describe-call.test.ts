import { describe, expect, it } from 'vitest'

import { operationOf, outcomeOf } from './describe-call.ts'

describe('the name of an operation', () => {
  it.each([
    ['POST', '/transfers', 'POST /transfers'],
    ['GET', '/transfers/tr_8f3a', 'GET /transfers/{id}'],
    ['GET', '/transfers?limit=100&updated_after_ms=1', 'GET /transfers'],
    ['GET', '/customers/c1/wallets/w1', 'GET /customers/{id}/wallets/{id}'],
    ['GET', '/wallets/w%2F1/history?limit=10', 'GET /wallets/{id}/history'],
    ['POST', '/customers/c1/external_accounts', 'POST /customers/{id}/external_accounts'],
  ] as const)('%s %s is %s: an id is never in it', (method, path, name) => {
    expect(operationOf({ method, path })).toBe(name)
  })
})

describe('how a request ended', () => {
  it.each([
    [{ kind: 'answered', status: 201, body: {} }, 'ok'],
    [{ kind: 'answered', status: 422, body: {} }, 'refused'],
    [{ kind: 'answered', status: 429, body: {} }, 'busy'],
    [{ kind: 'answered', status: 503, body: {} }, 'broken'],
    [{ kind: 'not_sent', reason: '' }, 'not_sent'],
    [{ kind: 'unknown', reason: '' }, 'unknown'],
  ] as const)('%o is %s', (reply, outcome) => {
    expect(outcomeOf(reply)).toBe(outcome)
  })
})
