import { expect, it } from 'vitest'

import { OneAfterAnother } from './one-after-another.ts'

function pieces() {
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const piece = (what: string) => async () => {
    order.push(`${what} begins`)
    await new Promise<void>((resolve) => ends.set(what, resolve))
    order.push(`${what} ends`)
    return what
  }
  return { order, piece, end: (what: string) => ends.get(what)!() }
}

it('does one piece at a time for a name, in order, and keeps no other name waiting', async () => {
  const queue = new OneAfterAnother()
  const { order, piece, end } = pieces()
  const [one, two] = [queue.take('a', piece('one')), queue.take('a', piece('two'))]
  const other = queue.take('b', piece('other'))
  await Promise.resolve()
  expect(order).toEqual(['one begins', 'other begins'])
  end('one')
  expect(await one).toBe('one')
  await expect.poll(() => order.at(-1)).toBe('two begins')
  end('two')
  end('other')
  expect(await Promise.all([two, other])).toEqual(['two', 'other'])
  expect(order).toEqual(['one begins', 'other begins', 'one ends', 'two begins', 'two ends', 'other ends'])
})

it('goes on after a piece that failed, which fails only for whoever asked for it', async () => {
  const queue = new OneAfterAnother()
  const failing = queue.take('a', () => Promise.reject(new Error('broken')))
  const next = queue.take('a', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
