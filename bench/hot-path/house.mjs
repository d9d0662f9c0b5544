// One Kestrel under load: its database, its partners with full wallets, its processes, and what it was asked for so far.
import { applyLoad } from './load.mjs'
import { checkBooks, untilAtRest } from './books.mjs'
import { startService } from './service.mjs'

// Ten million payouts of the fill take a quarter of it.
const PLENTY = 5_000_000_000_000_000n

export async function openHouse(bench, { name, bank = null, wallets = 1, port }) {
  const { kestrel, postgres, secrets, nodeFlags } = bench
  await postgres.createDatabase(name)
  const service = await startService(postgres, { name, secrets, bank, port, nodeFlags })
  try {
    const keys = await openWallets(kestrel, postgres, { name, wallets, secrets })
    await connected(postgres, name, bank)
    return furnish(bench, { name, service, keys, transfers: transfersOf(postgres, { name, bank, service }) })
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** How many transfers the bank made, and of how many payouts; null where there is no bank. */
function transfersOf(postgres, { name, bank, service }) {
  if (bank === null || service.countTransfers !== null) return service.countTransfers
  const sql = `select count(*)::int as transfers, count(distinct client_reference_id)::int as payouts from transfers
                where client_reference_id is not null`
  return async () => (await postgres.query(`${name}_bank`, sql))[0]
}

function furnish({ kestrel, postgres }, { name, service, keys, transfers }) {
  let created = 0
  let series = 0
  const used = []
  return {
    name,
    url: service.url,
    apiPid: service.apiPid,
    workerPid: service.workerPid,
    pids: { node: service.pids.node, bank: service.pids.bank, postgres: [postgres.pid] },
    keys,
    /** How long one payout takes when it is alone: what a rail needs, and no measure of ours. */
    aloneMs: 0,
    async create({ connections, count, seconds, keys: own = keys }) {
      const from = `${name}-${series++}`
      const load = await applyLoad({ url: service.url, kind: 'create', connections, count, seconds, keys: own, from })
      const others = Object.keys(load.statuses).filter((status) => status !== '201')
      if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(load.statuses)} instead of 201.`)
      created += load.count
      used.push({ from, count: load.count })
      return load
    },
    async replay({ connections, seconds }) {
      const { from, count } = used.at(-1)
      const plan = {
        url: service.url,
        kind: 'replay',
        connections,
        seconds,
        keys: keys.slice(0, 1),
        from,
        repeat: count,
      }
      return expectOnly('200', await applyLoad(plan))
    },
    get: async ({ path, connections, seconds, etag }) => {
      const plan = { url: service.url, kind: 'get', path, connections, seconds, keys: keys.slice(0, 1), etag }
      return expectOnly(etag === undefined ? '200' : '304', await applyLoad(plan))
    },
    etagOf: async (path) => {
      const answer = await fetch(new URL(path, service.url), { headers: { authorization: `Bearer ${keys[0]}` } })
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
      return answer.headers.get('etag')
    },
    atRest: () => untilAtRest(postgres, name),
    prove: async () => {
      await untilAtRest(postgres, name)
      await checkBooks(kestrel, postgres, { database: name, created, transfers })
      return created
    },
    stop: service.stop,
  }
}

function expectOnly(status, load) {
  const others = Object.keys(load.statuses).filter((each) => each !== status)
  if (others.length > 0) throw new Error(`Answered ${JSON.stringify(load.statuses)} instead of ${status}.`)
  return load
}

async function openWallets(kestrel, postgres, { name, wallets, secrets }) {
  const log = { warn: () => {}, error: () => {} }
  const deps = kestrel.composeDeps({
    databaseUrl: postgres.urlOf(name),
    secrets: { ...secrets, metricsToken: null },
    clock: { now: () => new Date() },
    log,
  })
  const keys = []
  for (let nth = 0; nth < wallets; nth++) {
    const wanted = { name: `Bench ${nth}`, slug: `bench-${nth}`, adminEmail: `a@bench-${nth}.test` }
    const { partner, sandboxKey } = await kestrel.createPartner(deps, wanted)
    const scope = { partnerId: partner.id, environment: 'sandbox' }
    await kestrel.creditWallet(deps, scope, { amount: PLENTY, reason: 'bench' })
    keys.push(sandboxKey.secret)
  }
  await deps.db.close()
  return keys
}

async function connected(postgres, name, bank) {
  if (bank === null) return
  const deadline = performance.now() + 60_000
  for (;;) {
    const [{ waiting, trouble }] = await postgres.query(
      name,
      `select count(*)::int as waiting, max(connect_trouble) as trouble from wallets
        where environment = 'sandbox' and wallet_ref is null`,
    )
    if (waiting === 0) return
    if (performance.now() > deadline)
      throw new Error(
        `${waiting} wallets of ${name} were not connected to the bank: ${trouble ?? 'no trouble is known'}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
