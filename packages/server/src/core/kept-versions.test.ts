import { describe, expect, it } from 'vitest'

import { KeptVersions } from './kept-versions.ts'

function kept(bytes = 100) {
  let now = 0
  const versions = new KeptVersions<string>({ bytes, ms: 60 }, () => now)
  return { versions, pass: (ms: number) => (now += ms) }
}

describe('what is kept of a version', () => {
  it('is given for that version, again and again, and for no other', () => {
    const { versions } = kept()
    versions.keep('page', { version: '1', value: 'one', bytes: 10 })
    expect([versions.get('page', '1'), versions.get('page', '1')]).toEqual(['one', 'one'])
    expect(versions.get('other', '1')).toBeUndefined()
    expect(versions.get('page', '2')).toBeUndefined()
    expect(versions.has('page')).toBe(false)
  })

  it('is not given for what has no version', () => {
    const { versions } = kept()
    versions.keep('page', { version: '', value: 'empty', bytes: 10 })
    expect(versions.get('page', '')).toBe('empty')
    expect(versions.get('page', null)).toBeUndefined()
  })

  it('goes after its time, however often it was asked for', () => {
    const { versions, pass } = kept()
    versions.keep('page', { version: '1', value: 'one', bytes: 10 })
    pass(59)
    expect(versions.get('page', '1')).toBe('one')
    pass(1)
    expect(versions.get('page', '1')).toBeUndefined()
  })

  it('gives way to newer ones, that which was asked for longest ago first', () => {
    const { versions } = kept(30)
    for (const name of ['a', 'b', 'c']) versions.keep(name, { version: '1', value: name, bytes: 10 })
    versions.get('a', '1')
    versions.keep('d', { version: '1', value: 'd', bytes: 15 })
    expect(['a', 'b', 'c', 'd'].filter((name) => versions.has(name))).toEqual(['a', 'd'])
    // In place of itself it counts once.
    versions.keep('d', { version: '2', value: 'd', bytes: 20 })
    expect(versions.has('a')).toBe(true)
    versions.keep('huge', { version: '1', value: 'h', bytes: 31 })
    expect(['a', 'd', 'huge'].some((name) => versions.has(name))).toBe(false)
  })
})
