// node bench/fill.mjs --url postgres://… [--count 10000000] [--days 90]
//
// Makes a business in an empty database and loads so many payouts of its sandbox, with their entries, marks, follow-ups and sums,
// through COPY. Prints its key, and proves the books: every check that `kestrel reconcile` makes of them, and what
// `kestrel audit rollups` asks. `npx kestrel migrate` makes the tables first. About 2.5 GB per million payouts.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

import { fill } from './fill/fill.mjs'
import { proveBooks } from './fill/prove.mjs'
import { SRC, loadKestrel, print } from './lib/load-kestrel.mjs'

// Ten million payouts of the fill take a quarter of it.
const PLENTY = 5_000_000_000_000_000n

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    count: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '90' },
  },
})
const [count, days] = [Number(values.count), Number(values.days)]
if (values.url === undefined || !(count > 0) || !(days > 0)) {
  throw new Error('Usage: node bench/fill.mjs --url postgres://… [--count 10000000] [--days 90]')
}

const kestrel = await loadKestrel(
  'fill',
  `export { composeDeps } from '${SRC}/compose.ts'
   export { createPartner } from '${SRC}/domain/partners/create-partner.ts'
   export { creditWallet } from '${SRC}/domain/wallet/credit-wallet.ts'
   export { openDatabase } from '${SRC}/storage/database.ts'
   export { findBreaks } from '${SRC}/storage/book-checks.ts'
   export { auditRollups } from '${SRC}/domain/rollups/audit-rollups.ts'
   export { londonMonth } from '${SRC}/core/london-month.ts'`,
)
const deps = kestrel.composeDeps({
  databaseUrl: values.url,
  secrets: {
    sealKey: randomBytes(32),
    fingerprintKey: randomBytes(32),
    bankKey: randomBytes(24).toString('hex'),
    controlKey: randomBytes(24).toString('hex'),
    metricsToken: null,
  },
  clock: { now: () => new Date() },
  log: { warn: () => {}, error: () => {} },
})
const slug = `fill-${Date.now().toString(36)}`
const { partner, sandboxKey } = await kestrel.createPartner(deps, {
  name: 'Very many payouts',
  slug,
  adminEmail: `admin@${slug}.test`,
})
await kestrel.creditWallet(deps, { partnerId: partner.id, environment: 'sandbox' }, { amount: PLENTY, reason: 'fill' })
await deps.db.close()
print(`${slug}: ${sandboxKey.secret}`)
await fill({ url: values.url, partnerId: partner.id, count, days, londonMonth: kestrel.londonMonth, progress: print })
await proveBooks(kestrel, values.url)
print(`${count} payouts. The books are right, and so is every sum that is kept.`)
