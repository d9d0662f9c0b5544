// The baselines: what pgbench does with the same work on the same PostgreSQL.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SCRIPTS = join(import.meta.dirname, 'baseline')
const PLACES = [
  ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench')),
  ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
]

export const pgbenchPath = PLACES.find((path) => existsSync(path)) ?? null
export const WITHOUT_PGBENCH =
  'pgbench is not on this machine, so there is nothing to compare with. Debian has it: apt-get install postgresql-15'

/** Runs one script for some seconds. Resolves with { rate, count, p50, p99 }. */
export async function runPgbench(postgres, asked) {
  // On a very busy machine the time is over before all clients are connected.
  return (
    (await attempt(postgres, asked)) ?? (await attempt(postgres, { ...asked, seconds: asked.seconds * 5 })) ?? tooBusy()
  )
}

function tooBusy() {
  throw new Error('pgbench did not come to its first transaction: the machine is too busy to measure anything.')
}

async function attempt(postgres, { script, clients, seconds }) {
  const logs = await mkdtemp(join(postgres.home, 'pgbench-'))
  try {
    const { stdout } = await run(
      pgbenchPath,
      `-n -M prepared -c ${clients} -j ${Math.min(clients, 2)} -T ${seconds} -l`
        .split(' ')
        .concat(['-f', join(SCRIPTS, script), '--log-prefix', join(logs, 'log'), postgres.urlOf('baseline')]),
      { maxBuffer: 16 * 1_024 * 1_024 },
    )
    const [, rate] = /tps = ([\d.]+) \(without initial/.exec(stdout) ?? []
    return rate === undefined ? null : { rate: Number(rate), ...(await percentiles(logs)) }
  } finally {
    await rm(logs, { recursive: true, force: true })
  }
}

async function percentiles(logs) {
  const took = []
  for (const name of await readdir(logs)) {
    for (const line of (await readFile(join(logs, name), 'utf8')).split('\n')) {
      if (line !== '') took.push(Number(line.split(' ')[2]) / 1_000)
    }
  }
  took.sort((one, other) => one - other)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  return { count: took.length, p50: at(0.5), p99: at(0.99) }
}

export async function createBaseline(postgres) {
  await postgres.createDatabase('baseline')
  await postgres.query('baseline', await readFile(join(SCRIPTS, 'tables.sql'), 'utf8'))
}
