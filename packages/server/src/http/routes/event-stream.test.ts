import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { openEventStream } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A stream that is told by hand whether its listener may still listen. */
function aStream() {
  const questions: { yes: () => void; no: () => void; fail: () => void }[] = []
  const isStillAllowed = () =>
    new Promise<boolean>((resolve, reject) => {
      const [yes, no] = [() => resolve(true), () => resolve(false)]
      questions.push({ yes, no, fail: () => reject(new Error('The database is away.')) })
    })
  const stream = openEventStream({ isStillAllowed, onEnd: () => undefined })
  let text = ''
  stream.body.setEncoding('utf8').on('data', (more: string) => (text += more))
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { stream, questions, settle, text: () => text.replace('retry: 3000\n\n', '') }
}

it('asks once for what is written in one go, and writes nothing before the answer', async () => {
  const { stream, questions, settle, text } = aStream()
  for (const each of ['one ', 'two ', 'three ']) stream.write(each)
  await settle()
  expect([questions.length, text()]).toEqual([1, ''])
  questions[0]!.yes()
  await settle()
  expect([questions.length, text()]).toEqual([1, 'one two three '])
})

it('asks again for what came after the question', async () => {
  const { stream, questions, settle, text } = aStream()
  stream.write('before ')
  await settle()
  stream.write('after')
  questions[0]!.yes()
  await settle()
  expect([questions.length, text()]).toEqual([2, 'before '])
  questions[1]!.no()
  await settle()
  expect([stream.isOver(), text()]).toEqual([true, 'before '])
})

it('writes what cannot be checked when it can be, and is taken then', async () => {
  const { stream, questions, settle, text } = aStream()
  stream.write('one ')
  const taken = vi.fn<() => void>()
  void stream.drained().then(taken)
  await settle()
  questions[0]!.fail()
  await vi.advanceTimersByTimeAsync(999)
  expect([questions.length, stream.isOver(), text()]).toEqual([1, false, ''])
  await vi.advanceTimersByTimeAsync(1)
  stream.write('two')
  expect(taken).not.toHaveBeenCalled()
  questions[1]!.yes()
  await settle()
  questions[2]!.yes()
  await settle()
  expect([text(), taken.mock.calls.length]).toEqual(['one two', 1])
})

it('asks every ten seconds while nothing is written', async () => {
  const { questions } = aStream()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(questions).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(20_001)
  expect(questions).toHaveLength(3)
})
