// How soon a receiver is sent what has happened: from the moment that an event carries, which lies before its commit, to the
// arrival of its first attempt, on one machine and by one clock. Each round pays as fast as the API takes it, first with a good
// receiver alone, then with one beside it that never answers. Prints both, and their ratio; and what a delivery costs in CPU,
// which a machine with other work to do changes less than its seconds. A round of less than ten seconds is over before a queue
// that grows can be seen.
//
//   node bench/webhooks.mjs [payouts per round] [connections] [rounds] [folder for the processes' CPU profiles]
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { ensureBuilt } from '../scripts/lib/build.mjs'
import { openHouse } from './hot-path/house.mjs'
import { canSeeCpu, secondsOf } from './hot-path/machine.mjs'
import { startPostgres } from './hot-path/postgres.mjs'
import { SRC, loadKestrel, print } from './lib/load-kestrel.mjs'

const [PAYOUTS = 4_000, CONNECTIONS = 16, ROUNDS = 3] = process.argv
  .slice(2, 5)
  .map((text) => Number.parseInt(text, 10))
const PROFILES = process.argv[5]
const PORT = 27_600
const EVENTS_PER_PAYOUT = 3

await ensureBuilt(process.stderr)
const kestrel = await loadKestrel(
  'webhooks',
  `
        export { startEmbeddedPostgres } from '${SRC}/local/embedded/index.ts'
        export { composeDeps } from '${SRC}/compose.ts'
        export { createPartner } from '${SRC}/domain/partners/create-partner.ts'
        export { creditWallet } from '${SRC}/domain/wallet/credit-wallet.ts'
        export { openDatabase } from '${SRC}/storage/database.ts'
        export { findBreaks } from '${SRC}/storage/book-checks.ts'
        export { auditRollups } from '${SRC}/domain/rollups/audit-rollups.ts'`,
)
// Receivers are on this machine.
process.env['SANDBOX_RECEIVERS'] = 'this-machine'
const postgres = await startPostgres(kestrel)
const secrets = {
  sealKey: randomBytes(32),
  fingerprintKey: randomBytes(32),
  bankKey: randomBytes(24).toString('hex'),
  controlKey: randomBytes(24).toString('hex'),
}
const nodeFlags = PROFILES === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', PROFILES]
const bench = { kestrel, postgres, secrets, nodeFlags, progress: (text) => process.stderr.write(`  ${text}\n`) }
const house = await openHouse(bench, { name: 'webhooks', port: PORT })
const delays = []
const good = await listen((event, arrivedAt, response) => {
  delays.push(arrivedAt - Date.parse(event.occurred_at))
  response.writeHead(204).end()
})
const dead = await listen(() => {})
try {
  await ask('POST', '/v1/webhook-endpoints', { url: good.url, events: ['*'] })
  const alone = []
  const beside = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await aRound(`round ${round + 1}, alone`))
    const { id } = await ask('POST', '/v1/webhook-endpoints', { url: dead.url, events: ['*'] })
    beside.push(await aRound(`round ${round + 1}, beside one that never answers`))
    await ask('DELETE', `/v1/webhook-endpoints/${id}`)
  }
  const figures = { alone: median(alone), 'beside a dead one': median(beside) }
  for (const [side, figure] of Object.entries(figures)) print(`${side}: ${JSON.stringify(figure)}`)
  process.stdout.write(
    `p95 beside a dead one ÷ alone: ${(figures['beside a dead one'].p95 / figures.alone.p95).toFixed(2)}\n`,
  )
  process.stdout.write(`The books are right: ${await house.prove()} payouts.\n`)
} finally {
  await house.stop()
  await postgres.stop()
  for (const each of [good, dead]) each.close()
}

async function aRound(name) {
  delays.length = 0
  const started = performance.now()
  const before = cpuSeconds()
  const load = await house.create({ connections: CONNECTIONS, count: PAYOUTS })
  while (delays.length < PAYOUTS * EVENTS_PER_PAYOUT) {
    if (performance.now() - started > 300_000) throw new Error(`Only ${delays.length} events came within five minutes.`)
    await sleep(50)
  }
  const sorted = delays.toSorted((one, other) => one - other)
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
  const seconds = (performance.now() - started) / 1_000
  const figure = {
    payoutsPerSecond: Math.round(load.count / load.seconds),
    eventsPerSecond: Math.round(sorted.length / seconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    ...perDelivery(before, cpuSeconds(), sorted.length),
  }
  bench.progress(`${name}: ${JSON.stringify(figure)}`)
  return figure
}

/** Of the worker, and of PostgreSQL for all that is done for a payout and its deliveries. */
function cpuSeconds() {
  if (!canSeeCpu) return null
  return { worker: secondsOf(house.workerPid), postgres: secondsOf(postgres.pid) }
}

function perDelivery(before, after, deliveries) {
  if (before === null) return {}
  const micros = (part) => Math.round(((after[part] - before[part]) * 1_000_000) / deliveries)
  return { workerMicrosPerDelivery: micros('worker'), postgresMicrosPerDelivery: micros('postgres') }
}

function median(figures) {
  const middle = (name) =>
    figures.map((figure) => figure[name]).toSorted((one, other) => one - other)[figures.length >> 1]
  return Object.fromEntries(Object.keys(figures[0]).map((name) => [name, middle(name)]))
}

async function ask(method, path, body) {
  const reply = await fetch(`${house.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${house.keys[0]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.status === 204 ? null : reply.json()
}

async function listen(hear) {
  const server = createServer((request, response) => {
    const arrivedAt = Date.now()
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => hear(JSON.parse(Buffer.concat(chunks).toString()), arrivedAt, response))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://localhost:${server.address().port}/`, close }
}
