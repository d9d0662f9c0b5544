// A bench that is not waited for: its PostgreSQL has a session of its own, and would go on for ever.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

const BENCH = join(import.meta.dirname, '../../../../scripts/bench.mjs')

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'kestrel-ended-bench-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** A row that needs neither a service nor pgbench; it is under way once there has been a first round. */
async function aBench(): Promise<{ bench: ChildProcess; said: () => string }> {
  const bench = spawn(process.execPath, [BENCH, '--row', 'P16b', '--rounds', '50'], {
    env: { ...process.env, TMPDIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    bench.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('round 1 of 50')) resolve()
    })
    bench.once('exit', () => reject(new Error(text)))
  })
  return { bench, said: () => text }
}

it('Ctrl-C: what it had started is stopped, its folder is gone, and it says so', async () => {
  const { bench, said } = await aBench()
  expect(await readdir(home)).toHaveLength(1)
  bench.kill('SIGINT')
  expect(await once(bench, 'close')).toEqual([130, null])
  expect(said()).toContain('The bench was ended by SIGINT. What it had started is stopped.')
  expect(await readdir(home)).toEqual([])
})

it('nobody reads what it prints: the same, for nobody', async () => {
  const { bench } = await aBench()
  bench.stderr!.destroy()
  bench.stdout!.destroy()
  expect(await once(bench, 'exit')).toEqual([141, null])
  expect(await readdir(home)).toEqual([])
})
