import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { createLogger } from '../logging.ts'
import { openLogFile } from './log-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-log-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the log turns while the service runs, keeps one file more, and loses no line on the way', async () => {
  const { path, destination } = openLogFile(folder, 'kestrel.log', 4_000)
  const log = createLogger({ level: 'info', destination })
  const turned = () => readdirSync(folder).includes('kestrel.log.1')
  let lines = 0
  await vi.waitFor(
    () => {
      for (let more = 0; more < 5; more++) log.info({ line: lines++ }, 'a line')
      expect(turned()).toBe(true)
    },
    { timeout: 10_000, interval: 5 },
  )
  const linesIn = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { line: number }).line)
  await vi.waitFor(() => expect([...linesIn(`${path}.1`), ...linesIn(path)]).toHaveLength(lines), { timeout: 10_000 })
  expect([...linesIn(`${path}.1`), ...linesIn(path)]).toEqual(Array.from({ length: lines }, (_, nth) => nth))
  expect(statSync(path).mode & 0o777).toBe(0o600)

  // Written without end, it never becomes more than two files of about that size.
  await vi.waitFor(
    () => {
      for (let more = 0; more < 50; more++) log.info({ line: lines++ }, 'a line')
      expect(lines).toBeGreaterThan(2_000)
    },
    { timeout: 10_000, interval: 1 },
  )
  await vi.waitFor(() => expect(readdirSync(folder).toSorted()).toEqual(['kestrel.log', 'kestrel.log.1']), {
    timeout: 10_000,
  })
  destination.end()
})
