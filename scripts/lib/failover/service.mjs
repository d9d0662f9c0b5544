// The real program as processes on a cluster: two APIs, two workers, and the bank, whose books are in a database of its own:
// what a witness says must not be lost with what it is asked about.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until, urlsOf } from '../cluster/cluster.mjs'
import { freePorts } from '../cluster/free-ports.mjs'
import { pidOf, startProcess } from '../cluster/processes.mjs'
import { runtimeUser } from '../cluster/runtime-user.mjs'
import { PACKAGES } from '../paths.mjs'

const PROGRAM = join(PACKAGES, 'server/bin/kestrel.mjs')
const LONGEST_START_MS = 60_000
const TOP_UPS = 5
export const ROLES = ['api-1', 'api-2', 'worker-1', 'worker-2', 'bank']

/** `urls` replaces the addresses of the cluster’s own database. */
export async function startService(cluster, urls = urlsOf(cluster)) {
  const { folder, parts } = cluster
  const [bankPort, bankDatabase, ...apiPorts] = await freePorts(4)
  const bankUrl = `http://127.0.0.1:${bankPort}`
  const keys = { apiKey: secret(), controlKey: secret() }
  const common = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' }
  const bankKeys = { BANK_SANDBOX_API_KEY: keys.apiKey, BANK_CONTROL_KEY: keys.controlKey }
  const settings = {
    ...common,
    ...bankKeys,
    DATABASE_URL: urls.service,
    MIGRATE_DATABASE_URL: urls.owner,
    BANK_SANDBOX_URL: `${bankUrl}/v0`,
    RATE_LIMIT_PER_SECOND: '0',
  }
  const launch = (name, args, env) =>
    startProcess(folder, name, { command: process.execPath, args: [PROGRAM, ...args], env })
  startBankDatabase(folder, parts, bankDatabase)
  await pause(1_500)
  launch('bank', ['bank'], {
    ...common,
    ...bankKeys,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${bankDatabase}/bank`,
    BANK_PORT: String(bankPort),
  })
  await until('the bank answers', () => answers(`${bankUrl}/v0/customers`), LONGEST_START_MS)
  kestrel(settings, ['migrate'])
  const made = kestrel(settings, ['partner', 'create', '--name', 'Failover Ltd', '--slug', 'failover', '--json'])
  apiPorts.forEach((port, nth) => launch(`api-${nth + 1}`, ['api'], { ...settings, PORT: String(port) }))
  for (const nth of [1, 2]) launch(`worker-${nth}`, ['worker'], settings)
  const apis = apiPorts.map((port) => `http://127.0.0.1:${port}`)
  for (const url of apis) await until('the API answers', () => answers(`${url}/readyz`), LONGEST_START_MS)
  const service = { settings, apis, bankUrl, controlKey: keys.controlKey, key: JSON.parse(made).sandbox_key }
  await fill(service)
  return service
}

const secret = () => randomBytes(12).toString('hex')

/** Test money enough for a long run. The wallet is opened at the bank by a worker, a moment after it starts. */
async function fill({ apis, key }) {
  const topUp = async () => {
    const reply = await fetch(`${apis[0]}/v1/sandbox/top-up`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ usdc: '100000.00', source: 'bank' }),
    })
    return reply.ok
  }
  await until('test money arrives', topUp, LONGEST_START_MS)
  for (let nth = 1; nth < TOP_UPS; nth++) await topUp()
}

function startBankDatabase(folder, parts, port) {
  const { ids } = runtimeUser()
  const data = join(folder, 'bank-data')
  mkdirSync(data, { mode: 0o700 })
  if (ids.uid !== undefined) chownSync(data, ids.uid, ids.gid)
  const program = (name) => join(parts.postgres, name)
  const made = spawnSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    env: parts.env,
    encoding: 'utf8',
    ...ids,
  })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', folder]
  startProcess(folder, 'bank-database', { command: program('postgres'), args, env: parts.env, ids })
}

async function answers(url) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  return reply !== null && reply.status < 500
}

/** Runs a command to its end; what it prints. */
export function kestrel(settings, args) {
  const { status, stdout, stderr } = runKestrel(settings, args)
  if (status !== 0) throw new Error(`kestrel ${args.join(' ')}: ${stderr}`)
  return stdout
}

export function runKestrel(settings, args) {
  return spawnSync(process.execPath, [PROGRAM, ...args], { env: settings, encoding: 'utf8', timeout: 300_000 })
}

/** Those that have ended although nobody ended them. */
export function endedRoles({ folder }) {
  return ROLES.filter((name) => pidOf(folder, name) === null)
}
