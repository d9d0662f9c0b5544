// Where a wallet's money is, all of it.
import type { TestApp } from '../support/app.ts'
import type { TestPartner } from '../support/fixtures.ts'
import { statement } from '../../src/storage/sql.ts'

const ACCOUNTS = statement(
  'test_wallet_accounts',
  `select account, balance from ledger_accounts
    where partner_id = $1 and environment = $2 and account in ('available', 'held', 'in_transit', 'paid_out')`,
)

export async function walletOf(test: TestApp, partner: TestPartner): Promise<Record<string, bigint>> {
  const rows = await test.owner.query<{ account: string; balance: bigint }>(ACCOUNTS, [partner.id, partner.environment])
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))
}

const ENTRIES = statement(
  'test_wallet_entries',
  `select kind, count(*)::int as count from ledger_entries where partner_id = $1 and environment = $2 group by kind`,
)

/** How many entries of each kind a wallet has. */
export async function entriesOf(test: TestApp, partner: TestPartner): Promise<Record<string, number>> {
  const rows = await test.owner.query<{ kind: string; count: number }>(ENTRIES, [partner.id, partner.environment])
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

const PAYOUTS = statement(
  'test_payouts',
  `select count(*)::int as count, count(*) filter (where surfaced_at is not null)::int as visible
     from payouts where partner_id = $1`,
)

export async function payoutsOf(test: TestApp, partner: TestPartner): Promise<{ count: number; visible: number }> {
  const [row] = await test.owner.query<{ count: number; visible: number }>(PAYOUTS, [partner.id])
  return row!
}

/** What a wallet holds that has never been used. */
export const FLOAT = 10_000_000_000n
/** What a payout of 25.00 GBP takes out of it at 0.79. */
export const SENDS = 32_070_000n
export const UNTOUCHED = { available: FLOAT, held: 0n, in_transit: 0n, paid_out: 0n }
