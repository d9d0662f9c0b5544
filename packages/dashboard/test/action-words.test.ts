// The server says what each request is called in the activity log; the dashboard says it in words.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { OPERATOR_ACTIONS } from '@kestrel/contract'
import { expect, it } from 'vitest'

import { NAMED_ACTIONS } from '../src/activity/action-words.ts'

const HTTP = resolve(import.meta.dirname, '../../server/src/http')

/** What the routes write as `action: 'payout.create'`. */
const asked = readdirSync(HTTP, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('docs/'))
  .flatMap((name) => [...readFileSync(join(HTTP, name), 'utf8').matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)])
  .map((match) => match[1] ?? '')

it('has words for every action of a route and of the operator, and for no other', () => {
  expect(asked.length).toBeGreaterThan(50)
  expect([...NAMED_ACTIONS].toSorted()).toEqual([...new Set([...asked, ...OPERATOR_ACTIONS])].toSorted())
})
