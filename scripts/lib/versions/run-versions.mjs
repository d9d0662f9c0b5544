import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../build.mjs'
import { reportingFailures } from '../expected-failure.mjs'
import { ensureInstalled } from '../install.mjs'
import { fetchNode, fetchPostgres } from './fetch.mjs'

const POSTGRES = ['15', '16', '17', '18']
const NODE = ['20', '22', '24']
const OPTIONS = { json: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } }

/** `npm run versions`: every PostgreSQL with this Node, and every Node with the newest PostgreSQL; `--all`: each with each. */
export async function runVersions() {
  await reportingFailures(async () => {
    const { values } = parseArgs({ options: OPTIONS })
    await ensureInstalled('full', process.stderr)
    await ensureBuilt(process.stderr)
    const home = mkdtempSync(join(tmpdir(), 'kestrel-versions-'))
    chmodSync(home, 0o755)
    try {
      const rows = await tryAll(home, values.all)
      process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows))
      process.exitCode = rows.every(isWell) ? 0 : 1
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
}

async function tryAll(home, isAll) {
  const { tryVersion } = await import('./try-version.mjs')
  const rows = []
  for (const { node, postgres } of pairs(isAll)) {
    const programs = { node: await fetchNode(home, node), postgres: await fetchPostgres(home, postgres) }
    const steps = await tryVersion(join(home, `try-${rows.length}`), programs)
    rows.push({ node: steps.start?.detail ?? node, postgres: steps.database?.detail ?? postgres, steps })
    process.stderr.write(`  ${isWell(rows.at(-1)) ? '✔' : '✖'} Node ${node} on PostgreSQL ${postgres}\n`)
  }
  return rows
}

function pairs(isAll) {
  const own = process.versions.node.split('.')[0]
  const each = NODE.flatMap((node) => POSTGRES.map((postgres) => ({ node, postgres })))
  return isAll ? each : each.filter(({ node, postgres }) => node === own || postgres === POSTGRES.at(-1))
}

const isWell = ({ steps }) => Object.values(steps).every(({ ok }) => ok)

function table(rows) {
  const names = ['start', 'payout', 'document', 'reconcile', 'plans', 'stop']
  const lines = rows.map(({ node, postgres, steps }) => {
    const marks = names.map((name) => (steps[name]?.ok ? '✔' : '✖').padEnd(name.length + 2))
    const why = Object.values(steps).find(({ ok }) => !ok)?.detail ?? ''
    return `${node.padEnd(12)}${postgres.padEnd(36)}${marks.join('')}${why}`.trimEnd()
  })
  return `${'Node'.padEnd(12)}${'PostgreSQL'.padEnd(36)}${names.map((name) => name.padEnd(name.length + 2)).join('')}\n${lines.join('\n')}\n`
}
