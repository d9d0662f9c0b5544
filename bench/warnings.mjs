// What the warnings cost: payouts from one wallet, 64 at a time over the simulated rail, with the history of recipients
// read and kept and without, in turns on one database that has paid before. Prints the ratio.
//
//   node bench/warnings.mjs [payouts before] [payouts per turn]
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SRC, loadKestrel, print, timed } from './lib/load-kestrel.mjs'

const ROOT = join(import.meta.dirname, '..')
const [BEFORE = 50_000, A_TURN = 4_000] = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const AT_ONCE = 64
const TURNS = 4
const RECIPIENTS = 5_000
let made = 0

const kestrel = await loadKestrel(
  'warnings',
  `
        export { startEmbeddedPostgres } from '${SRC}/local/embedded/index.ts'
        export { migrate } from '${SRC}/storage/migrate.ts'
        export { composeDeps } from '${SRC}/compose.ts'
        export { createPartner } from '${SRC}/domain/partners/create-partner.ts'
        export { creditWallet } from '${SRC}/domain/wallet/credit-wallet.ts'
        export { createPayoutLanes } from '${SRC}/domain/payouts/create/payout-lanes.ts'
        export { createPayout } from '${SRC}/domain/payouts/create/create-payout.ts'
        export { DEFAULT_PLAN as plan } from '${SRC}/core/plan.ts'
        export const limits = { enabledCountries: ['GB'], smallestPayout: 100n, largestPayout: 2_000_000n }
        export { default as pg } from 'pg'`,
)
const home = await mkdtemp(join(tmpdir(), 'kestrel-bench-'))
await chmod(home, 0o755)
const postgres = await kestrel.startEmbeddedPostgres({
  dataDir: home,
  password: 'only-for-the-bench',
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
  await kestrel.migrate({ url: postgres.url, folder: join(ROOT, 'packages/server/migrations') })
  const secrets = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32), metricsToken: null }
  const log = { warn: () => {}, error: () => {} }
  const base = kestrel.composeDeps({ databaseUrl: postgres.url, secrets, clock: { now: () => new Date() }, log })
  const { partner } = await kestrel.createPartner(base, { name: 'Bench', slug: 'bench', adminEmail: 'a@bench.test' })
  const scope = { partnerId: partner.id, environment: 'sandbox' }
  await kestrel.creditWallet(base, scope, { amount: 1_000_000_000_000_000n, reason: 'bench' })
  const withWarnings = { ...base, lanes: kestrel.createPayoutLanes(base) }
  const blind = { ...base, db: withoutHistory(base.db) }
  const without = { ...blind, lanes: kestrel.createPayoutLanes(blind) }
  const { limits, plan } = kestrel
  const terms = { ...scope, rail: 'simulated', account: null, plan, limits }
  await pay(withWarnings, terms, BEFORE)
  const client = new kestrel.pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('analyze')
  await client.end()
  const spent = { with: 0, without: 0 }
  for (let turn = 0; turn < TURNS; turn++) {
    spent.with += await timed(() => pay(withWarnings, terms, A_TURN))
    spent.without += await timed(() => pay(without, terms, A_TURN))
  }
  const perSecond = (ms) => Math.round((TURNS * A_TURN * 1_000) / ms)
  print(
    `${BEFORE} payouts before, ${TURNS} turns of ${A_TURN}: ${perSecond(spent.with)} payouts/s with warnings, ${perSecond(spent.without)} without; ratio ${(spent.without / spent.with).toFixed(2)}`,
  )
  await base.db.close()
}

/** The same service, except that it neither reads nor keeps whom it paid. */
function withoutHistory(db) {
  const LEFT_OUT = new Set(['keep_payout_recipients', 'warn_of_payouts'])
  const nothing = { isAccountPaid: true, isPairPaid: true, amountId: null, personId: null }
  return {
    ...db,
    lookup: db.lookup,
    query: (...args) => db.query(...args),
    inTransaction: (work) =>
      db.inTransaction((tx) =>
        work({
          query: (sql, values) =>
            sql.name === 'recipient_history' ? Promise.resolve(values[3].map(() => nothing)) : tx.query(sql, values),
          defer: (sql, values) => (LEFT_OUT.has(sql.name) ? undefined : tx.defer(sql, values)),
        }),
      ),
  }
}

async function pay(deps, terms, count) {
  const last = made + count
  const worker = async () => {
    while (made < last) await kestrel.createPayout(deps, { ...order(made++), terms })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Most people are paid again and again, each time something else. */
function order(number) {
  const who = (number * 7_919) % RECIPIENTS
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
