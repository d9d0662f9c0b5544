import { afterEach, expect, it } from 'vitest'

import { createLogger } from '../logging.ts'
import { gatherLines } from './gathered-lines.ts'

const listening = process.listeners('exit')
afterEach(() => {
  for (const each of process.listeners('exit')) if (!listening.includes(each)) process.off('exit', each)
})

function aLog() {
  const writes: string[] = []
  let flushes = 0
  const destination = gatherLines({ write: (text) => void writes.push(text), flushSync: () => void flushes++ })
  return { destination, log: createLogger({ level: 'info', destination }), writes, flushes: () => flushes }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const saidIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

it('lines of one turn are one write, in their order, and the next turn is another', async () => {
  const { log, writes } = aLog()
  log.info('one')
  log.warn('two')
  expect(writes).toEqual([])
  await turn()
  log.info('three')
  await turn()
  expect(writes.map(saidIn)).toEqual([['one', 'two'], ['three']])
})

it('what is still gathered is written when somebody flushes, by a fatal line, and at the end of the process', () => {
  const { log, destination, writes, flushes } = aLog()
  log.info('one')
  destination.flushSync()
  expect(writes.map(saidIn)).toEqual([['one']])
  log.fatal('two')
  expect(writes.map(saidIn)).toEqual([['one'], ['two']])
  log.info('three')
  for (const each of process.listeners('exit')) if (!listening.includes(each)) each(0)
  expect(writes.map(saidIn)).toEqual([['one'], ['two'], ['three']])
  expect(flushes()).toBe(3)
})
