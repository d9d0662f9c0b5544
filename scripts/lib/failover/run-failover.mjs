import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureBuilt } from '../build.mjs'
import { ExpectedFailure, reportingFailures } from '../expected-failure.mjs'
import { ensureInstalled } from '../install.mjs'

const OPTIONS = {
  times: { type: 'string', default: '4' },
  seed: { type: 'string', default: '' },
  clients: { type: 'string', default: '8' },
  only: { type: 'string', default: '' },
  asynchronous: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
}
const BETWEEN_MS = 300
const FIRST_MS = 3_000

/**
 * `npm run failover -- --times 20 --seed 7`: what the primary’s end costs, and what is lost by it. With `--asynchronous
 * --only split` it has to find that something is: a proof that could not fail would be none.
 */
export async function runFailover() {
  await reportingFailures(async () => {
    const { values } = parseArgs({ options: OPTIONS })
    await ensureInstalled('full', process.stderr)
    await ensureBuilt(process.stderr)
    const wanted = {
      kinds: await kindsOf(values.only),
      times: wholeNumber('times', values.times),
      clients: wholeNumber('clients', values.clients),
      seed: values.seed === '' ? randomInt(2 ** 31) : wholeNumber('seed', values.seed),
    }
    const { upCluster, downCluster } = await import('../cluster/cluster.mjs')
    const cluster = await upCluster(process.stderr, { isSynchronous: !values.asynchronous })
    const leave = async () => {
      await downCluster(cluster.folder)
      process.exit(130)
    }
    process.once('SIGINT', () => void leave()).once('SIGTERM', () => void leave())
    try {
      process.exitCode = await failOver(cluster, wanted, values.json)
    } finally {
      await downCluster(cluster.folder)
    }
  })
}

async function failOver(cluster, { kinds, times, seed, clients }, json) {
  const { startService } = await import('./service.mjs')
  const { startLoad } = await import('./load.mjs')
  const { carryOut } = await import('./faults.mjs')
  const { checkAll, violationsOf } = await import('./checks.mjs')
  const { faultLine, report } = await import('./report.mjs')
  const draw = dice(seed)
  process.stderr.write(`  seed ${seed}; everything is in ${cluster.folder}\n`)
  const service = await startService(cluster)
  const { apis: urls, key } = service
  // Dice of their own: how busy the clients are must not decide what is done to the primary.
  const load = startLoad({ urls, key, clients, betweenMs: BETWEEN_MS, draw: dice(seed + 1), name: `failover-${seed}` })
  const faults = []
  for (const kind of inTurn(kinds, times, draw)) {
    await pause(FIRST_MS + draw(FIRST_MS))
    faults.push(await carryOut(kind, cluster, load, 1_000 + draw(4_000)))
    process.stderr.write(`${faultLine(faults.length, times, faults.at(-1))}\n`)
  }
  const ended = await load.finish()
  const found = await checkAll(cluster, service, ended)
  const violations = violationsOf(found)
  const { versions } = cluster.parts
  const result = { at: new Date().toISOString(), seed, versions, faults, answers: ended.answers, found, violations }
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : report(result))
  return violations.length === 0 ? 0 : 1
}

/** Every kind before any comes again, in an order that the seed decides. */
function inTurn(kinds, times, draw) {
  const order = []
  while (order.length < times) {
    const left = [...kinds]
    while (left.length > 0) order.push(...left.splice(draw(left.length), 1))
  }
  return order.slice(0, times)
}

async function kindsOf(only) {
  const { KINDS } = await import('./faults.mjs')
  if (only === '') return KINDS
  if (KINDS.includes(only)) return [only]
  throw new ExpectedFailure(`--only must be one of ${KINDS.join(', ')}; it is "${only}".`)
}

function dice(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function wholeNumber(name, text) {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number.parseInt(text, 10)
  throw new ExpectedFailure(`--${name} must be a whole number from 1; it is "${text}".`)
}
