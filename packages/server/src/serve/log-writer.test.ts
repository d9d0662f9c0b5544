import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { openLogFile } from './log-file.ts'
import { openLogWriter } from './log-writer.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-log-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (name: string) => join(folder, name)
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Takes no byte, like a disk that is full. */
function takesNothing(): number {
  writeFileSync(inFolder('nothing'), '')
  return openSync(inFolder('nothing'), 'r')
}

it('a log that takes nothing stops neither the program nor its end', async () => {
  const writer = openLogWriter({ open: takesNothing })
  for (let line = 0; line < 50; line++) {
    writer.write(`{"line":${line}}\n`)
    await turn()
  }
  writer.flushSync()
  writer.write('{"line":"last"}\n')
  writer.end()
  await turn()
  expect(readFileSync(inFolder('nothing'), 'utf8')).toBe('')
})

it('what waits for a log that cannot be written is bounded, and goes out when it can', async () => {
  const path = inFolder('later')
  let isFull = true
  const open = () => {
    if (isFull) throw new Error('ENOSPC: no space left on device')
    return openSync(path, 'a')
  }
  const writer = openLogWriter({ open }, 40)
  for (let line = 0; line < 1_000; line++) writer.write(`line ${line}\n`)
  isFull = false
  await vi.waitFor(() => {
    writer.write('again\n')
    expect(readFileSync(path, 'utf8')).toContain('again')
  })
  writer.end()
  const lines = new Set(readFileSync(path, 'utf8').trimEnd().split('\n'))
  expect([...lines]).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'again'])
})

it('what waits is written when the process ends, and a folder that is not there yet is made', async () => {
  const listening = process.listeners('exit')
  const { path, destination } = openLogFile(join(folder, 'new', 'deep'))
  destination.write('one\n')
  destination.write('two\n')
  for (const each of process.listeners('exit')) if (!listening.includes(each)) each(0)
  await vi.waitFor(() => expect(readFileSync(path, 'utf8').split('\n').toSorted()).toEqual(['', 'one', 'two']))
  destination.end()
})
