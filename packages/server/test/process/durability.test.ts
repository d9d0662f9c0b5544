// What the service does when its database may lose what it acknowledges: on a PostgreSQL of its own, whose settings are changed
// under the running program.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findRunningPostgres } from '../../src/local/embedded/index.ts'
import { type Served, endEverythingStarted, freePort, launch, run, serveOn, until } from './program.ts'
import { postPayout } from './requests.ts'

let dataDir: string
let settings: Record<string, string>
let server: Served
let apiKey: string
let owner: pg.Client
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kestrel-durable-'))
  // Open to the user that PostgreSQL runs as when the tests run as root.
  chmodSync(dataDir, 0o755)
  settings = {
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '0',
    BANK_PORT: String(await freePort()),
    // Nobody answers there, and nobody is paid.
    BANK_LIVE_URL: 'http://127.0.0.1:9/v0',
    BANK_LIVE_API_KEY: 'sk-live-of-nobody',
  }
  server = await serveOn('serve', settings)
  apiKey = /kp_sandbox_[0-9a-f]{48}/.exec(server.output.stdout)![0]
  const { database_password: password } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    database_password: string
  }
  const found = await findRunningPostgres({ dataDir, password, database: 'kestrel' })
  owner = new pg.Client({ connectionString: found!.url })
  owner.on('error', () => undefined)
  await owner.connect()
})
afterAll(async () => {
  await server.kill('SIGTERM')
  endEverythingStarted()
  await owner.end()
  rmSync(dataDir, { recursive: true, force: true })
})

async function set(name: string, value: string): Promise<void> {
  // On a system that does not wait for a standby, or this very statement would.
  await owner.query(`set synchronous_commit = local`)
  await owner.query(`alter system set ${name} = '${value}'`)
  await owner.query('select pg_reload_conf()')
}

const ready = async () => {
  const reply = await fetch(`${server.url}/readyz`)
  return [reply.status, ((await reply.json()) as { problems: unknown }).problems]
}
const finding = async (name: string) => {
  const ended = await run(['doctor', '--json'], settings)
  const { checks } = JSON.parse(ended.stdout) as { checks: { name: string; status: string; detail: string }[] }
  return checks.find((each) => each.name === name)
}

describe.sequential('a database under a service that pays real money', () => {
  it('that keeps what it acknowledges is fit to work with', async () => {
    await until('it is ready', async () => (await ready())[0] === 200)
    expect(await finding('Durability')).toMatchObject({ status: 'ok' })
    expect(await finding('Checksums')).toMatchObject({ status: 'ok' })
    expect(await finding('Standbys')).toBeUndefined()
  })

  it('whose default is not to wait for the disk is asked to wait all the same', async () => {
    await set('synchronous_commit', 'off')
    await until('new sessions have it', async () => {
      const other = new pg.Client({ connectionString: urlOf(owner) })
      await other.connect()
      const { rows } = await other.query<{ synchronous_commit: string }>('show synchronous_commit')
      await other.end()
      return rows[0]!.synchronous_commit === 'off'
    })
    expect(await finding('Durability')).toMatchObject({ status: 'ok' })
    expect(await ready()).toEqual([200, {}])
    await set('synchronous_commit', 'on')
  })

  it('that has come to lose it makes the service unfit, says why, and does not let another start', async () => {
    await set('fsync', 'off')
    const problems = { durability: 'The database may lose what it acknowledges: fsync is not on.' }
    await until('it is not ready', async () => (await ready())[0] === 503)
    expect(await ready()).toEqual([503, problems])
    expect(await finding('Durability')).toMatchObject({
      status: 'problem',
      detail: 'fsync is not on: a power cut loses acknowledged payouts',
    })
    const api = launch(['api'], { ...settings, DATABASE_URL: urlOf(owner), PORT: String(await freePort()) })
    const ended = await api.ended
    expect(ended.code).toBe(3)
    expect(ended.stderr).toMatch(/may lose what it acknowledges: fsync is not on\. .*start without BANK_LIVE_URL/)
    await set('fsync', 'on')
    await until('it is ready again', async () => (await ready())[0] === 200)
  })

  it('that stops waiting for its standby has acknowledged nothing that a partner is told of', async () => {
    await set('synchronous_standby_names', 'nobody')
    await until('the setting is read', async () => {
      const { rows } = await owner.query<{ names: string }>(
        `select current_setting('synchronous_standby_names') as names`,
      )
      return rows[0]!.names === 'nobody'
    })
    expect(await finding('Standbys')).toMatchObject({ status: 'problem' })
    const asked = postPayout(server.url, apiKey, 'key-unconfirmed')
    // Whoever waits is told to stop, as an operator might in good faith: PostgreSQL then commits, and answers as if all were well.
    const cancelled = new Set<number>()
    const waiting = `select pid, pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    let isAnswered = false
    void asked.finally(() => (isAnswered = true))
    await until('it is answered', async () => {
      for (const { pid } of (await owner.query<{ pid: number }>(waiting)).rows) cancelled.add(pid)
      return isAnswered
    })
    expect(cancelled.size).toBeGreaterThan(0)
    expect((await asked).status).toBe(503)
    await set('synchronous_standby_names', '')
    let id = ''
    // What was reserved is sent again when its lease of half a minute is over.
    const isAgain = async () => {
      const again = await postPayout(server.url, apiKey, 'key-unconfirmed')
      id = again.body.id
      return again.status === 200 || again.status === 201
    }
    await until('the same key is answered', isAgain, 60_000)
    expect(await postPayout(server.url, apiKey, 'key-unconfirmed')).toMatchObject({ status: 200, body: { id } })
    const { rows } = await owner.query(`select 1 from payouts where idempotency_key = 'key-unconfirmed'`)
    expect(rows).toHaveLength(1)
  })
})

function urlOf({ user, password, host, port, database }: pg.Client): string {
  return `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`
}
