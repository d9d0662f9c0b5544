// The whole program through PgBouncer in transaction mode, with fewer sessions than it has connections: what it promises does
// not depend on having a session to itself. On Debian it is fetched; where there is none, this says so and is left out.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { unprivilegedUser, weAreRoot } from '../../src/local/embedded/runtime-user.ts'
import { roleSettings } from '../../src/storage/session-settings.ts'
import { type TestBank, startTestBank } from '../support/bank.ts'
import { hurry } from './hurry.ts'
import { type Home, type Settings, aHome, freePort, launch, run, serveOn, until } from './program.ts'
import { createPartner, postPayout, sandboxWallet } from './requests.ts'

interface Scripts {
  readonly findPgBouncer: (stream: NodeJS.WritableStream) => Promise<{ program: string; env: NodeJS.ProcessEnv } | null>
}
const { findPgBouncer } = (await import(
  join(import.meta.dirname, '../../../../scripts/lib/cluster/find-parts.mjs')
)) as Scripts
const found = await findPgBouncer(process.stdout)
if (found === null) process.stdout.write('pooler.test.ts: left out, there is no PgBouncer for this machine\n')

const SESSIONS = 4
const ORDERS = 40
const SENT = 32_070_000n

interface Pooler {
  readonly url: string
  reconnect(): Promise<void>
  close(): void
}

/** A PgBouncer before the database of this address. */
async function startPooler(url: URL): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-pooler-'))
  const ids = weAreRoot() ? unprivilegedUser() : null
  const port = await freePort()
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
admin_users = ${user}
pool_mode = transaction
default_pool_size = ${SESSIONS}
`,
  )
  chmodSync(folder, 0o755)
  if (ids !== null) for (const name of ['users.txt', 'pgbouncer.ini']) chownSync(join(folder, name), ids.uid, ids.gid)
  const pooler: ChildProcess = spawn(found!.program, [join(folder, 'pgbouncer.ini')], {
    env: found!.env,
    stdio: 'ignore',
    ...(ids === null ? {} : { uid: ids.uid, gid: ids.gid }),
  })
  const through = new URL(url.href)
  through.port = String(port)
  const console = new URL(through.href)
  console.pathname = '/pgbouncer'
  const command = async (text: string) => {
    const client = new pg.Client({ connectionString: console.href })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await until('PgBouncer answers', () =>
    command('show version').then(
      () => true,
      () => false,
    ),
  )
  return {
    url: through.href,
    reconnect: () => command('reconnect'),
    close: () => {
      pooler.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(found === null).sequential('through a pooler of transactions', () => {
  let bank: TestBank
  let home: Home
  let pooler: Pooler
  let settings: Settings
  beforeAll(async () => {
    bank = await startTestBank()
    home = await aHome()
    const direct = home.settings['DATABASE_URL']!
    pooler = await startPooler(new URL(direct))
    settings = {
      ...home.settings,
      DATABASE_URL: pooler.url,
      DATABASE_SESSION_URL: direct,
      BANK_SANDBOX_URL: bank.provider.baseUrl,
      BANK_SANDBOX_API_KEY: bank.provider.apiKey,
    }
  })
  afterAll(async () => {
    await home.leave()
    pooler.close()
    await bank.close()
  })

  const finding = async () => {
    const { stdout } = await run(['doctor', '--json'], settings)
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] }
    return checks.find(({ name }) => name === 'Pooler')
  }

  it('a program starts only when the role has the settings that its sessions need, and says what to run', async () => {
    expect(await finding()).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('lock_timeout') as unknown,
    })
    const ended = await launch(['api'], { ...settings, PORT: String(await freePort()) }).ended
    expect(ended.code).toBe(3)
    expect(ended.stderr).toMatch(/pooler of transactions.*lock_timeout.*enable_seqscan.*jit/s)
    const { username, pathname } = new URL(pooler.url)
    const lines = roleSettings(username, pathname.slice(1))
    for (const line of lines) expect(ended.stderr).toContain(line)
    const [later, now] = [
      lines.filter((line) => line.includes('read_only')),
      lines.filter((line) => !line.includes('read_only')),
    ]
    for (const line of now) await home.owner.query(line)
    await pooler.reconnect()
    // Beside processes of the release before, which could not write with it.
    const beside = await serveOn('api', settings)
    expect((await beside.kill('SIGTERM')).code).toBe(0)
    expect(await finding()).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('read_only') as unknown,
    })
    for (const line of later) await home.owner.query(line)
    await pooler.reconnect()
    expect(await finding()).toMatchObject({ status: 'ok' })
  })

  it('two of each pay every order once, are killed, and the books are right', async () => {
    const partner = await createPartner(settings, 'pooled')
    const apis = await Promise.all([serveOn('api', settings), serveOn('api', settings)])
    const workers = [launch(['worker'], settings), launch(['worker'], settings)]
    await until('the wallet is at the bank', async () => {
      const rows = await home.owner.query(`select 1 from wallets where partner_id = $1 and wallet_ref is not null`, [
        partner.id,
      ])
      return rows.length === 1
    })
    const before = await sandboxWallet(home.owner, partner.id)
    const keys = Array.from({ length: ORDERS }, (_, nth) => `pooled-order-${nth}`)
    const answers = await Promise.all(
      keys.flatMap((key) => apis.map(async (api) => ({ key, answer: await postPayout(api.url, partner.key, key) }))),
    )
    // Two ask for each at once: one makes it, the other is told of it or is to ask again.
    expect(answers.filter(({ answer }) => ![200, 201, 409].includes(answer.status))).toEqual([])
    expect(answers.filter(({ answer }) => answer.status === 201)).toHaveLength(ORDERS)
    expect((await workers[0]!.kill('SIGKILL')).signal).toBe('SIGKILL')
    await until('every payout has its end', async () => {
      await hurry(home.owner)
      const open = await home.owner.query(`select 1 from payouts where partner_id = $1 and status <> 'completed'`, [
        partner.id,
      ])
      return open.length === 0
    })
    const { transfers } = await bank.books()
    const made = transfers.flatMap((each) => each.client_reference_id ?? [])
    expect(new Set(made).size).toBe(made.length)
    expect(made).toHaveLength(ORDERS)
    const after = await sandboxWallet(home.owner, partner.id)
    expect(after).toMatchObject({ available: before['available']! - BigInt(ORDERS) * SENT, held: 0n, in_transit: 0n })
    for (const each of [...apis, workers[1]!]) expect((await each.kill('SIGTERM')).code).toBe(0)
    expect(await run(['reconcile'], settings)).toMatchObject({ code: 0, stdout: 'The books are right.\n' })
  })

  it('no more sessions were taken than the pooler gives, and a worker hears over one of its own', async () => {
    const worker = launch(['worker'], settings)
    const heard = `select 1 from pg_stat_activity where application_name = 'kestrel-bell' and datname = $1`
    const { pathname } = new URL(pooler.url)
    await until('the worker listens', async () => (await home.owner.query(heard, [pathname.slice(1)])).length === 1)
    const [sessions] = await home.owner.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = $1 and pid <> pg_backend_pid() and application_name <> 'kestrel-bell'`,
      [pathname.slice(1)],
    )
    expect(sessions!.count).toBeGreaterThan(0)
    expect(sessions!.count).toBeLessThanOrEqual(SESSIONS)
    expect((await worker.kill('SIGTERM')).code).toBe(0)
  })
})
