// Backup and restore to a moment, as docs/operations.md tells it: a base backup and the write-ahead log are taken while
// payouts are made, the database is lost, and one from a moment in between takes its place. The books are right, and the
// payouts after that moment are found again at the bank.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { formatUsdcExact, microUsdc } from '../../src/core/money.ts'
import { urlFor } from '../../src/local/embedded/ask.ts'
import { launch as launchPostgres, shutDown } from '../../src/local/embedded/launch.ts'
import { type Placement, choosePlacement } from '../../src/local/embedded/placement.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/local/embedded/index.ts'
import { type TestBank, startTestBank } from '../support/bank.ts'
import { type Settings, endEverythingStarted, freePort, launch, run, serveOn, until } from './program.ts'
import { createPartner, postPayout } from './requests.ts'

const PASSWORD = 'restore'
const DATABASE = 'kestrel'
const LONG_MS = 180_000
/** Before the moment, and after it. */
const FIRST = 12
const LATER = 6

let folder: string
let archive: string
let bank: TestBank
let postgres: EmbeddedPostgres
let restored: Placement | null = null

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kestrel-restore-'))
  archive = join(folder, 'archive')
  mkdirSync(archive)
  // PostgreSQL may run as another user.
  for (const path of [folder, archive]) chmodSync(path, 0o777)
  bank = await startTestBank()
  await bank.standStill()
  postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'first'),
    password: PASSWORD,
    database: DATABASE,
    preferredPort: await freePort(),
    settings: { fsync: 'off', archive_mode: 'on', archive_command: `cp "%p" "${archive}/%f"` },
  })
}, LONG_MS)
afterAll(async () => {
  endEverythingStarted()
  await postgres.stop()
  if (restored !== null) await shutDown(restored)
  await bank.close()
  rmSync(folder, { recursive: true, force: true })
})

const settingsOn = (url: string): Settings => ({
  DATABASE_URL: url,
  DATA_DIR: join(folder, 'data'),
  RATE_LIMIT_PER_SECOND: '0',
  BANK_SANDBOX_URL: bank.provider.baseUrl,
  BANK_SANDBOX_API_KEY: bank.provider.apiKey,
  BANK_CONTROL_KEY: bank.controls.key,
})

async function asking<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const rows = <Row extends pg.QueryResultRow>(url: string, sql: string) =>
  asking(url, async (client) => (await client.query<Row>(sql)).rows)

/** Pays order after order until it is told to stop; what was acknowledged, by its key. */
function load(url: string, key: string, name: string) {
  const acknowledged = new Map<string, string>()
  const stopping = new AbortController()
  const payAll = async () => {
    for (let order = 0; !stopping.signal.aborted; order++) {
      const answer = await postPayout(url, key, `${name}-order-${order}`).catch(() => null)
      if (answer?.status === 201) acknowledged.set(`${name}-order-${order}`, answer.body.id)
    }
  }
  const running = payAll()
  return {
    acknowledged,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** What pg_basebackup does, for a server whose own is not at hand: files as they are, between two calls of the server. */
async function baseBackup(target: string): Promise<void> {
  await asking(postgres.url, async (client) => {
    await client.query(`select pg_backup_start('base', true)`)
    try {
      execFileSync('cp', ['-a', postgres.clusterDir, target], { stdio: 'pipe' })
    } catch {
      // A file that was there when the copying began may be gone when its turn comes; the log has what became of it.
    }
    const {
      rows: [label],
    } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
    for (const name of readdirSync(join(target, 'pg_wal'))) rmSync(join(target, 'pg_wal', name), { recursive: true })
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(target, name), { force: true })
    writeOwned(target, 'backup_label', label!.labelfile)
  })
}

function writeOwned(cluster: string, name: string, text: string): void {
  writeFileSync(join(cluster, name), text)
  execFileSync('chown', ['--reference', cluster, join(cluster, name)])
}

/** The last of the log reaches the archive when its segment is finished. */
async function archiveAll(): Promise<void> {
  const [{ name } = { name: '' }] = await rows<{ name: string }>(
    postgres.url,
    'select pg_walfile_name(pg_switch_wal()) as name',
  )
  await until('the log is in the archive', () => readdirSync(archive).includes(name))
}

async function restore(base: string, target: string): Promise<string> {
  const dataDir = join(folder, 'second')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o777)
  execFileSync('cp', ['-a', base, join(dataDir, 'postgres')])
  writeOwned(join(dataDir, 'postgres'), 'recovery.signal', '')
  restored = await choosePlacement(dataDir)
  const { port } = await launchPostgres(restored, await freePort(), {
    fsync: 'off',
    archive_mode: 'off',
    restore_command: `cp "${archive}/%f" "%p"`,
    recovery_target_time: target,
    recovery_target_action: 'promote',
  })
  const url = urlFor({ port, password: PASSWORD, database: DATABASE })
  await until('the restored database takes writes', async () => {
    const [state] = await rows<{ isOver: boolean }>(url, 'select not pg_is_in_recovery() as "isOver"').catch(() => [])
    return state?.isOver === true
  })
  return url
}

interface Found {
  readonly check: string
  readonly partner_id: string | null
  readonly about: string
  readonly detail: string
}
async function breaksOn(settings: Settings): Promise<readonly Found[]> {
  const ended = await run(['reconcile', '--json'], settings, 60_000)
  return (JSON.parse(ended.stdout) as { breaks: Found[] }).breaks
}

it(
  'finds again at the bank every payout after the moment that the database was restored to, and nothing is paid twice',
  async () => {
    const settings = settingsOn(postgres.url)
    expect((await run(['migrate'], settings, 60_000)).code).toBe(0)
    const partner = await createPartner(settings, 'restored')
    const [api, worker] = [await serveOn('api', settings), launch(['worker'], settings)]
    await until('the wallet is at the bank', async () => {
      const found = await rows(postgres.url, 'select 1 from wallets where wallet_ref is not null')
      return found.length > 0
    })
    const loads = ['one', 'two'].map((name) => load(api.url, partner.key, name))
    const count = () => loads.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    await until('payouts flow', () => count() >= 3)
    await baseBackup(join(folder, 'base'))
    await until('more payouts are made', () => count() >= FIRST)
    const [{ at } = { at: '' }] = await rows<{ at: string }>(postgres.url, 'select clock_timestamp()::text as at')
    const before = count()
    await until('and more after the moment', () => count() >= before + LATER)
    for (const each of loads) await each.stop()
    await archiveAll()
    for (const each of [api, worker]) await each.kill('SIGKILL')
    await postgres.stop()

    const url = await restore(join(folder, 'base'), at)
    const again = settingsOn(url)
    const other = {
      KESTREL_SEAL_KEY: '8f1e2d3c4b5a69780f1e2d3c4b5a6978'.repeat(2),
      KESTREL_FINGERPRINT_KEY: '0a1b2c3d4e5f67899a8b7c6d5e4f3021'.repeat(2),
    }
    const withoutKeys = await run(['worker'], { ...again, ...other })
    expect({ code: withoutKeys.code, stderr: withoutKeys.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/key/i),
    })

    const second = launch(['worker'], again)
    await until('nothing is in doubt', async () => {
      const found = await rows(url, `select 1 from payouts where status = 'pending'`)
      return found.length === 0
    })
    const kept = new Set((await rows<{ id: string }>(url, 'select id from payouts')).map(({ id }) => id))
    const acknowledged = loads.flatMap((each) => [...each.acknowledged.values()])
    const missing = acknowledged.filter((id) => !kept.has(id))
    expect(acknowledged.length - missing.length).toBeGreaterThanOrEqual(FIRST - 2)
    expect(missing.length).toBeGreaterThanOrEqual(LATER - 2)

    // One comes back meanwhile: nobody was paid by it, and nothing is to be taken out of the books for it.
    const [cameBack] = (await bank.books()).transfers.filter((each) => missing.includes(each.client_reference_id ?? ''))
    for (const step of ['submit', 'undeliver', 'refund']) {
      await bank.control('POST', `/transfers/${cameBack!.id}/${step}`)
    }
    const paid = missing.filter((id) => id !== cameBack!.client_reference_id)
    const breaks = await breaksOn(again)
    const unknown = breaks.filter(({ check }) => check === 'transfer_unknown_here')
    expect(new Set(unknown.map((each) => each.partner_id))).toEqual(new Set([partner.id]))
    expect(new Set(breaks.map(({ check }) => check))).toEqual(new Set(['transfer_unknown_here', 'wallet_differs']))
    const { transfers } = await bank.books()
    const referenceOf = new Map(transfers.map((each) => [each.id, each.client_reference_id!]))
    expect(unknown.map(({ about }) => referenceOf.get(about) ?? about).toSorted()).toEqual(paid.toSorted())
    expect(new Set(referenceOf.values()).size).toBe(transfers.length)

    for (const { about, detail } of unknown) {
      const amount = formatUsdcExact(microUsdc(BigInt(/transfer of (\d+) millionths/.exec(detail)![1]!)))
      const of = [
        '--partner',
        'restored',
        '--environment',
        'sandbox',
        '--usdc',
        amount,
        '--reason',
        'lost by the restore',
      ]
      expect((await run(['wallet', 'debit', ...of, '--reference', `transfer:${about}`], again)).stderr).toBe('')
    }
    expect(await breaksOn(again)).toEqual([])
    await second.kill('SIGTERM')
  },
  LONG_MS,
)
