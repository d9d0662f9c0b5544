import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataDirInUseError, holderOf, lockDataDir, lockDataDirPatiently } from '../../src/local/embedded/index.ts'
import { lifeOf } from '../../src/local/embedded/processes.ts'
import { removeFolder, temporaryFolder } from './support.ts'

function other(): ReturnType<typeof spawn> {
  return spawn('sleep', ['60'], { stdio: 'ignore' })
}

describe('the lock on a data directory', () => {
  let folder: string
  let dataDir: string

  const writeLock = (pid: number | undefined, life: string | null): void => {
    writeFileSync(join(dataDir, 'kestrel.pid'), JSON.stringify({ pid, life, token: 'theirs' }))
  }

  beforeEach(() => {
    folder = temporaryFolder()
    dataDir = join(folder, 'made', 'when missing')
    lockDataDir(dataDir).release()
  })

  afterEach(() => removeFolder(folder))

  test('is exclusive until released, and leaves no file', () => {
    const lock = lockDataDir(dataDir)
    expect(holderOf(dataDir)).toBe(process.pid)
    expect(() => lockDataDir(dataDir)).toThrow(`another Kestrel (pid ${process.pid}) is already using ${dataDir}`)
    lock.release()
    lock.release()
    expect(holderOf(dataDir)).toBeNull()
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('holds while the process that took it lives, and not a moment longer', async () => {
    const child = other()
    const pid = child.pid ?? 0
    writeLock(pid, lifeOf(pid))
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError)
    expect(holderOf(dataDir)).toBe(pid)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataDir(dataDir).release()
  })

  test.runIf(process.platform !== 'win32')('does not mistake a reused pid for its owner', () => {
    const child = other()
    try {
      writeLock(child.pid, 'an earlier life')
      const lock = lockDataDir(dataDir)
      expect(holderOf(dataDir)).toBe(process.pid)
      lock.release()
      // Our own pid, but not a lock that we took: left by a container that was restarted.
      writeLock(process.pid, lifeOf(process.pid))
      expect(holderOf(dataDir)).toBeNull()
      lockDataDir(dataDir).release()
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('is taken over when its file is damaged', () => {
    writeFileSync(join(dataDir, 'kestrel.pid'), '{"pid":')
    const lock = lockDataDir(dataDir)
    expect(JSON.parse(readFileSync(join(dataDir, 'kestrel.pid'), 'utf8'))).toMatchObject({
      pid: process.pid,
    })
    lock.release()
  })

  test('waits for an owner that is shutting down, and turns away from one that is not', async () => {
    const lock = lockDataDir(dataDir)
    await expect(lockDataDirPatiently(dataDir)).rejects.toThrow(/another Kestrel/)
    lock.announceStop()
    setTimeout(() => lock.release(), 1200)
    const next = await lockDataDirPatiently(dataDir)
    expect(holderOf(dataDir)).toBe(process.pid)
    next.release()
    lock.announceStop()
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('a late release does not take away the lock of the next owner', () => {
    const first = lockDataDir(dataDir)
    writeLock(process.ppid, lifeOf(process.ppid))
    first.release()
    expect(holderOf(dataDir)).toBe(process.ppid)
  })
})
