// Rounds in turns: all sides once, then again in the other order, so that a machine that warms up or slows down does so
// for all of them. While one side runs, the others rest.
import { cpus } from 'node:os'

import { SIDES } from './sides.mjs'
import { untilAllRest, withCpu } from './machine.mjs'

/** Above this share of the machine, somebody else's work is in the figures. */
export const MOST_FOREIGN = 0.1

export async function runRounds(bench, names) {
  const kept = Object.fromEntries(names.map((name) => [name, []]))
  const dropped = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < bench.rounds; round++) {
    const inTurn = round % 2 === 0 ? names : names.toReversed()
    for (const name of inTurn.filter((each) => round === 0 || !SIDES[each].isOnce)) {
      const measured = await oneRound(bench, name)
      const counts = measured.foreign === null || measured.foreign <= MOST_FOREIGN
      ;(counts ? kept : dropped)[name].push(measured)
      bench.progress(
        `round ${round + 1} of ${bench.rounds}, ${name}: ${line(measured)}${counts ? '' : ', not counted'}`,
      )
    }
  }
  return { kept, dropped }
}

async function oneRound(bench, name) {
  const side = SIDES[name]
  const house = side.house === undefined ? null : bench.houses[side.house]
  await bench.postgres.query('postgres', 'checkpoint')
  await untilAllRest([bench.postgres.pid])
  const groups = house === null ? { postgres: [bench.postgres.pid] } : house.pids
  const outside = [bench.postgres.pid]
  const { result, seconds, foreign } = await withCpu(groups, outside, cpus().length, () => side.round(bench, house))
  const cpu = Object.fromEntries(
    Object.entries(seconds).map(([part, spent]) => [part, (spent * 1_000_000) / result.count]),
  )
  // Some of ours are no descendants, and only the side knows of them.
  const others = foreign === null ? null : Math.max(0, foreign - (result.ownShare ?? 0))
  return { ...result, cpu, foreign: others }
}

function line({ rate, p50, p99, foreign }) {
  const others = foreign === null ? '' : `, others ${(foreign * 100).toFixed(0)}%`
  return `${rate.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms${others}`
}

/** The round in the middle and the best one, by rate. */
export function summed(rounds) {
  const sorted = rounds.toSorted((one, other) => one.rate - other.rate)
  const median = sorted[Math.floor(sorted.length / 2)]
  return { median, best: sorted.at(-1), cpu: median.cpu, foreign: median.foreign }
}
