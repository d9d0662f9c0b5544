// How the program starts, and what it refuses to start with.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, aHome, endEverythingStarted, freePort, run, serveOn } from './program.ts'

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

describe('a start', () => {
  it('says that the port is taken and uses the next one; a second one on the same data is refused', async () => {
    const port = await freePort()
    const squatter = createServer()
    await once(squatter.listen(port, '127.0.0.1'), 'listening')
    try {
      const server = await serveOn('serve', home.settings, port)
      const used = Number.parseInt(new URL(server.url).port, 10)
      expect(used).toBeGreaterThan(port)
      expect(server.output.stdout).toContain(`port ${port} is taken; using ${used}`)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

      const second = await run(['serve'], { ...home.settings, PORT: String(await freePort()) })
      expect(second).toMatchObject({ code: 1, stdout: '' })
      expect(second.stderr).toMatch(/^kestrel: .*already using.*\n$/)

      // Another data directory has other secrets, and this database knows its own.
      const elsewhere = mkdtempSync(join(tmpdir(), 'kestrel-elsewhere-'))
      const stranger = await run(['api'], { ...home.settings, DATA_DIR: elsewhere, PORT: String(await freePort()) })
      rmSync(elsewhere, { recursive: true, force: true })
      expect(stranger).toMatchObject({ code: 1, stdout: '' })
      expect(stranger.stderr).toMatch(/^kestrel: This database was set up with other secrets.*\n$/)

      expect((await server.kill('SIGTERM')).code).toBe(0)
    } finally {
      squatter.close()
    }
  })

  it('is refused on a database that a newer version has used', async () => {
    await home.owner.query(`create table if not exists migrations (name text primary key, applied_at timestamptz)`)
    await home.owner.query(`insert into migrations (name) values ('9999_from_the_future.sql')`)
    const ended = await run(['worker'], home.settings)
    await home.owner.query(`delete from migrations where name = '9999_from_the_future.sql'`)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: The database has migration 9999_from_the_future\.sql.*\n$/)
  })
})

describe('settings that cannot be used', () => {
  const WRONG = {
    PORT: '80000',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_PER_SECOND: 'many',
    DATABASE_URL: 'mysql://root:hunter2@localhost/kestrel',
    PUBLIC_URL: 'somewhere',
  }

  it.each([{ args: ['serve'] }, { args: ['partner', 'list'] }])(
    'are reported all at once, with exit code 3 and nothing on stdout: $args',
    async ({ args }) => {
      const ended = await run(args, { ...home.settings, ...WRONG })
      expect(ended).toMatchObject({ code: 3, stdout: '' })
      const lines = ended.stderr.trimEnd().split('\n')
      expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
        'kestrel: PORT',
        'kestrel: DATABASE_URL',
        'kestrel: LOG_LEVEL',
        'kestrel: RATE_LIMIT_PER_SECOND',
        'kestrel: PUBLIC_URL',
      ])
      expect(ended.stderr).not.toContain('hunter2')
    },
  )
})

describe('a database on another machine', () => {
  afterAll(endEverythingStarted)

  it.each([
    { command: ['serve'], url: 'postgres://kestrel:hunter2@db.invalid:5432/kestrel' },
    { command: ['partner', 'list'], url: 'postgres://kestrel:hunter2@db.invalid:5432/kestrel' },
    // pg connects to the host that is named in the query.
    { command: ['worker'], url: 'postgres://kestrel:hunter2@localhost/kestrel?host=db.invalid' },
  ])('wants secrets of its own: $command', async ({ command, url }) => {
    const dataDir = join(home.dataDir, 'never-made')
    const ended = await run(command, { DATABASE_URL: url, DATA_DIR: dataDir, PORT: String(await freePort()) })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: .*KESTREL_SEAL_KEY and KESTREL_FINGERPRINT_KEY must be set.*\n$/)
    expect(ended.stderr).not.toContain('hunter2')
    // No secrets were made up that would be lost with this machine.
    expect(existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('secrets')) : []).toEqual([])
  })

  it('does not take sample secrets, and names both of them', async () => {
    const ended = await run(['serve'], {
      DATABASE_URL: 'postgres://kestrel@db.invalid/kestrel',
      DATA_DIR: join(home.dataDir, 'samples'),
      KESTREL_SEAL_KEY: '0'.repeat(64),
      KESTREL_FINGERPRINT_KEY: '0123456789abcdef'.repeat(4),
    })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr.split('\n').map((line) => line.replace(/\. .*/, ''))).toEqual([
      'kestrel: KESTREL_SEAL_KEY is a sample value',
      'kestrel: KESTREL_FINGERPRINT_KEY is a sample value',
      '',
    ])
  })

  it('that cannot be reached is said in one line, without its password', async () => {
    const ended = await run(['worker'], {
      DATABASE_URL: 'postgres://kestrel:hunter2@db.invalid/kestrel',
      DATA_DIR: join(home.dataDir, 'unreachable'),
      KESTREL_SEAL_KEY: randomBytes(32).toString('hex'),
      KESTREL_FINGERPRINT_KEY: randomBytes(32).toString('hex'),
    })
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: .*db\.invalid.*\n$/)
    expect(ended.stderr).not.toContain('hunter2')
  })
})
