// What each request and command is called in the activity log has words, and no words are left over.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { ACTION_WORDS, OPERATOR_ACTIONS, requestTitle, whatWasDone } from '@kestrel/contract'
import { expect, it } from 'vitest'

const HTTP = resolve(import.meta.dirname, '../../server/src/http')

/** What the routes write as `action: 'payout.create'`. */
const asked = readdirSync(HTTP, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('docs/'))
  .flatMap((name) => [...readFileSync(join(HTTP, name), 'utf8').matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)])
  .map((match) => match[1] ?? '')

it('has words for every action of a route and of the operator, and for no other', () => {
  expect(asked.length).toBeGreaterThan(50)
  expect(Object.keys(ACTION_WORDS).toSorted()).toEqual([...new Set([...asked, ...OPERATOR_ACTIONS])].toSorted())
})

it('titles a request by what came of it', () => {
  expect(requestTitle('payout.create', 201)).toBe('Created a payout')
  expect(requestTitle('payout.create', 200)).toBe('Asked again for a payout')
  expect(requestTitle('payout.create', 422)).toBe('Refused: create a payout')
  expect(requestTitle('payout.create', 502)).toBe('Failed: create a payout')
  expect(requestTitle('webhook.send_test', 200)).toBe('Webhook send test')
  expect(whatWasDone('key.revoke', '“orders”')).toBe('revoked the API key “orders”')
})
