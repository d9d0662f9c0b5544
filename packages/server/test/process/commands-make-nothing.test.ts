// A command looks at a service, or changes what it is asked to change. It never makes the service: no data directory,
// no secrets, no tables, no newer schema. Only a start and `kestrel migrate` do.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, aHome, run } from './program.ts'

let home: Home
let nowhere: string
beforeAll(async () => {
  home = await aHome({ isMigrated: false })
  nowhere = mkdtempSync(join(tmpdir(), 'kestrel-nowhere-'))
})
afterAll(async () => {
  rmSync(nowhere, { recursive: true, force: true })
  await home.leave()
})

const COMMANDS = [['partner', 'list'], ['partner', 'create', '--name', 'Acme Ltd', '--slug', 'acme'], ['reconcile']]
const tables = () => home.owner.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
const hex = (of: string) => createHash('sha256').update(of).digest('hex')

describe('where nothing was started yet', () => {
  it.each(COMMANDS)('%s %s says so and makes no data directory', async (...args) => {
    const dataDir = join(nowhere, 'never-made')
    const ended = await run(args, { DATA_DIR: dataDir })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: There is no database in .*never-made\. .*npm start\n$/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('doctor makes nothing either, and ticks only what is well', async () => {
    const dataDir = join(nowhere, 'never-made')
    const ended = await run(['doctor'], { DATA_DIR: dataDir })
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(/^! Data directory +.*never-made is not there/m)
    expect(ended.stdout).toMatch(/^✖ Database +There is no database in /m)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('a folder without secrets stays without them', async () => {
    const dataDir = join(nowhere, 'empty')
    mkdirSync(dataDir)
    const ended = await run(['partner', 'list'], { ...home.settings, DATA_DIR: dataDir })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: There are no secrets in .*empty\. Set DATA_DIR, or .*\n$/)
    expect(readdirSync(dataDir)).toEqual([])
  })
})

describe.sequential('a database', () => {
  it.each([...COMMANDS, ['doctor']])('that is empty stays empty: %s %s', async (...args) => {
    const given = { KESTREL_SEAL_KEY: hex('seal'), KESTREL_FINGERPRINT_KEY: hex('fingerprint') }
    const ended = await run(args, { ...home.settings, ...given })
    expect(ended.code).toBe(1)
    expect(`${ended.stdout}${ended.stderr}`).toMatch(/has no tables of Kestrel’s.*kestrel migrate/)
    expect(await tables()).toEqual([])
  })

  it('that is empty is planned for by migrate --dry-run, which makes neither tables nor secrets', async () => {
    const dataDir = join(nowhere, 'dry')
    const dry = (...args: string[]) => run(['migrate', '--dry-run', ...args], { ...home.settings, DATA_DIR: dataDir })
    const ended = await dry()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^(\d+) of \1 migrations would be applied\. Nothing was changed\.\n/)
    expect(JSON.parse((await dry('--json')).stdout)).toMatchObject({
      dry_run: true,
      migrations: expect.arrayContaining([
        { name: '0001_partners.sql', steps: [{ in_transaction: true, locks: [] }] },
      ]) as unknown,
    })
    expect(await tables()).toEqual([])
    expect(existsSync(dataDir)).toBe(false)
  })

  it('is made by migrate, once, and then works', async () => {
    expect(await run(['migrate'], home.settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^(\d+) of \1 migrations applied\.\n$/),
    })
    const again = await run(['migrate', '--json'], home.settings)
    expect(JSON.parse(again.stdout)).toEqual({ applied: 0, total: expect.any(Number) })
    expect((await run(['partner', 'list'], home.settings)).stdout).toBe('There are no partners yet.\n')
  })

  it('of an older version is left as it is, in words that say what to run', async () => {
    const [last] = await home.owner.query<{ name: string }>('select name from migrations order by name desc limit 1')
    await home.owner.query('delete from migrations where name = $1', [last!.name])
    for (const args of [['partner', 'list'], ['doctor']]) {
      const ended = await run(args, home.settings)
      expect(ended.code).toBe(1)
      expect(`${ended.stdout}${ended.stderr}`).toContain(
        `is of an older version: it lacks ${last!.name}. Run \`kestrel`,
      )
    }
    expect(await home.owner.query('select 1 from migrations where name = $1', [last!.name])).toEqual([])
    await home.owner.query('insert into migrations (name) values ($1)', [last!.name])
  })

  it('of a newer version is refused', async () => {
    await home.owner.query(`insert into migrations (name) values ('9999_from_the_future.sql')`)
    for (const args of [['partner', 'list'], ['migrate'], ['migrate', '--dry-run'], ['doctor']]) {
      const ended = await run(args, home.settings)
      expect(ended.code).toBe(1)
      expect(`${ended.stdout}${ended.stderr}`).toMatch(/has migration 9999_from_the_future\.sql.*run that one/)
    }
    await home.owner.query(`delete from migrations where name = '9999_from_the_future.sql'`)
  })
})

describe('help', () => {
  it.each([['--help'], ['partner', '--help'], ['--version']])(
    'needs no environment that works: %s',
    async (...args) => {
      const ended = await run(args, { PORT: 'abc', DATABASE_URL: 'mysql://nowhere' })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.stdout).toMatch(args.includes('--version') ? /^1\.3\.0\n$/ : /^Usage: kestrel/)
    },
  )
})
