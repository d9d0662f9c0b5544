import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holderOf, lockDataDir } from '../../src/local/embedded/index.ts'
import { isAlive } from '../../src/local/embedded/processes.ts'
import { buildStandIn, runStandIn } from './stand-in-process.ts'
import { query, removeFolder, start, temporaryFolder } from './support.ts'

function isSettingUp(folder: string): boolean {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return found.some((name) => name.endsWith('postgresql.conf'))
}

describe.runIf(process.platform !== 'win32').sequential('with real processes', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  let standIn: { folder: string; script: string }
  const args = [dataDir, '25610']

  beforeAll(async () => {
    standIn = await buildStandIn()
  })

  afterAll(() => {
    removeFolder(folder)
    removeFolder(standIn.folder)
  })

  test('a first start killed in the middle is repaired by the next', async () => {
    const first = runStandIn(standIn.script, args)
    while (!isSettingUp(folder)) await sleep(5)
    process.kill(-first.pid, 'SIGKILL')
    await first.exit()
    expect(readdirSync(dataDir)).not.toContain('postgres')
    const postgres = await start(dataDir, 25_610)
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
  })

  test('a second Kestrel is turned away, and Ctrl-C lets the first one finish', async () => {
    const first = runStandIn(standIn.script, args)
    await first.line('ready')
    const second = runStandIn(standIn.script, args)
    await second.exit()
    expect(second.output()).toContain(`another Kestrel (pid ${first.pid}) is already using ${dataDir}`)
    // What a terminal does on Ctrl-C: the signal goes to every process of the group.
    process.kill(-first.pid, 'SIGINT')
    await first.exit()
    expect(first.output()).toMatch(/drained 1\nstopped\n$/)
    expect(holderOf(dataDir)).toBeNull()
  })

  test('after kill -9 the database lives on, and the next start takes it over', async () => {
    const first = runStandIn(standIn.script, args)
    await first.line('ready')
    process.kill(-first.pid, 'SIGKILL')
    await first.exit()
    const pidFile = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    const pid = Number(pidFile.split('\n')[0])
    expect(isAlive(pid)).toBe(true)
    const lock = lockDataDir(dataDir)
    const postgres = await start(dataDir, 25_610)
    expect(postgres.isAdopted).toBe(true)
    await postgres.stop()
    lock.release()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
