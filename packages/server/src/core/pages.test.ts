import { describe, expect, it } from 'vitest'

import { CircularList, pages } from './pages.ts'

async function read(nextOf: (cursor: string | null) => string | null): Promise<number> {
  let count = 0
  for await (const _ of pages((cursor) => Promise.resolve({ next: nextOf(cursor) }))) count += 1
  return count
}

describe('a list in pages', () => {
  it('is read to its end, however long', async () => {
    const after = (cursor: string | null) => (cursor === '999' ? null : String(Number(cursor ?? 0) + 1))
    expect(await read(after)).toBe(1_000)
  })

  it.each([
    [0, 1],
    [0, 2],
    [5, 3],
    [100, 7],
    [3, 250],
  ])('that after %i pages goes round through %i is left, and not read for ever', async (before, round) => {
    let asked = 0
    const nextOf = (cursor: string | null) => {
      asked += 1
      const at = Number(cursor ?? 0) + 1
      return String(at < before + round ? at : before + ((at - before) % round))
    }
    await expect(read(nextOf)).rejects.toThrow(CircularList)
    expect(asked).toBeLessThan(4 * (before + round) + 4)
  })
})
