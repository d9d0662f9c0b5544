// What is measured, each in rounds of its own. A side opens what it needs once, and answers each round with a rate per
// second or the middle of its latencies.
import { disk } from './disk.mjs'
import { FILLED, GROWTH_SIDES, openFilled } from './growth.mjs'
import { openHouse } from './house.mjs'
import { openOther } from './other-servers.mjs'
import { residentBytes } from './machine.mjs'
import { memory } from './memory.mjs'
import { runPgbench } from './pgbench.mjs'
import { help, idle, npmStart, runs } from './starting.mjs'

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

const HOUSES = {
  simulated: { bank: null, port: 26_300 },
  bundled: { bank: 'bundled', port: 26_310 },
  many: { bank: null, wallets: 1_000, port: 26_320 },
  fresh: { bank: null, port: 26_330 },
  instant: { bank: { delayMs: 0 }, port: 26_360 },
  distant: { bank: { delayMs: 50 }, port: 26_370 },
}
const OTHERS = { stubbed: { port: 26_340, isPlain: false }, plain: { port: 26_350, isPlain: true } }

const reads = (house, path, etag) => ({
  house,
  round: async (bench, opened) => {
    const load = await opened.get({ path, connections: 64, seconds: bench.seconds, etag })
    return { rate: load.rate ?? load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
  },
})

/** Asked by one who has the answer already, and says so by its ETag. */
const readsAgain = (house, path) => ({
  house,
  round: async (bench, opened) => {
    const etag = await opened.etagOf(path)
    return reads(house, path, etag).round(bench, opened)
  },
})

/** So many payouts are there, whatever was measured before. */
const withPayouts = (count, side) => ({
  ...side,
  round: async (bench, opened) => {
    if (!opened.hasPayouts) {
      await opened.create({ connections: 8, count })
      await opened.atRest()
      opened.hasPayouts = true
    }
    return side.round(bench, opened)
  },
})

/** The time that the disk takes, made a millisecond longer: PostgreSQL waits so long before it flushes. */
const withSlowDisk = (side) => ({
  ...side,
  round: async (bench, opened) => {
    await slowDisk(bench, 1_000)
    try {
      return await side.round(bench, opened)
    } finally {
      await slowDisk(bench, 0)
    }
  },
})

async function slowDisk({ postgres }, microseconds) {
  await postgres.query('postgres', `alter system set commit_delay = ${microseconds}`)
  await postgres.query('postgres', 'alter system set commit_siblings = 0')
  await postgres.query('postgres', 'select pg_reload_conf()')
}

/** Payouts of a database that nobody has analysed yet: the first ones, and those after them. */
function onNewDatabase(count) {
  return {
    house: 'fresh',
    isOnce: true,
    round: async (bench, opened) => {
      const load = await opened.create({ connections: 64, count: bench.isQuick ? count / 10 : count })
      await opened.atRest()
      return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
    },
  }
}

/** What a house takes on disk by its payouts, room that is used again included, and what its API has in memory after them. */
export async function sizesOf(postgres, name, house) {
  const [{ bytes, payouts }] = await postgres.query(
    name,
    `select (select sum(pg_total_relation_size(c.oid)) from pg_class c
              where c.relnamespace = 'public'::regnamespace and c.relkind = 'r')::float8 as bytes,
            (select count(*) from payouts)::int as payouts`,
  )
  return { bytesPerPayout: bytes / payouts, residentMb: residentBytes(house.apiPid) / 1_048_576 }
}

export const SIDES = {
  ...GROWTH_SIDES,
  classic: pgbench('classic.sql', 64),
  oneCall1: pgbench('one-call.sql', 1),
  oneCall8: pgbench('one-call.sql', 8),
  api: creates('simulated', 64),
  api8: creates('simulated', 8),
  api256: creates('simulated', 256),
  api2000: creates('simulated', 2_000),
  throughBundledBank: creates('bundled', 64),
  throughInstantBank: creates('instant', 64),
  instant512: creates('instant', 512),
  distant512: creates('distant', 512),
  wallets1000: creates('many', 64),
  disk,
  memory,
  node: runs('-e', '0'),
  help,
  npmStart,
  idle,
  lone: {
    house: 'simulated',
    round: async (bench, opened) => {
      const load = await opened.create({ connections: 1, count: bench.isQuick ? 200 : 1_000 })
      await opened.atRest()
      return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
    },
  },
  slowDisk: withSlowDisk(creates('simulated', 64)),
  balance: reads('simulated', '/v1/balance'),
  list: withPayouts(50, reads('simulated', '/v1/payouts?limit=50')),
  listAgain: withPayouts(50, readsAgain('simulated', '/v1/payouts?limit=50')),
  plainGet: reads('plain', '/v1/balance'),
  stubbed: {
    house: 'stubbed',
    round: (bench, opened) => opened.post({ connections: 64, seconds: bench.seconds }),
  },
  plainPost: {
    house: 'plain',
    round: (bench, opened) => opened.post({ connections: 64, seconds: bench.seconds }),
  },
  first2000: onNewDatabase(2_000),
  next20000: onNewDatabase(20_000),
  replays: {
    house: 'simulated',
    round: async (bench, opened) => {
      const load = await opened.replay({ connections: 64, seconds: bench.seconds })
      return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99 }
    },
  },
}

/** Opens what the sides need, into `bench.houses`. */
export async function openHouses(bench, names) {
  const { houses } = bench
  // The others are compared with it, and know its partners.
  const inOrder = [...new Set([...(names.has('stubbed') ? ['simulated'] : []), ...names])]
  for (const name of inOrder) {
    bench.progress(`starting ${name}`)
    if (name in OTHERS) {
      houses[name] = await openOther(bench, { ...OTHERS[name], keys: houses.simulated?.keys ?? ['none'] })
    } else if (name in FILLED) {
      houses[name] = await openFilled(bench, name)
    } else {
      houses[name] = await openHouse(bench, { name, ...HOUSES[name] })
      // Nothing is asked of a fresh database before it is measured.
      if (name !== 'fresh') houses[name].aloneMs = await aloneMs(houses[name])
    }
  }
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
