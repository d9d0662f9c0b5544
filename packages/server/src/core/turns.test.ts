import { expect, it } from 'vitest'

import { Turns } from './turns.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function controlled() {
  const turns = new Turns()
  const begun: string[] = []
  const ends = new Map<string, { finish: () => void; fail: (error: Error) => void }>()
  const take = (name: string, who: string) =>
    turns.take(name, () => {
      begun.push(who)
      return new Promise<string>((resolve, reject) => ends.set(who, { finish: () => resolve(who), fail: reject }))
    })
  return { take, begun, ends }
}

it('lets whoever comes alone begin at once, and others in their order', async () => {
  const { take, begun, ends } = controlled()
  const results = [take('a', 'one'), take('a', 'two'), take('a', 'three'), take('b', 'of another')]
  expect(begun).toEqual(['one', 'of another'])
  ends.get('one')!.finish()
  await settled()
  expect(begun).toEqual(['one', 'of another', 'two'])
  ends.get('two')!.finish()
  await settled()
  ends.get('three')!.finish()
  ends.get('of another')!.finish()
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'of another'])
})

it('goes on after work that failed, and is free again after the last', async () => {
  const { take, begun, ends } = controlled()
  const failing = take('a', 'one')
  const next = take('a', 'two')
  ends.get('one')!.fail(new Error('it failed'))
  await expect(failing).rejects.toThrow('it failed')
  await settled()
  ends.get('two')!.finish()
  expect(await next).toBe('two')
  void take('a', 'three')
  expect(begun).toEqual(['one', 'two', 'three'])
})
