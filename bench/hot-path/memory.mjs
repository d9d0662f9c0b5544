// Whether the API's memory grows with the payouts that have gone through it: its size after each of many equal steps, and the
// line that fits them best. The heap of a program goes up and down by some megabytes as it is cleared, so a short run says
// little; `--memory-count 1000000` says it for certain, in a quarter of an hour.
import { residentBytes } from './machine.mjs'

const STEPS = 24
/** Code is compiled and caches fill before the size means anything. */
const FIRST_COUNTED = 6

export const memory = {
  house: 'simulated',
  isOnce: true,
  round: async (bench, opened) => {
    const perStep = Math.ceil(bench.memoryCount / STEPS)
    const seen = []
    let last
    for (let step = 1; step <= STEPS; step++) {
      last = await opened.create({ connections: 64, count: perStep })
      await opened.atRest()
      const megabytes = residentBytes(opened.apiPid) / 1_048_576
      bench.progress(`memory after ${step * perStep} payouts: ${megabytes.toFixed(1)} MB`)
      if (step >= FIRST_COUNTED) seen.push({ payouts: (step * perStep) / 1_000_000, megabytes })
    }
    return { rate: last.count / last.seconds, count: STEPS * perStep, p50: last.p50, p99: last.p99, grown: slope(seen) }
  },
}

/** Megabytes per million payouts, by least squares. */
function slope(seen) {
  const mean = (pick) => seen.reduce((sum, each) => sum + pick(each), 0) / seen.length
  const x = mean(({ payouts }) => payouts)
  const y = mean(({ megabytes }) => megabytes)
  const together = mean((each) => (each.payouts - x) * (each.megabytes - y))
  return together / mean((each) => (each.payouts - x) ** 2)
}
