// What row-level security would cost as the second belt against a forgotten partner: the service's own code pays, and
// makes the look-ups of a request, as a role that the policies bind and as one that they do not, in turns on one
// database. Bound, every transaction first says whose it is; a look-up needs a transaction of its own for that, sent
// along in the same round trip where the connection is a pipeline. Prints the ratios.
//
//   node bench/row-security.mjs [payouts before] [payouts per turn] [look-ups per turn]
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SRC, loadKestrel, print, timed } from './lib/load-kestrel.mjs'

const ROOT = join(import.meta.dirname, '..')
const [BEFORE = 10_000, PAYOUTS = 600, LOOKUPS = 8_000] = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const AT_ONCE = 64
const TURNS = 12
const PARTNERS = 8
const PASSWORD = 'only-for-the-bench'
const SAY_WHOSE = { name: 'say_whose', text: `select set_config('kestrel.partner', $1, true)` }
const BEGIN = { name: '', text: 'begin' }
const COMMIT = { name: '', text: 'commit' }
let made = 0

const kestrel = await loadKestrel(
  'row-security',
  `
        export { startEmbeddedPostgres } from '${SRC}/local/embedded/index.ts'
        export { migrate } from '${SRC}/storage/migrate.ts'
        export { composeDeps } from '${SRC}/compose.ts'
        export { createPartner } from '${SRC}/domain/partners/create-partner.ts'
        export { creditWallet } from '${SRC}/domain/wallet/credit-wallet.ts'
        export { createPayoutLanes } from '${SRC}/domain/payouts/create/payout-lanes.ts'
        export { createPayout } from '${SRC}/domain/payouts/create/create-payout.ts'
        export { findWallet } from '${SRC}/storage/wallets.ts'
        export { readAvailable } from '${SRC}/storage/ledger.ts'
        export { findPayoutByKey } from '${SRC}/storage/payouts.ts'
        export { DEFAULT_PLAN as plan } from '${SRC}/core/plan.ts'
        export const limits = { enabledCountries: ['GB'], smallestPayout: 100n, largestPayout: 2_000_000n }
        export { default as pg } from 'pg'`,
)
const home = await mkdtemp(join(tmpdir(), 'kestrel-bench-'))
await chmod(home, 0o755)
const postgres = await kestrel.startEmbeddedPostgres({
  dataDir: home,
  password: PASSWORD,
  database: 'bench',
  preferredPort: 26_499,
})
try {
  await measure()
} finally {
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}

async function measure() {
  await prepare()
  const secrets = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32), metricsToken: null }
  const log = { warn: () => {}, error: () => {} }
  const compose = (role) =>
    kestrel.composeDeps({ databaseUrl: urlOf(role), secrets, clock: { now: () => new Date() }, log })
  const [free, bound] = [compose('free'), compose('bound')]
  const scopes = []
  for (let nth = 0; nth < PARTNERS; nth++) {
    const wanted = { name: `Bench ${nth}`, slug: `bench-${nth}`, adminEmail: `a@bench-${nth}.test` }
    const { partner } = await kestrel.createPartner(free, wanted)
    const scope = { partnerId: partner.id, environment: 'sandbox' }
    await kestrel.creditWallet(free, scope, { amount: 1_000_000_000_000_000n, reason: 'bench' })
    scopes.push(scope)
  }
  const sides = {
    without: scopes.map((scope) => house(free, scope, (db) => db)),
    with: scopes.map((scope) => house(bound, scope, (db) => belted(db, scope.partnerId))),
  }
  await pay(sides.without, BEFORE)
  await asOwner(['analyze'])
  await proveTheBelt(sides.with[0], bound, scopes[1])
  for (const [what, unit, work, count] of [
    ['creating payouts', 'payouts', pay, PAYOUTS],
    ['pipelined look-ups', 'look-ups', lookUp, LOOKUPS],
    ['look-ups through the pool', 'look-ups', (houses, n) => lookUp(houses, n, ({ deps }) => deps.db), LOOKUPS / 4],
  ]) {
    // One turn of each that does not count: plans are made, pages are read.
    for (const side of ['without', 'with']) await work(sides[side], count / 4)
    const spent = { without: 0, with: 0 }
    const ratios = []
    for (let turn = 0; turn < TURNS; turn++) {
      const sidesInTurn = turn % 2 === 0 ? ['without', 'with'] : ['with', 'without']
      const took = {}
      for (const side of sidesInTurn) spent[side] += took[side] = await timed(() => work(sides[side], count))
      ratios.push(took.with / took.without)
    }
    const perSecond = (ms) => Math.round((TURNS * count * 1_000) / ms)
    ratios.sort((one, other) => one - other)
    const ratio = (nth) => ratios[nth].toFixed(2)
    print(
      `${String(what)}: ${perSecond(spent.without)} ${String(unit)}/s without, ${perSecond(spent.with)} with; it takes ${ratio(TURNS / 2)} times as long (median of ${TURNS} turns, the middle half ${ratio(TURNS / 4)} to ${ratio((TURNS * 3) / 4)})`,
    )
  }
  await Promise.all([free.db.close(), bound.db.close()])
}

/** All tables with a partner have a policy; one role is bound by them and the other is not. */
async function prepare() {
  await asOwner(['free bypassrls', 'bound'].map((role) => `create role ${role} login password '${PASSWORD}'`))
  await asOwner(['grant connect on database bench to free, bound'])
  const folder = join(ROOT, 'packages/server/migrations')
  for (const role of ['free', 'bound']) await kestrel.migrate({ url: postgres.url, serviceUrl: urlOf(role), folder })
  await asOwner([
    `do $$ declare owned record; begin
       for owned in
         select c.relname as name, a.attname as key from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and (a.attname = 'partner_id' or (c.relname = 'partners' and a.attname = 'id'))
       loop
         execute format('alter table %I enable row level security', owned.name);
         execute format('create policy own_rows on %I using (%I = nullif(current_setting(''kestrel.partner'', true), '''')::uuid)',
                        owned.name, owned.key);
       end loop;
     end $$`,
  ])
}

/** The service of one partner, over a database that says whose each transaction is, or does not. */
function house(base, scope, wrap) {
  const deps = { ...base, db: wrap(base.db) }
  const { limits, plan } = kestrel
  const terms = { ...scope, rail: 'simulated', account: null, plan, limits }
  return { scope, terms, deps: { ...deps, lanes: kestrel.createPayoutLanes(deps) } }
}

function belted(db, partnerId) {
  const inTransaction = (work) =>
    db.inTransaction((tx) => {
      tx.defer(SAY_WHOSE, [partnerId])
      return work(tx)
    })
  const lookup = {
    query: async (sql, values) => {
      // Sent one behind the other, so that nobody else's statement comes in between.
      const sent = [
        db.lookup.query(BEGIN),
        db.lookup.query(SAY_WHOSE, [partnerId]),
        db.lookup.query(sql, values),
        db.lookup.query(COMMIT),
      ]
      return (await Promise.all(sent))[2]
    },
  }
  const query = (sql, values) => inTransaction((tx) => tx.query(sql, values))
  return { ...db, lookup, query, inTransaction, close: () => db.close() }
}

/** It would be no measure of a belt that does not hold. */
async function proveTheBelt({ deps }, bound, other) {
  const all = { name: '', text: 'select count(distinct partner_id)::int as partners from payouts' }
  const seen = [await deps.db.query(all), await deps.db.lookup.query(all), await bound.db.query(all)]
  const counts = seen.map(([row]) => row.partners)
  if (counts.join() !== '1,1,0') throw new Error(`The policies do not hold: ${counts.join()}`)
  if ((await kestrel.findWallet(deps.db.lookup, other)) !== null) throw new Error('Another’s wallet can be seen.')
}

async function pay(houses, count) {
  const last = made + count
  const worker = async () => {
    while (made < last) {
      const number = made++
      const { deps, terms } = houses[number % houses.length]
      await kestrel.createPayout(deps, { ...order(number), terms })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** What a request looks up by the way: the wallet, what it can spend, and whether a key was used. */
async function lookUp(houses, count, through = ({ deps }) => deps.db.lookup) {
  let asked = 0
  const worker = async () => {
    while (asked < count) {
      const number = asked++
      const own = houses[number % houses.length]
      const db = through(own)
      if (number % 3 === 0) await kestrel.findWallet(db, own.scope)
      else if (number % 3 === 1) await kestrel.readAvailable(db, own.scope)
      else await kestrel.findPayoutByKey(db, own.scope, `bench-payout-${(number * 7_919) % BEFORE}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function order(number) {
  const who = (number * 7_919) % 5_000
  const account = String(10_000_001 + who * 11).padStart(8, '0')
  return {
    idempotencyKey: `bench-payout-${number}`,
    createdVia: 'api',
    createdBy: 'bench',
    mostToSend: null,
    body: {
      amount_gbp: `${1 + (number % 400)}.${String(number % 100).padStart(2, '0')}`,
      recipient: {
        first_name: `Amara${who}`,
        last_name: 'Okafor',
        address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
        bank: {
          bank_name: 'Monzo',
          sort_code: '040004',
          account_number: account.endsWith('0000') ? '12345678' : account,
        },
      },
    },
  }
}

function urlOf(role) {
  return Object.assign(new URL(postgres.url), { username: role, password: PASSWORD }).href
}

async function asOwner(statements) {
  const client = new kestrel.pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
