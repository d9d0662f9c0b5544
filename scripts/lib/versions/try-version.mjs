// One Node and one PostgreSQL: the program starts, pays, draws a document, its books are right, and no plan reads too much.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../cluster/cluster.mjs'
import { freePorts } from '../cluster/free-ports.mjs'
import { endProcess, pidOf, startProcess } from '../cluster/processes.mjs'
import { runtimeUser } from '../cluster/runtime-user.mjs'
import { NODE_MODULES, PACKAGES, ROOT } from '../paths.mjs'

const PROGRAM = join(PACKAGES, 'server/bin/kestrel.mjs')
const VITEST = join(NODE_MODULES, 'vitest/vitest.mjs')
const PASSWORD = 'only-for-this-try'
const LONGEST_MS = 90_000
const BODY = {
  amount_gbp: '25.00',
  reference: 'Invoice 1042',
  recipient: {
    first_name: 'Amara',
    last_name: 'Okafor',
    address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
  },
}

/** What each step came to: `ok`, or why it did not. Nothing after a step that failed is tried. */
export async function tryVersion(folder, { node, postgres }) {
  mkdirSync(join(folder, 'logs'), { recursive: true })
  chmodSync(folder, 0o755)
  const [databasePort, port, bankPort] = await freePorts(3)
  const run = { folder, node, port, bankPort, databasePort, postgres, steps: {} }
  try {
    for (const [name, step] of Object.entries(STEPS)) {
      run.steps[name] = await step(run).then(
        (detail) => ({ ok: true, detail: detail ?? '' }),
        (error) => ({ ok: false, detail: error.message }),
      )
      if (!run.steps[name].ok) break
    }
    return run.steps
  } finally {
    await endProcess(folder, 'kestrel')
    await endProcess(folder, 'postgres', { signal: 'SIGINT' })
  }
}

const STEPS = {
  database: startPostgres,
  start: startKestrel,
  payout: pay,
  document: readDocument,
  reconcile,
  plans,
  stop: stopKestrel,
}

async function startPostgres({ folder, postgres, databasePort }) {
  const { ids } = runtimeUser()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(folder, 'password'), PASSWORD)
  if (ids.uid !== undefined) for (const path of [folder, data]) chownSync(path, ids.uid, ids.gid)
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const args = ['-D', data, '-U', 'kestrel', '-A', 'scram-sha-256', '--pwfile', join(folder, 'password'), '-E', 'UTF8']
  const made = spawnSync(join(postgres, 'bin/initdb'), args, { env, encoding: 'utf8', ...ids })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr ?? made.error}`)
  const options = ['-D', data, '-p', String(databasePort), '-c', 'listen_addresses=127.0.0.1', '-k', folder]
  startProcess(folder, 'postgres', { command: join(postgres, 'bin/postgres'), args: options, env, ids })
  return spawnSync(join(postgres, 'bin/postgres'), ['--version'], { env, encoding: 'utf8', ...ids }).stdout.trim()
}

function settingsOf({ folder, port, bankPort, databasePort }) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: join(folder, 'kestrel'),
    PORT: String(port),
    BANK_PORT: String(bankPort),
    DATABASE_URL: `postgres://kestrel:${PASSWORD}@127.0.0.1:${databasePort}/postgres`,
  }
}

function kestrel(run, args) {
  const options = { env: settingsOf(run), encoding: 'utf8', timeout: LONGEST_MS }
  const { status, stdout, stderr } = spawnSync(run.node, [PROGRAM, ...args], options)
  if (status !== 0) throw new Error(`kestrel ${args[0]}: ${(stderr || stdout).trim().split('\n').at(-1)}`)
  return stdout
}

async function startKestrel(run) {
  await until('PostgreSQL takes migrations', async () => isMigrated(run), 30_000)
  startProcess(run.folder, 'kestrel', { command: run.node, args: [PROGRAM, 'serve'], env: settingsOf(run) })
  const isReady = async () => (await fetch(`http://127.0.0.1:${run.port}/readyz`).catch(() => null))?.status === 200
  await until('it is ready', isReady, LONGEST_MS)
  const made = kestrel(run, ['partner', 'create', '--name', 'Acme Ltd', '--slug', 'acme', '--json'])
  run.key = JSON.parse(made).sandbox_key
  return spawnSync(run.node, ['--version'], { encoding: 'utf8' }).stdout.trim()
}

function isMigrated(run) {
  try {
    kestrel(run, ['migrate'])
    return true
  } catch {
    return false
  }
}

async function ask(run, path, options = {}) {
  const headers = { authorization: `Bearer ${run.key}`, ...options.headers }
  return fetch(`http://127.0.0.1:${run.port}${path}`, { ...options, headers })
}

async function pay(run) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-1042' }
  const make = () => ask(run, '/v1/payouts', { method: 'POST', headers, body: JSON.stringify(BODY) })
  const made = await make()
  if (made.status !== 201) throw new Error(`the payout was answered with ${made.status}: ${await made.text()}`)
  run.payout = (await made.json()).id
  const isCompleted = async () => (await (await ask(run, `/v1/payouts/${run.payout}`)).json()).status === 'completed'
  await until('the payout is completed', isCompleted, LONGEST_MS)
  const again = await make()
  if (again.status !== 200 || (await again.json()).id !== run.payout) throw new Error('the key made a second payout')
}

async function readDocument(run) {
  const reply = await ask(run, `/v1/payouts/${run.payout}/receipt.pdf`)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (reply.status !== 200 || !bytes.subarray(0, 5).equals(Buffer.from('%PDF-')))
    throw new Error(`no PDF: ${reply.status}`)
  return `${bytes.length} bytes`
}

async function reconcile(run) {
  const said = kestrel(run, ['reconcile']).trim()
  if (said !== 'The books are right.') throw new Error(said)
}

/** Every statement of the program, planned by this PostgreSQL. */
async function plans({ databasePort }) {
  const env = { ...process.env, TEST_POSTGRES: `postgres://kestrel:${PASSWORD}@127.0.0.1:${databasePort}/postgres` }
  const args = [VITEST, 'run', 'packages/server/test/storage/plans.test.ts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })
  if (status === 0) return
  const failed = stdout.split('\n').findLast((line) => line.includes('FAIL'))
  throw new Error(failed?.trim() ?? 'the test of plans did not run')
}

async function stopKestrel({ folder }) {
  await endProcess(folder, 'kestrel')
  if (pidOf(folder, 'kestrel') !== null) throw new Error('it did not end')
}
