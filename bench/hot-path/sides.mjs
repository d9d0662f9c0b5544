// What is measured, each in rounds of its own. A side opens what it needs once, and answers each round with a rate per
// second or the middle of its latencies.
import { openHouse } from './house.mjs'
import { runPgbench } from './pgbench.mjs'

const pgbench = (script, clients) => ({
  needsPgbench: true,
  open: () => ({ pids: (bench) => ({ postgres: [bench.postgres.pid] }) }),
  round: (bench) => runPgbench(bench.postgres, { script, clients, seconds: bench.seconds }),
})

/** Payouts that are created over so many connections and followed to their end. */
const creates = (house, connections) => ({
  house,
  round: async (bench, opened) => {
    const load = await opened.create({ connections, count: bench.countFor(house) })
    const rested = await opened.atRest()
    // What a single payout takes over this rail is the rail's own time.
    const seconds = Math.max(load.seconds, (rested.getTime() - load.startedAt - opened.aloneMs) / 1_000)
    return { rate: load.count / seconds, count: load.count, p50: load.p50, p99: load.p99 }
  },
})

export const HOUSES = {
  simulated: { bank: null, port: 26_300 },
  bundled: { bank: 'bundled', port: 26_310 },
  many: { bank: null, wallets: 1_000, port: 26_320 },
}

export const SIDES = {
  classic: pgbench('classic.sql', 64),
  oneCall1: pgbench('one-call.sql', 1),
  oneCall8: pgbench('one-call.sql', 8),
  api: creates('simulated', 64),
  api8: creates('simulated', 8),
  api256: creates('simulated', 256),
  api2000: creates('simulated', 2_000),
  throughBundledBank: creates('bundled', 64),
  wallets1000: creates('many', 64),
  lone: {
    house: 'simulated',
    round: async (bench, opened) => {
      const load = await opened.create({ connections: 1, count: bench.isQuick ? 200 : 1_000 })
      await opened.atRest()
      return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
    },
  },
  replays: {
    house: 'simulated',
    round: async (bench, opened) => {
      const load = await opened.replay({ connections: 64, seconds: bench.seconds })
      return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
    },
  },
}

export async function openHouses(bench, names) {
  const houses = {}
  for (const name of names) {
    bench.progress(`starting ${name}`)
    houses[name] = await openHouse(bench, { name, ...HOUSES[name] })
    houses[name].aloneMs = await aloneMs(houses[name])
  }
  return houses
}

/** The shortest of three single payouts, from the request to the end. */
async function aloneMs(house) {
  const took = []
  for (let nth = 0; nth < 3; nth++) {
    const { startedAt } = await house.create({ connections: 1, count: 1 })
    took.push((await house.atRest()).getTime() - startedAt)
  }
  return Math.min(...took)
}
