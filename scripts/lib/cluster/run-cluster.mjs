import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ExpectedFailure, reportingFailures } from '../expected-failure.mjs'
import { ensureInstalled } from '../install.mjs'

const USE = `node scripts/cluster.mjs up                 a PostgreSQL cluster on this machine, in a temporary folder
node scripts/cluster.mjs status [--folder F]
node scripts/cluster.mjs down [--folder F]    ends what \`up\` started, and removes the folder

Every command takes --json. Without --folder the only cluster there is, is meant.`

const COMMANDS = { up, status, down }

export async function runCluster() {
  await reportingFailures(async () => {
    const { values, positionals } = parseArgs({
      options: { folder: { type: 'string' }, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const command = COMMANDS[positionals[0] ?? '']
    if (command === undefined || positionals.length > 1) throw new ExpectedFailure(USE)
    await ensureInstalled('full', process.stderr)
    await command(await import('./cluster.mjs'), values)
  })
}

async function up({ upCluster, urlsOf }, { json }) {
  const cluster = await upCluster(process.stderr)
  const { owner, service } = urlsOf(cluster)
  const { folder, parts } = cluster
  if (json) return print({ folder, versions: parts.versions, DATABASE_URL: service, MIGRATE_DATABASE_URL: owner })
  const { patroni, etcd, haproxy, postgres } = parts.versions
  process.stdout.write(`${postgres}; ${patroni}; ${etcd}; ${haproxy.split(' ').slice(0, 3).join(' ')}
Three nodes run in ${folder}

export DATABASE_URL=${service}
export MIGRATE_DATABASE_URL=${owner}

node scripts/cluster.mjs down --folder ${folder}
`)
}

async function status({ clusterIn, members }, { folder, json }) {
  const cluster = clusterIn(folderOf(folder))
  const found = (await members(cluster)) ?? []
  if (json) return print({ folder: cluster.folder, members: found })
  if (found.length === 0) throw new ExpectedFailure(`No node of ${cluster.folder} answers.`)
  for (const { name, role, state, timeline, lag } of found) {
    const behind = role === 'leader' ? '' : `, behind by ${lag ?? '?'} bytes`
    process.stdout.write(`${name}  ${role.padEnd(12)}  ${state}, timeline ${timeline}${behind}\n`)
  }
}

async function down({ clusterIn, downCluster }, { folder, json }) {
  const cluster = clusterIn(folderOf(folder))
  await downCluster(cluster.folder)
  if (json) print({ removed: cluster.folder })
  else process.stdout.write(`The cluster in ${cluster.folder} is gone.\n`)
}

function folderOf(given) {
  if (given !== undefined) return given
  const found = readdirSync(tmpdir())
    .filter((name) => name.startsWith('kestrel-cluster-'))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => existsSync(join(folder, 'cluster.json')))
  if (found.length === 1) return found[0]
  throw new ExpectedFailure(
    found.length === 0
      ? 'There is no cluster. Start one: node scripts/cluster.mjs up'
      : `Which one? --folder ${found.join(' or ')}`,
  )
}

const print = (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
