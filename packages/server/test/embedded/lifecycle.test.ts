import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRunningPostgres, type EmbeddedPostgres } from '../../src/local/embedded/index.ts'
import { isAlive } from '../../src/local/embedded/processes.ts'
import { PASSWORD, query, removeFolder, start, temporaryFolder } from './support.ts'

// One cluster goes through its whole life here, so the order of these tests matters.
describe.sequential('an embedded PostgreSQL', () => {
  const dataDir = temporaryFolder()
  const cluster = join(dataDir, 'postgres')
  const login = { dataDir, password: PASSWORD, database: 'kestrel' }
  let running: EmbeddedPostgres

  const postmasterPid = (): number => {
    return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  beforeAll(async () => {
    // What an initdb that was killed in the middle leaves behind.
    mkdirSync(join(dataDir, 'postgres.new-Ab12Cd', 'data', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.new-Ab12Cd', 'password'), 'old')
    running = await start(dataDir, 25_410)
  })

  afterAll(async () => {
    await running.stop()
    removeFolder(dataDir)
  })

  test('is set up at the first start and leaves nothing else behind', async () => {
    expect(running.version).toMatch(/^18\.\d+$/)
    expect(running.isAdopted).toBe(false)
    expect(running.notes).toEqual([])
    expect(running.clusterDir).toBe(cluster)
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log'])
    const names = ['server_encoding', 'data_checksums', 'TimeZone', 'max_connections']
    names.push('listen_addresses', 'unix_socket_directories', 'shared_buffers', 'fsync')
    const columns = names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')
    expect(await query(running.url, `SELECT ${columns}`)).toEqual([
      {
        server_encoding: 'UTF8',
        data_checksums: 'on',
        TimeZone: 'UTC',
        max_connections: '100',
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        shared_buffers: '128MB',
        fsync: 'off',
      },
    ])
  })

  test('does not run as root', () => {
    expect(statSync(cluster).uid).not.toBe(0)
    expect(statSync(cluster).mode & 0o077).toBe(0)
  })

  test('lets nobody in without the password', async () => {
    const wrong = new URL(running.url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('is found by the command line beside it', async () => {
    const { url, serviceUrl, bankUrl, port } = running
    expect(await findRunningPostgres(login)).toEqual({ url, serviceUrl, bankUrl, port })
  })

  test('keeps what is stored out of its log', async () => {
    const secret = '98765432'
    await query(running.url, 'CREATE TABLE bank (account text PRIMARY KEY, name text NOT NULL)')
    await query(running.url, `INSERT INTO bank VALUES ($1, 'A')`, [secret])
    const failing: [string, unknown[]][] = [
      ['INSERT INTO bank VALUES ($1, $2)', [secret, 'B']],
      [`INSERT INTO bank VALUES ('${secret}', 'C')`, []],
      [`INSERT INTO bank VALUES ('x${secret}', NULL)`, []],
      ['SELECT $1::uuid', [secret]],
      [`DO $$ BEGIN RAISE WARNING 'w ${secret}'; RAISE EXCEPTION 'e ${secret}'; END $$`, []],
    ]
    for (const [sql, values] of failing) {
      await expect(query(running.url, sql, values)).rejects.toHaveProperty('severity', 'ERROR')
    }
    const log = readFileSync(running.logFile, 'utf8')
    expect(log).toContain('ready to accept connections')
    expect(log).not.toContain(secret)
  })

  test('is adopted when an earlier process left it running', async () => {
    const pid = postmasterPid()
    const again = await start(dataDir, 25_410)
    expect(again).toMatchObject({ isAdopted: true, startedHere: true, port: running.port })
    expect(again.notes).toEqual([`took over the PostgreSQL left running (pid ${pid})`])
    expect(postmasterPid()).toBe(pid)
    await Promise.all([again.stop(), again.stop()])
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await findRunningPostgres(login)).toBeNull()
  })

  test('says so when the password is not the one it was set up with', async () => {
    await expect(start(dataDir, 25_410, 'another')).rejects.toThrow(/does not take the stored password/)
    expect(readdirSync(cluster)).not.toContain('postmaster.pid')
  })

  test('takes the next port when its own is taken', async () => {
    const server = createServer()
    await once(server.listen(25_410, '127.0.0.1'), 'listening')
    try {
      running = await start(dataDir, 25_410)
      expect(running.port).toBeGreaterThan(25_410)
      expect(running.notes).toEqual([`port 25410 is taken; using ${running.port}`])
    } finally {
      server.close()
    }
  })

  test('comes back with its data after kill -9', async () => {
    process.kill(postmasterPid(), 'SIGKILL')
    running = await start(dataDir, 25_410)
    expect(running.isAdopted).toBe(false)
    expect(await query(running.url, 'SELECT account FROM bank')).toEqual([{ account: '98765432' }])
  })

  test('gets its roles at the next start when it was made before there were any', async () => {
    await query(running.url, 'DROP DATABASE kestrel_bank')
    await query(running.url, 'DROP OWNED BY kestrel_service; DROP ROLE kestrel_service; DROP ROLE kestrel_bank')
    await query(running.url, 'CREATE DATABASE kestrel_bank')
    const bankDatabase = (url: string) => url.replace('/kestrel?', '/kestrel_bank?')
    await query(
      bankDatabase(running.url),
      `CREATE TYPE mood AS ENUM ('fair'); CREATE TABLE books (id int GENERATED ALWAYS AS IDENTITY, mood mood);
       CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    )
    await running.stop()
    running = await start(dataDir, 25_410)
    const who = `SELECT current_user::text AS name, rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user`
    const plain = { rolsuper: false, rolcreatedb: false, rolcreaterole: false }
    expect(await query(running.serviceUrl, who)).toEqual([{ name: 'kestrel_service', ...plain }])
    expect(await query(bankDatabase(running.bankUrl), who)).toEqual([{ name: 'kestrel_bank', ...plain }])
    await query(bankDatabase(running.bankUrl), `ALTER TABLE books ADD note text; ALTER TYPE mood ADD VALUE 'foul'`)
    await query(bankDatabase(running.bankUrl), `INSERT INTO books (mood) VALUES ('fair')`)
    // Neither gets into the other's, and nobody reads a table that was not granted.
    await expect(query(bankDatabase(running.serviceUrl), 'SELECT 1')).rejects.toMatchObject({ code: '42501' })
    await expect(query(running.bankUrl, 'SELECT 1')).rejects.toMatchObject({ code: '42501' })
    await expect(query(running.serviceUrl, 'SELECT * FROM bank')).rejects.toMatchObject({ code: '42501' })
    await expect(query(running.serviceUrl, 'CREATE TABLE mine ()')).rejects.toMatchObject({ code: '42501' })
  })

  test('is not misled by a pid that belongs to somebody else now', async () => {
    await running.stop()
    const { uid, gid } = statSync(cluster)
    const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
    try {
      const lines = [other.pid, cluster, 1_700_000_000, 25_410, '', '127.0.0.1', '0 0', 'ready']
      writeFileSync(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`)
      expect(await findRunningPostgres(login)).toBeNull()
      running = await start(dataDir, 25_410)
      expect(running.isAdopted).toBe(false)
      expect(postmasterPid()).not.toBe(other.pid)
    } finally {
      other.kill('SIGKILL')
    }
  })

  test('refuses a cluster of another major version', async () => {
    await running.stop()
    const file = join(cluster, 'PG_VERSION')
    writeFileSync(file, '17\n')
    await expect(start(dataDir, 25_410)).rejects.toThrow(/was made by PostgreSQL 17/)
    writeFileSync(file, '18\n')
  })
})
