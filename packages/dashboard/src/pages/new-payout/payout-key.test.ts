import { beforeEach, describe, expect, it } from 'vitest'

import { closeKey, markSent, openKey } from './payout-key.ts'

const scope = { slug: 'thistle', environment: 'live' } as const
const values = new Map<string, string>()
const shelf = {
  getItem: (name: string) => values.get(name) ?? null,
  setItem: (name: string, value: string) => void values.set(name, value),
  removeItem: (name: string) => void values.delete(name),
}
const broken = {
  getItem: () => null,
  setItem: () => {
    throw new Error('storage is switched off')
  },
  removeItem: () => {
    throw new Error('storage is switched off')
  },
}

describe('the key of the form', () => {
  beforeEach(() => closeKey(scope, shelf))

  it('is one the API accepts', () => expect(openKey(scope, shelf).key).toMatch(/^[A-Za-z0-9_\-:.]{8,100}$/))

  it('stays the same however often the form is opened, until there is an answer', () => {
    const { key } = openKey(scope, shelf)
    markSent(scope, shelf)
    expect(openKey(scope, shelf)).toEqual({ key, wasSent: true })
    closeKey(scope, shelf)
    expect(openKey(scope, shelf).key).not.toBe(key)
  })

  it('differs between environments and businesses', () => {
    const sandbox = { ...scope, environment: 'sandbox' } as const
    expect(openKey(sandbox, shelf).key).not.toBe(openKey(scope, shelf).key)
  })

  it('lasts as long as the page where nothing can be stored', () => {
    const { key } = openKey(scope, broken)
    expect(openKey(scope, broken).key).toBe(key)
    closeKey(scope, broken)
    expect(openKey(scope, broken).key).not.toBe(key)
  })

  it('survives rubbish in the storage', () => {
    values.set('kestrel.payout-key.thistle.live', '{')
    expect(openKey(scope, shelf).wasSent).toBe(false)
  })
})
