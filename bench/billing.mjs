// How long a year of invoices takes, and their audit, at 20,000 and at 200,000 payouts of 24 partners. The year is made
// straight in SQL, as the service would have left it, in a PostgreSQL of its own; then the service's own code runs.
//
//   node bench/billing.mjs [payouts …]
import { mkdir, mkdtemp, rm, writeFile, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const PARTNERS = 24
const sizes = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const SIZES = sizes.length > 0 ? sizes : [20_000, 200_000]

/** Partners in live since the new year, their payouts spread over it, each completed a minute after it was made. */
const YEAR = [
  `insert into partners (id, slug, name, verification_status, verified_at, created_at)
   select gen_random_uuid(), 'partner-' || n, 'Partner ' || n, 'approved', '2026-01-01T09:00:00Z', '2026-01-01T08:00:00Z'
     from generate_series(1, :partners) n`,
  `insert into wallets (partner_id, environment, rail, created_at)
   select id, 'live', 'provider_production', created_at from partners`,
  `insert into ledger_accounts (partner_id, environment, account)
   select id, 'live', unnest(enum_range(null::ledger_account)) from partners`,
  `insert into plans select id, created_at, 99, 100, 20, 50, 1500, 3900 from partners`,
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select id, 'live', gen_random_uuid(), 'credit', 'external', 'available', 1000000000000000, created_at from partners`,
  `create temporary table wanted as
   select p.id as partner_id, gen_random_uuid() as id, n,
          100 + (n * 7919) % 100000 as amount,
          timestamptz '2026-01-01T10:00:00Z' + (n::numeric / :payouts) * interval '364 days 13 hours' as made_at
     from generate_series(1, :payouts) n
     join (select id, row_number() over (order by id) - 1 as nth from partners) p on p.nth = n % :partners`,
  `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
     reference, recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
     fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, created_at, updated_at, completed_at,
     surfaced_at, rail, send_state)
   select partner_id, 'live', id, 'order-' || lpad(n::text, 8, '0'), sha256('x'), 'api', amount, 'GB', 'Order ' || n,
          'Amara Okafor', '5678', 'sealed', sha256('y'), 0.79, fee, share, fee - share, amount * 12700, 'completed',
          made_at, made_at + interval '1 minute', made_at + interval '1 minute', made_at, 'provider_production', 'accepted'
     from wanted
    cross join lateral (select 99 + (amount + 50) / 100 as fee, 20 + (amount * 50 + 5000) / 10000 as share) f`,
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select p.partner_id, 'live', p.id, step.kind, step.source, step.target, p.wallet_sends_micro, p.created_at
     from payouts p cross join (values
       ('hold', 'available'::ledger_account, 'held'::ledger_account), ('capture', 'held', 'in_transit'),
       ('settle', 'in_transit', 'paid_out')) as step (kind, source, target)`,
  `insert into charges (partner_id, cause, kind, month, amount_pence, cost_pence, at)
   select p.partner_id, p.id, charge.kind, date_trunc('month', p.completed_at at time zone 'Europe/London')::date,
          coalesce(charge.cost, p.fee_on_invoice_pence), charge.cost, p.completed_at
     from payouts p cross join (values ('payout_fees', null::bigint), ('network_fees', 2)) as charge (kind, cost)`,
  `insert into charges (partner_id, cause, kind, month, amount_pence, at)
   select id, id, 'business_verification', '2026-01-01', 3900, verified_at from partners`,
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select partner_id, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, at from charges`,
  `analyze`,
]

const kestrel = await loadKestrel()
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
    const deps = { db, clock }
    let invoices = []
    const run = await timed(async () => (invoices = await kestrel.issueDueInvoices(deps)))
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

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
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
  for (const statement of YEAR)
    await client.query(statement.replaceAll(':payouts', payouts).replaceAll(':partners', PARTNERS))
  await client.end()
}

async function loadKestrel() {
  const src = join(ROOT, 'packages/server/src')
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { startEmbeddedPostgres } from '${src}/embedded/index.ts'
        export { migrate } from '${src}/storage/migrate.ts'
        export { openDatabase } from '${src}/storage/database.ts'
        export { readUsage } from '${src}/storage/usage.ts'
        export { issueDueInvoices } from '${src}/domain/billing/issue-invoices.ts'
        export { auditInvoices } from '${src}/domain/billing/audit-invoices.ts'
        export { default as pg } from 'pg'
        export { formatPence } from '${src}/core/money.ts'`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { '@kestrel/contract': join(ROOT, 'packages/contract/src/index.ts') },
    write: false,
  })
  const folder = join(ROOT, 'node_modules/.cache/kestrel-bench')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'billing.mjs')
  await writeFile(file, outputFiles[0].contents)
  return import(pathToFileURL(file).href)
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
