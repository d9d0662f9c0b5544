import { describe, expect, it } from 'vitest'

import { createDocumentCache } from './document-cache.ts'

function counting(mostBytes = 1_000) {
  const cache = createDocumentCache(mostBytes)
  const drawn: string[] = []
  const of = (name: string, bytes = 10) =>
    cache.of({ name, at: new Date(0), logo: Buffer.from(name) }, async () => {
      drawn.push(name)
      return Buffer.alloc(bytes, name)
    })
  return { of, drawn, cache }
}

describe('documents that were drawn not long ago', () => {
  it('are drawn once for the same facts, also when asked for at once', async () => {
    const { of, drawn } = counting()
    const documents = await Promise.all([of('a'), of('a'), of('b')])
    expect(documents.map(String)).toEqual(['aaaaaaaaaa', 'aaaaaaaaaa', 'bbbbbbbbbb'])
    await of('a')
    expect(drawn).toEqual(['a', 'b'])
  })

  it('make room: those last asked for stay', async () => {
    const { of, drawn } = counting(25)
    await of('a')
    await of('b')
    await of('a')
    await of('c')
    await of('a')
    await of('b')
    expect(drawn).toEqual(['a', 'b', 'c', 'b'])
  })

  it('are not kept when they alone are too large', async () => {
    const { of, drawn } = counting(25)
    await of('a', 26)
    await of('a', 26)
    expect(drawn).toEqual(['a', 'a'])
  })

  it('are drawn again after one could not be', async () => {
    const { of, drawn, cache } = counting()
    const facts = { name: 'a', at: new Date(0), logo: Buffer.from('a') }
    await expect(cache.of(facts, () => Promise.reject(new Error('out of ink')))).rejects.toThrow('out of ink')
    await of('a')
    expect(drawn).toEqual(['a'])
  })
})
