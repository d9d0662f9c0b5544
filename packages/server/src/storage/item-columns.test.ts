import { expect, it } from 'vitest'

import { arrayBytes } from './array-bytes.ts'
import { itemColumns, itemList } from './item-columns.ts'

const COLUMNS = itemColumns<'id' | 'fromStatus' | 'endedAt'>(3, {
  id: ['id', 'uuid'],
  fromStatus: ['from_status', 'text'],
  endedAt: ['ended_at', 'timestamptz'],
})

it('names, casts and values of a batch stand in one order', () => {
  expect(COLUMNS.names).toBe('id, from_status, ended_at')
  expect(COLUMNS.selected).toBe('item.id, item.from_status, item.ended_at')
  expect(COLUMNS.from).toBe('unnest($3::uuid[], $4::text[], $5::timestamptz[]) as item (id, from_status, ended_at)')
  expect(COLUMNS.fromInOrder).toBe(
    'unnest($3::uuid[], $4::text[], $5::timestamptz[]) with ordinality as item (id, from_status, ended_at, place)',
  )
  expect(COLUMNS.fromBeside('verdict', ['outcome'])).toBe(
    'unnest($3::uuid[], $4::text[], $5::timestamptz[], verdict.outcome) with ordinality as item (id, from_status, ended_at, outcome, place)',
  )
  expect(COLUMNS.assigned(['id', 'fromStatus'])).toBe('ended_at = item.ended_at')
  expect(
    COLUMNS.values([
      { endedAt: null, id: 'a', fromStatus: 'pending' },
      { fromStatus: 'failed', id: 'b', endedAt: new Date(0) },
    ]),
  ).toEqual(['{a,b}', arrayBytes(['pending', 'failed'], 'text'), arrayBytes([null, new Date(0)], 'timestamptz')])
})

it('leaves to the driver what it alone knows', () => {
  const lists = itemColumns<'scopes'>(1, { scopes: ['scopes', 'text[]'] })
  expect(lists.values([{ scopes: ['read'] }])).toEqual([[['read']]])
})

it('is a list where there is one column', () => {
  const ids = itemList(3, 'id', 'uuid')
  expect(ids.from).toBe('unnest($3::uuid[]) as item (id)')
  const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
  expect(ids.value([id])).toEqual(arrayBytes([id], 'uuid'))
  // PostgreSQL says what is wrong with it.
  expect(ids.value(['a', 'b'])).toBe('{a,b}')
})
