import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRunningPostgres } from '../../src/local/embedded/index.ts'
import { unprivilegedUser, weAreRoot } from '../../src/local/embedded/runtime-user.ts'
import { buildStandIn, runStandIn } from './stand-in-process.ts'
import { PASSWORD, query, removeFolder, start, temporaryFolder } from './support.ts'

const PASSWD = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n'

test('of the users that exist, postgres is preferred to nobody', () => {
  expect(unprivilegedUser(PASSWD)).toEqual({ name: 'nobody', uid: 65_534, gid: 65_533 })
  const both = `${PASSWD}postgres:x:101:104::/:/bin/sh\n`
  expect(unprivilegedUser(both)).toMatchObject({ name: 'postgres', uid: 101 })
  expect(unprivilegedUser('# comment\nnobody:*:-2:-2::/:/bin/false')).toMatchObject({
    uid: 4_294_967_294,
  })
  expect(() => unprivilegedUser('root:x:0:0::/root:/bin/sh')).toThrow(/set DATABASE_URL/)
})

describe.runIf(weAreRoot()).sequential('as root', () => {
  let folder = ''
  let closed = ''
  let dataDir = ''
  let home = ''

  beforeAll(() => {
    // Not earlier: this body runs even when the tests in it are skipped.
    folder = temporaryFolder()
    closed = join(folder, 'closed')
    dataDir = join(closed, 'data')
    mkdirSync(closed, { mode: 0o700 })
  })

  afterAll(() => {
    removeFolder(folder)
    if (home !== '') removeFolder(home)
  })

  test('the data goes outside a folder that only root can enter', async () => {
    const postgres = await start(dataDir, 25_710)
    const id = readFileSync(join(dataDir, 'embedded-id'), 'utf8').trim()
    home = join('/var/lib/kestrel', id)
    expect(postgres.clusterDir).toBe(join(home, 'postgres'))
    expect(postgres.notes).toEqual([
      `the database lies in ${home}/postgres, because user ${unprivilegedUser().name} could not enter ${dataDir}`,
    ])
    expect(statSync(postgres.clusterDir).uid).toBe(unprivilegedUser().uid)
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    const login = { dataDir, password: PASSWORD, database: 'kestrel' }
    expect(await findRunningPostgres(login)).toMatchObject({ url: postgres.url })
    await postgres.stop()
  })

  test('and is found there again, also after the folder was opened', async () => {
    chmodSync(closed, 0o755)
    const postgres = await start(dataDir, 25_710)
    expect(await query(postgres.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    await postgres.stop()
    chmodSync(closed, 0o700)
  })

  test('but not by a copy, which would share the database with the original', async () => {
    const copy = join(closed, 'copy')
    cpSync(dataDir, copy, { recursive: true })
    await expect(start(copy, 25_710)).rejects.toThrow(/is a copy of .*embedded-id/)
  })

  test('a cluster that root copied here is given to the user that runs it', async () => {
    const restored = join(folder, 'restored')
    cpSync(join(home, 'postgres'), join(restored, 'postgres'), { recursive: true })
    chmodSync(join(restored, 'postgres'), 0o700)
    expect(statSync(join(restored, 'postgres')).uid).toBe(0)
    const postgres = await start(restored, 25_710)
    expect(await query(postgres.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    await postgres.stop()
  })
})

describe.runIf(weAreRoot()).sequential('as somebody else than root', () => {
  let folder = ''
  const somebody = { uid: 65_534, gid: 65_534 }
  let standIn: { folder: string; script: string }

  beforeAll(async () => {
    standIn = await buildStandIn()
    folder = temporaryFolder()
    chmodSync(standIn.folder, 0o755)
    chownSync(folder, somebody.uid, somebody.gid)
    chmodSync(folder, 0o700)
  })

  afterAll(() => {
    removeFolder(folder)
    removeFolder(standIn.folder)
  })

  test('everything stays in the data directory, and root may take over later', async () => {
    const child = runStandIn(standIn.script, [folder, '25810'], somebody)
    expect(await child.line('ready')).toBe(`ready 65534 ${folder}/postgres `)
    process.kill(child.pid, 'SIGINT')
    await child.exit()
    const postgres = await start(folder, 25_810)
    expect(postgres.clusterDir).toBe(join(folder, 'postgres'))
    expect(statSync(postgres.clusterDir).uid).toBe(somebody.uid)
    await postgres.stop()
  })

  test('a cluster that belongs to another user is refused in one line', async () => {
    chownSync(join(folder, 'postgres'), 101, 104)
    const child = runStandIn(standIn.script, [folder, '25810'], somebody)
    await child.exit()
    expect(child.output()).toMatch(/postgres belongs to user .*; start Kestrel as root/)
  })
})
