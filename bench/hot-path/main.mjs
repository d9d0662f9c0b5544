// `npm run bench`: how fast the service is, as ratios to what else one could do on the same machine in the same run.
//
//   npm run bench -- [--row P1,P8] [--rounds 5] [--quick] [--json] [--profile FOLDER] [--fill-count 1000000]
//                    [--memory-count 60000]
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

import { SRC, loadKestrel } from '../lib/load-kestrel.mjs'
import { createBaseline, pgbenchPath, WITHOUT_PGBENCH } from './pgbench.mjs'
import { startPostgres } from './postgres.mjs'
import { printReport, standing } from './report.mjs'
import { ROWS } from './rows.mjs'
import { runRounds, summed } from './rounds.mjs'
import { SIDES, openHouses, sizesOf } from './sides.mjs'

const OPTIONS = {
  row: { type: 'string' },
  rounds: { type: 'string' },
  quick: { type: 'boolean', default: false },
  profile: { type: 'string' },
  json: { type: 'boolean', default: false },
  'fill-count': { type: 'string' },
  'memory-count': { type: 'string' },
}

export async function main(args) {
  const { values } = parseArgs({ args, options: OPTIONS })
  const ids = rowsAskedFor(values.row)
  const isQuick = values.quick
  const kestrel = await loadKestrel(
    'hot-path',
    `
        export { startEmbeddedPostgres } from '${SRC}/local/embedded/index.ts'
        export { composeDeps } from '${SRC}/compose.ts'
        export { createPartner } from '${SRC}/domain/partners/create-partner.ts'
        export { creditWallet } from '${SRC}/domain/wallet/credit-wallet.ts'
        export { openDatabase } from '${SRC}/storage/database.ts'
        export { findBreaks } from '${SRC}/storage/book-checks.ts'
        export { auditRollups } from '${SRC}/domain/rollups/audit-rollups.ts'
        export { londonMonth } from '${SRC}/core/london-month.ts'`,
  )
  const postgres = await startPostgres(kestrel)
  const bench = {
    kestrel,
    postgres,
    isQuick,
    nodeFlags: values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', String(values.profile)],
    rounds: values.rounds === undefined ? (isQuick ? 1 : 5) : Number(values.rounds),
    seconds: isQuick ? 3 : 4,
    // A size that fits any disk; ten million take 25 GB and the better part of an hour.
    fillCount: Number(values['fill-count'] ?? (isQuick ? 50_000 : 1_000_000)),
    memoryCount: Number(values['memory-count'] ?? (isQuick ? 2_400 : 60_000)),
    countFor: (house) => (isQuick ? 500 : house === 'bundled' ? 1_000 : 6_000),
    secrets: {
      sealKey: randomBytes(32),
      fingerprintKey: randomBytes(32),
      bankKey: randomBytes(24).toString('hex'),
      controlKey: randomBytes(24).toString('hex'),
    },
    progress: (text) => process.stderr.write(`  ${text}\n`),
    houses: {},
  }
  try {
    const report = await measure(bench, ids)
    if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else printReport(report)
  } finally {
    for (const house of Object.values(bench.houses)) await house.stop()
    await postgres.stop()
  }
}

function rowsAskedFor(text) {
  const ids = text === undefined ? Object.keys(ROWS) : text.split(',')
  const unknown = ids.filter((id) => !(id in ROWS))
  if (unknown.length > 0)
    throw new Error(`No such row: ${unknown.join(', ')}. There are ${Object.keys(ROWS).join(', ')}.`)
  return ids
}

async function measure(bench, ids) {
  const names = [...new Set(ids.flatMap((id) => ROWS[id].sides))]
  if (names.some((name) => SIDES[name].needsPgbench) && pgbenchPath === null) throw new Error(WITHOUT_PGBENCH)
  await createBaseline(bench.postgres)
  const houses = new Set(names.flatMap((name) => SIDES[name].house ?? []))
  await openHouses(bench, houses)
  const { kept, dropped } = await runRounds(bench, names)
  const proven = {}
  for (const [name, house] of Object.entries(bench.houses)) proven[name] = await house.prove()
  const sizes = {}
  for (const [name, house] of Object.entries(bench.houses)) {
    if (house.apiPid !== undefined) sizes[name] = await sizesOf(bench.postgres, name, house)
  }
  bench.progress(
    `the books are right: ${Object.entries(proven)
      .map(([name, count]) => `${count} payouts of ${name}`)
      .join(', ')}`,
  )
  const empty = names.filter((name) => kept[name].length === 0)
  if (empty.length > 0) bench.progress(`No quiet round of ${empty.join(', ')}: the figures are of busy ones.`)
  const sides = Object.fromEntries(
    names.map((name) => [name, summed(kept[name].length > 0 ? kept[name] : dropped[name])]),
  )
  const rows = ids.map((id) => {
    const { what, ratio, floor, goal, isLessBetter } = ROWS[id]
    const row = {
      id,
      what,
      floor,
      goal,
      isLessBetter,
      ratio: ratio(sides, 'median', sizes),
      best: ratio(sides, 'best', sizes),
    }
    return { ...row, standing: standing(row) }
  })
  const discarded = Object.values(dropped).reduce((sum, rounds) => sum + rounds.length, 0)
  return { rows, sides, sizes, proven, discarded, isQuick: bench.isQuick }
}
