import { describe, expect, it } from 'vitest'

import { MOST_LISTED, excessOf } from './excess.ts'

const SCHEMA = {
  type: 'object',
  properties: { name: {}, part: { properties: { name: {} } }, list: { maxItems: 2 } },
}
const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`x${nth}`, nth]))

describe('a request is refused for sheer amount', () => {
  it.each([
    ['unknown fields', unknown(MOST_LISTED + 1)],
    ['unknown fields in a part, with some beside it', { ...unknown(1), part: unknown(MOST_LISTED) }],
    ['a list that is too long', { list: [1, 2, 3] }],
    ['a list that is too long, behind fields that nobody knows', { ...unknown(3), list: [1, 2, 3] }],
  ])('with %s', (_what, body) => expect(excessOf(SCHEMA, body)).not.toBeNull())

  it.each([
    ['as many unknown fields as are listed', unknown(MOST_LISTED)],
    ['unknown fields up to a part', { ...unknown(MOST_LISTED - 2), part: { name: 'a' }, name: 'b' }],
    ['a list of what fits', { list: [1, 2], name: 'a' }],
    ['nothing', {}],
    ['no object', 'text'],
  ])('but not with %s', (_what, body) => expect(excessOf(SCHEMA, body)).toBeNull())
})
