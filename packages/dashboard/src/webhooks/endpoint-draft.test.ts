import { EVENT_TYPES } from '@kestrel/contract/event-type'
import { expect, it } from 'vitest'

import { bodyOf, EVENT_GROUPS, mistakeIn, NEW_DRAFT, toggled } from './endpoint-draft.ts'

it('every type of event is in one group', () => {
  expect(EVENT_GROUPS.flatMap(({ types }) => types).toSorted()).toEqual([...EVENT_TYPES].toSorted())
})

it('chosen types stay in the order of the service, and one that the page does not know yet is kept', () => {
  expect(toggled(['payout.failed', 'brand.new'], 'payout.created')).toEqual([
    'payout.created',
    'payout.failed',
    'brand.new',
  ])
  expect(toggled(['payout.failed'], 'payout.failed')).toEqual([])
})

it('needs an address, and a type unless it wants all', () => {
  expect(mistakeIn(NEW_DRAFT)?.field).toBe('url')
  expect(mistakeIn({ ...NEW_DRAFT, url: 'https://a.example', wantsAll: false })?.field).toBe('events')
  expect(mistakeIn({ ...NEW_DRAFT, url: 'x' })).toBeNull()
  expect(bodyOf({ ...NEW_DRAFT, url: ' https://a.example ' })).toEqual({
    url: 'https://a.example',
    description: null,
    events: ['*'],
  })
})
