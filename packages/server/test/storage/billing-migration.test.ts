// What was billed before there were charges is carried over as it was billed, and the audit finds nothing wrong with it.
import { mkdtempSync, readdirSync, copyFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Month } from '../../src/core/london-month.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { findBillingBreaks } from '../../src/storage/billing-audit.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import type { Db } from '../../src/storage/sql.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
const INVOICE = '01a1946c-7be0-76f0-b316-00a35a099950'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let owner: Owner
let folder: string
beforeAll(async () => {
  database = await emptyDatabase()
  owner = await ownerOf(database.url)
  folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
  const before = readdirSync(MIGRATIONS_FOLDER).filter((name) => name < '0009')
  for (const name of before) copyFileSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await migrate({ url: database.url, folder })
  for (const statement of PAST) await owner.query(statement)
  const untilExact = readdirSync(MIGRATIONS_FOLDER).filter((name) => name < exactCosts())
  for (const name of untilExact) copyFileSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await migrate({ url: database.url, folder })
  for (const statement of ROUNDED) await owner.query(statement)
  await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
})
afterAll(async () => {
  await owner.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** One business in live since May, two payouts in June, one of them invoiced with May's and June's account. */
const PAST = [
  `insert into partners (id, slug, name, verification_status, verified_at, created_at)
   values ('${PARTNER}', 'acme', 'Acme', 'approved', '2026-06-10T12:00:00Z', '2026-05-01T12:00:00Z')`,
  `insert into plans values ('${PARTNER}', '2026-05-01T12:00:00Z', 99, 100, 20, 50, 1500, 3900)`,
  `insert into wallets (partner_id, environment, rail, created_at)
   values ('${PARTNER}', 'live', 'provider_production', '2026-05-01T12:00:00Z')`,
  `insert into ledger_accounts (partner_id, environment, account)
   select '${PARTNER}', 'live', unnest(enum_range(null::ledger_account))`,
  `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
     recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
     fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, created_at, updated_at, completed_at,
     surfaced_at, rail, send_state)
   select '${PARTNER}', 'live', gen_random_uuid(), 'order-000' || n, sha256('x'), 'api', 2500, 'GB', 'Amara Okafor',
          '5678', 'sealed', sha256('y'), 0.79, 124, 33, 91, 32070000, 'completed', at, at, at, at,
          'provider_production', 'accepted'
     from (values (1, timestamptz '2026-06-30T22:30:00Z'), (2, '2026-06-30T23:30:00Z')) as done (n, at)`,
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   values ('${PARTNER}', 'live', gen_random_uuid(), 'credit', 'external', 'available', 64140000, '2026-06-10T12:00:00Z')`,
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select partner_id, environment, id, kind, source, target, wallet_sends_micro, created_at
     from payouts cross join (values ('hold', 'available'::ledger_account, 'held'::ledger_account),
       ('capture', 'held', 'in_transit'), ('settle', 'in_transit', 'paid_out')) as step (kind, source, target)`,
  `insert into usage_months select '${PARTNER}', 'live', month::date, 1, 1, 2500, 124, 91
     from (values ('2026-06-01'), ('2026-07-01')) as months (month)`,
  `insert into invoices (partner_id, id, month, status, total_pence, issued_at, due_at)
   values ('${PARTNER}', '${INVOICE}', '2026-06-01', 'issued', 5491, '2026-07-01T06:00:00Z', '2026-07-15T06:00:00Z')`,
  `insert into invoice_lines
   select '${PARTNER}', '${INVOICE}', position, kind, kind, 1, null, amount, '2026-06-01', '2026-06-30'
     from (values (1, 'payout_fees', 91), (2, 'monthly_account', 1500), (3, 'business_verification', 3900))
       as line (position, kind, amount)`,
]

const exactCosts = () => readdirSync(MIGRATIONS_FOLDER).find((name) => name.endsWith('exact_costs.sql'))!

/** In July, which has no invoice yet, the payout's network was charged, rounded to a penny; and June's invoice is paid. */
const ROUNDED = [
  'alter table charges disable trigger charges_are_kept',
  `update charges set is_carried_over = false where month = '2026-07-01'`,
  'alter table charges enable trigger charges_are_kept',
  `with made as (
     insert into charges (partner_id, cause, kind, month, amount_pence, cost_pence, at)
     select partner_id, cause, 'network_fees', month, 2, 2, at from charges where month = '2026-07-01'
     returning *
   )
   insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select partner_id, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, at from made`,
  `update invoices set status = 'paid', paid_at = '2026-07-10T00:00:00Z'`,
]

const db: Db = { query: async (statement, values) => (await owner.query(statement.text, values)) as never }

describe('the billing of before', () => {
  it('has its charges, in the months of London', async () => {
    const charges = await owner.query(
      `select kind, to_char(month, 'YYYY-MM') as month, amount_pence::int as amount from charges order by month, kind`,
    )
    expect(charges).toEqual([
      { kind: 'business_verification', month: '2026-06', amount: 3_900 },
      { kind: 'monthly_account', month: '2026-06', amount: 1_500 },
      { kind: 'payout_fees', month: '2026-06', amount: 91 },
      { kind: 'network_fees', month: '2026-07', amount: 2 },
      { kind: 'payout_fees', month: '2026-07', amount: 91 },
    ])
  })

  it('knows exactly what the costs of its open months come to', async () => {
    const exact = await owner.query(
      'select kind, exact_micropence::int as exact from charges where exact_micropence is not null',
    )
    expect(exact).toEqual([{ kind: 'network_fees', exact: 2_200_000 }])
  })

  it('has numbers, and nobody is mailed again', async () => {
    expect(await owner.query('select number, mailed_at is not null as mailed from invoices')).toEqual([
      { number: 'KP-2026-000001', mailed: true },
    ])
    expect(await owner.query('select year, last::int from invoice_numbers')).toEqual([{ year: 2026, last: 1 }])
  })

  it('has lowered what is receivable by what was paid, on the day of it', async () => {
    expect(await owner.query(`select cause, amount::int, at from ledger_entries where kind = 'payment'`)).toEqual([
      { cause: INVOICE, amount: 5_491, at: new Date('2026-07-10T00:00:00Z') },
    ])
    const accounts = await owner.query(
      `select account, balance::int from ledger_accounts where account::text like 'fees%' order by account`,
    )
    expect(accounts).toEqual([
      { account: 'fees_receivable', balance: 93 },
      { account: 'fees_earned', balance: -5_584 },
      { account: 'fees_paid', balance: 5_491 },
    ])
  })

  it('is right, to the penny', async () => {
    expect(await findBillingBreaks(db, '2026-06' as Month)).toEqual([])
    expect(await findBreaks(db)).toEqual([])
  })
})
