// How long a year of invoices takes, and their audit, at 20,000 and at 200,000 payouts of 24 partners: some begin in the
// middle of it, some get other prices, some payouts come back, some invoices are paid and one is void. The year is made
// straight in SQL, as the service would have left it, in a PostgreSQL of its own; then the service's own code runs.
//
//   node bench/billing.mjs [payouts …]
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SRC, loadKestrel, print, timed } from './lib/load-kestrel.mjs'

const ROOT = join(import.meta.dirname, '..')
const PARTNERS = 24
const sizes = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const SIZES = sizes.length > 0 ? sizes : [20_000, 200_000]

const kestrel = await loadKestrel(
  'billing',
  `
        export { startEmbeddedPostgres } from '${SRC}/local/embedded/index.ts'
        export { migrate } from '${SRC}/storage/migrate.ts'
        export { openDatabase } from '${SRC}/storage/database.ts'
        export { readUsage } from '${SRC}/storage/usage.ts'
        export { issueDueInvoices } from '${SRC}/domain/billing/issue-invoices.ts'
        export { markInvoicePaid, markInvoiceVoid } from '${SRC}/domain/billing/settle-invoice.ts'
        export { liveYear } from '${SRC}/../test/support/live-year.ts'
        export { auditInvoices } from '${SRC}/domain/billing/audit-invoices.ts'
        export { default as pg } from 'pg'
        export { formatPence } from '${SRC}/core/money.ts'`,
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
  const results = []
  for (const payouts of SIZES) results.push(await measure(payouts))
  for (const { payouts, ...figures } of results) report(payouts, figures)
  const [first, last] = [results[0], results.at(-1)]
  if (first !== last) {
    const ratio = (name) => (last[name] / first[name]).toFixed(1)
    print(
      `${last.payouts / first.payouts} times the payouts: invoice run × ${ratio('run')}, audit × ${ratio('audit')}, usage × ${ratio('usage')}`,
    )
  }
} finally {
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}

function report(payouts, { made, run, audit, usage, invoices, total }) {
  const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`
  print(
    `${payouts} payouts: made in ${seconds(made)}; ${invoices} invoices cut in ${seconds(run)}, ${total} GBP; audit ${seconds(audit)}; usage of a month ${usage.toFixed(1)} ms`,
  )
}

async function measure(payouts) {
  const url = await anEmptyDatabase(`bench_${payouts}`)
  await kestrel.migrate({ url, folder: join(ROOT, 'packages/server/migrations') })
  const made = await timed(() => makeYear(url, payouts))
  const clock = { now: () => new Date('2027-01-02T12:00:00Z') }
  const db = kestrel.openDatabase({ url, applicationName: 'bench', largestPool: 4, onConnectionError: () => {} })
  try {
    const deps = { db, reports: db, clock }
    let invoices = []
    const run = await timed(async () => (invoices = await kestrel.issueDueInvoices(deps)))
    const [toVoid, ...others] = invoices.map(({ number }) => number)
    await kestrel.markInvoiceVoid({ ...deps, post: { wake: () => undefined } }, toVoid, 'for the bench')
    for (const number of others.slice(0, 100)) await kestrel.markInvoicePaid(deps, number, clock.now())
    let result = null
    const audit = await timed(async () => (result = await kestrel.auditInvoices(deps)))
    if (result.breaks.length > 0) throw new Error(`The audit found: ${JSON.stringify(result.breaks.slice(0, 5))}`)
    if (result.payouts !== payouts) throw new Error(`${result.payouts} payouts are on invoices, of ${payouts}`)
    const [{ id }] = await db.query({ name: '', text: 'select id from partners order by id limit 1' })
    const usage = await timed(() => kestrel.readUsage(db, { partnerId: id, environment: 'live' }, '2026-12'))
    return { payouts, made, run, audit, usage, invoices: invoices.length, total: kestrel.formatPence(result.total) }
  } finally {
    await db.close()
  }
}

async function anEmptyDatabase(name) {
  const admin = new kestrel.pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
}

async function makeYear(url, payouts) {
  const client = new kestrel.pg.Client({ connectionString: url })
  await client.connect()
  const year = { partners: PARTNERS, payouts, from: '2026-01-01T09:00:00Z', days: 364 }
  try {
    for (const statement of kestrel.liveYear(year)) await client.query(statement)
  } finally {
    await client.end()
  }
}
