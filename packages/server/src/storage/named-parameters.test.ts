import { expect, it } from 'vitest'

import { namedStatement } from './named-parameters.ts'

const SOME = namedStatement<'partner' | 'from' | 'limit'>(
  'some',
  `select $from::date from t where partner_id = $partner and at >= $from and amount::bigint > 0 limit $limit`,
)

it('a parameter has one number, however often it is named, and its value stands there', () => {
  expect(SOME).toMatchObject({
    name: 'some',
    text: 'select $1::date from t where partner_id = $2 and at >= $1 and amount::bigint > 0 limit $3',
  })
  expect(SOME.values({ limit: 3, partner: 'p', from: null })).toEqual([null, 'p', 3])
})

it('a name that nobody gives a value for is no null', () => {
  const misspelt = namedStatement<'limit'>('misspelt', 'select 1 limit $limt')
  expect(() => misspelt.values({ limit: 1 })).toThrow('$limt')
})

it('a value that the statement has no use for is left out', () => {
  expect(
    namedStatement<'partner' | 'limit'>('short', 'select 1 limit $limit').values({ partner: 'p', limit: 1 }),
  ).toEqual([1])
})
