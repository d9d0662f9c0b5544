import { expect, it } from 'vitest'

import { laneOf } from './whose-turn.ts'

const order = { method: 'POST', path: '/transfers', body: { on_behalf_of: 'holder_1', amount: '1.00' } }

it('all that is asked for one account holder has one lane', () => {
  const lanes = [
    order,
    { method: 'GET', path: '/customers/holder_1' },
    { method: 'GET', path: '/customers/holder_1?limit=1' },
    { method: 'POST', path: '/customers/holder_1/external_accounts', body: {} },
  ].map(laneOf)
  expect(new Set(lanes)).toEqual(new Set(['holder_1']))
  expect(laneOf({ ...order, body: { on_behalf_of: 'holder_2' } })).toBe('holder_2')
})

it('looks at transfers have one, and what else is asked for nobody has others', () => {
  const looks = ['/transfers/tr_1', '/transfers/tr_2', '/transfers?limit=100'].map((path) =>
    laneOf({ method: 'GET', path }),
  )
  expect(new Set(looks)).toEqual(new Set(['GET /transfers']))
  const others = [
    { method: 'DELETE', path: '/transfers/tr_1' },
    { method: 'GET', path: '/exchange_rates?from=usd&to=gbp' },
    { method: 'POST', path: '/customers', body: {} },
  ].map(laneOf)
  expect(others).toEqual(['DELETE /transfers', 'GET /exchange_rates', 'POST /customers'])
})
