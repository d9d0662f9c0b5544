// `npm run bench`: how fast the service is, as ratios to what else one could do on the same machine in the same run.
import { randomBytes } from 'node:crypto'

import { SRC, loadKestrel } from '../lib/load-kestrel.mjs'
import { untilEndedEarly } from './ending.mjs'
import { createBaseline, pgbenchPath, WITHOUT_PGBENCH } from './pgbench.mjs'
import { startPostgres } from './postgres.mjs'
import { printReport, standing } from './report.mjs'
import { ROWS } from './rows.mjs'
import { runRounds, summed } from './rounds.mjs'
import { SIDES, openHouses, sizesOf } from './sides.mjs'

/** `asked`: as `readOptions` says it. */
export async function main(asked) {
  const { ids, isQuick, isJson, profile, rounds, fillCount, memoryCount } = asked
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
  const endedEarly = untilEndedEarly()
  const postgres = await startPostgres(kestrel)
  const bench = {
    kestrel,
    postgres,
    isQuick,
    nodeFlags: profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profile],
    rounds,
    seconds: isQuick ? 3 : 4,
    fillCount,
    memoryCount,
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
    const report = await Promise.race([measure(bench, ids), endedEarly])
    if (isJson) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else printReport(report)
  } finally {
    for (const house of Object.values(bench.houses)) await house.stop()
    await postgres.stop()
  }
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
