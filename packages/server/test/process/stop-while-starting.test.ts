// SIGTERM while the program is still starting: it goes no further, closes what it has opened, and has not failed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { existingCluster } from '../../src/local/embedded/placement.ts'
import { findPostmaster } from '../../src/local/embedded/postmaster.ts'
import { bankDatabaseUrl } from '../../src/serve/sandbox-bank.ts'
import { ownerOf } from '../storage/owner.ts'
import { type Home, type Running, aHome, endEverythingStarted, freePort, launch, until } from './program.ts'

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

const ORDERLY = { code: 0, signal: null, stderr: '' }

const connections = () =>
  home.owner.query<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and query not like '%pg_advisory_lock%'`,
  )

/** Until the returned function is called, whoever starts waits for its turn to migrate. */
async function keepFromMigrating(): Promise<() => Promise<void>> {
  const holder = await ownerOf(home.settings['DATABASE_URL']!)
  await holder.query('select pg_advisory_lock(7340211)')
  return () => holder.end()
}

describe('a program that waits for its turn to migrate', () => {
  it.each([
    { role: 'api', signal: 'SIGTERM' },
    { role: 'worker', signal: 'SIGTERM' },
    { role: 'serve', signal: 'SIGINT' },
  ] as const)('$role ends in order by $signal, and its connections are closed', async ({ role, signal }) => {
    const letThemMigrate = await keepFromMigrating()
    try {
      const program = launch([role], { ...home.settings, PORT: String(await freePort()) })
      await until('it waits', async () =>
        (await connections()).some(({ query }) => query.includes('pg_try_advisory_lock')),
      )
      expect(await program.kill(signal)).toMatchObject(ORDERLY)
      await until('nobody is connected', async () => (await connections()).length === 0)
      expect(existsSync(join(home.dataDir, 'kestrel.pid'))).toBe(false)
    } finally {
      await letThemMigrate()
    }
  })
})

describe('a program that opens its door', () => {
  const TOLD_THEN = `import net from 'node:net'
    const { listen } = net.Server.prototype
    net.Server.prototype.listen = function (...args) {
      net.Server.prototype.listen = listen
      process.kill(process.pid, 'SIGTERM')
      return Reflect.apply(listen, this, args)
    }`
  const told = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TOLD_THEN)}` }

  it.each(['api', 'worker', 'bank'] as const)('%s ends in order', async (role) => {
    const [port, other] = [String(await freePort()), String(await freePort())]
    const doors = { PORT: port, ADMIN_PORT: other, BANK_PORT: other }
    const url = home.settings['DATABASE_URL']!
    const settings = { ...home.settings, ...doors, ...told, DATABASE_URL: role === 'bank' ? bankDatabaseUrl(url) : url }
    expect(await launch([role], settings).ended).toMatchObject(ORDERLY)
    await until('nobody is connected', async () => (await connections()).length === 0)
  })
})

describe.sequential('a program with a PostgreSQL and a bank of its own', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kestrel-stopped-'))
  afterAll(() => {
    endEverythingStarted()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each([
    { what: 'sets its database up', isSo: () => existsSync(join(dataDir, 'kestrel.pid')) },
    { what: 'has opened it', isSo: ({ output }: Running) => /PostgreSQL \d/.test(output.stdout) },
    { what: 'has migrated it', isSo: ({ output }: Running) => output.stdout.includes('Schema') },
  ])(
    'ends in order while it $what, and leaves neither running',
    async ({ isSo }) => {
      const program = launch(['serve'], { DATA_DIR: dataDir, PORT: String(await freePort()) })
      await until('it is told', () => isSo(program))
      expect(await program.kill('SIGTERM')).toMatchObject(ORDERLY)
      const cluster = existingCluster(dataDir)
      expect(cluster === null ? null : findPostmaster(cluster)).toBeNull()
      expect(['kestrel.pid', 'bank.json', 'api.json'].filter((name) => existsSync(join(dataDir, name)))).toEqual([])
    },
    60_000,
  )
})
