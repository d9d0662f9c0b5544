// The embedded PostgreSQL is killed under a running service: it comes back by itself, and the service goes on.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { lockDataDir } from '../../src/local/embedded/data-dir-lock.ts'
import { isAlive } from '../../src/local/embedded/processes.ts'
import { type Served, endEverythingStarted, freePort, run, serveOn, until } from './program.ts'
import { postPayout } from './requests.ts'

let dataDir: string
let server: Served
let apiKey: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kestrel-dies-'))
  // Open to the user that PostgreSQL runs as when the tests run as root.
  chmodSync(dataDir, 0o755)
  server = await serveOn('serve', {
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '0',
    BANK_PORT: String(await freePort()),
  })
  apiKey = /kp_sandbox_[0-9a-f]{48}/.exec(server.output.stdout)![0]
})
afterAll(async () => {
  endEverythingStarted()
  await until('no PostgreSQL runs', () => postmaster() === null || !isAlive(postmaster()!))
  rmSync(dataDir, { recursive: true, force: true })
})

function postmaster(): number | null {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null
}

const pay = (key: string) => postPayout(server.url, apiKey, key)
const log = () => readFileSync(join(dataDir, 'kestrel.log'), 'utf8')

describe.sequential('an embedded PostgreSQL that is killed', () => {
  it('is started again, and the service goes on: 503 meanwhile, and every key has one payout', async () => {
    const before = await pay('key-before')
    expect(before.status).toBe(201)
    const killed = postmaster()!
    process.kill(killed, 'SIGKILL')
    const statuses: number[] = []
    let during = ''
    await until('payouts are made again', async () => {
      const { status, body } = await pay('key-during')
      statuses.push(status)
      during = body.id
      return status === 200 || status === 201
    })
    expect(statuses.filter((status) => ![200, 201, 409, 502, 503].includes(status))).toEqual([])
    expect(await pay('key-during')).toMatchObject({ status: 200, body: { id: during } })
    expect(await pay('key-before')).toMatchObject({ status: 200, body: { id: before.body.id } })
    expect(postmaster()).not.toBe(killed)
    await until('it is ready', async () => (await fetch(`${server.url}/readyz`)).status === 200)
    expect(log()).toContain('the embedded PostgreSQL has ended; it is started again')
    expect(log()).toContain('the embedded PostgreSQL is back')
  })

  it('does not keep the service from an orderly end, and does not outlive it', async () => {
    process.kill(postmaster()!, 'SIGKILL')
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null })
    const left = postmaster()
    expect(left === null || !isAlive(left)).toBe(true)
  })

  it('is told of by doctor and commands while its service runs, and not as one that somebody has to start', async () => {
    const lock = lockDataDir(dataDir)
    try {
      const [looked, asked] = await Promise.all(
        [['doctor'], ['partner', 'list']].map((args) => run(args, { DATA_DIR: dataDir })),
      )
      expect(looked!.code).toBe(1)
      expect(looked!.stdout).toMatch(/^✖ Database +does not answer, although the service runs as process \d+: /m)
      expect(asked).toMatchObject({ code: 5, stdout: '' })
      expect(asked!.stderr).toMatch(/^kestrel: The service runs as process \d+, and its database does not answer\. /)
    } finally {
      lock.release()
    }
    expect((await run(['doctor'], { DATA_DIR: dataDir })).stdout).toMatch(
      /^! Database +the embedded one is not running/m,
    )
  })
})
