import type { ActivityEntry } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import type { List } from '../../server/client.ts'
import { type LogPages, withNewest } from './newest-first.ts'

const list = (...ids: string[]): List<ActivityEntry> => ({
  object: 'list',
  data: ids.map((id) => ({ id }) as ActivityEntry),
})
const ids = ({ pages }: LogPages) => pages.map(({ data }) => data.map(({ id }) => id).join(''))

const loaded: LogPages = { pages: [list('d', 'c'), list('b', 'a')], pageParams: [null, 'c'] }

describe('a log that is followed', () => {
  it('grows on top, and what was loaded before stays', () => {
    expect(ids(withNewest(loaded, list('f', 'e', 'd')))).toEqual(['fedc', 'ba'])
  })

  it('is the very same when there is nothing new', () => expect(withNewest(loaded, list('d', 'c'))).toBe(loaded))

  it('begins again where entries may be missing in between', () => {
    expect(ids(withNewest(loaded, list('z', 'y')))).toEqual(['zy'])
    expect(ids(withNewest(undefined, list('a')))).toEqual(['a'])
  })

  it('begins with the first entry there is', () => {
    const empty: LogPages = { pages: [list()], pageParams: [null] }
    expect(ids(withNewest(empty, list('a')))).toEqual(['a'])
  })
})
