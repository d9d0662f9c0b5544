// What partners owe, thing by thing: a row for each, and the entry of the ledger that belongs to it.
import type { InvoiceLineKind } from '@kestrel/contract'

import type { Month } from '../core/london-month.ts'
import type { Pence } from '../core/money.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface Charge {
  /** The payout, its recall or trace, the month's invoice, or for its verification the partner itself. */
  readonly cause: string
  readonly kind: InvoiceLineKind
  readonly amount: Pence
  /** What it cost us; null where the price is our own. */
  readonly cost: Pence | null
}

// One statement, so that there is no charge without its entry and no entry without its charge. What is there stays.
const INSERT = statement(
  'insert_charges',
  `with made as (
     insert into charges (partner_id, cause, kind, month, amount_pence, cost_pence, at)
     select $1, item.cause, item.kind, ($2 || '-01')::date, item.amount, item.cost, $3
       from unnest($4::uuid[], $5::text[], $6::bigint[], $7::bigint[]) as item (cause, kind, amount, cost)
     on conflict do nothing
     returning cause, kind, amount_pence
   )
   insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select $1, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, $3
     from made where amount_pence > 0`,
)

/** The caller holds the lock of the live wallet. A charge that has been made is not made again. */
export function insertCharges(
  tx: Tx,
  partnerId: string,
  { charges, month, at }: { charges: readonly Charge[]; month: Month; at: Date },
): void {
  if (charges.length === 0) return
  tx.defer(INSERT, [
    partnerId,
    month,
    at,
    charges.map((charge) => charge.cause),
    charges.map((charge) => charge.kind),
    charges.map((charge) => charge.amount),
    charges.map((charge) => charge.cost),
  ])
}

export interface ChargeSum {
  readonly kind: InvoiceLineKind
  readonly quantity: bigint
  readonly amount: Pence
  /** The smallest and the largest of them. */
  readonly least: Pence
  readonly most: Pence
}

/** The sums of a month's charges by kind; `$1` is the partner and `$2` the month. Only an index is read. */
export const CHARGE_SUMS = `
  select kind, count(*) as quantity, sum(amount_pence)::bigint as amount, min(amount_pence) as least,
         max(amount_pence) as most
    from charges where partner_id = $1 and month = ($2 || '-01')::date group by kind`

const SUMS = statement('sum_charges', CHARGE_SUMS)

export function sumCharges(db: Db, partnerId: string, month: Month): Promise<ChargeSum[]> {
  return db.query<ChargeSum>(SUMS, [partnerId, month])
}

/** A payout behind a line of an invoice, and what it adds to it. */
export interface ChargedPayout {
  readonly at: Date
  readonly amount: Pence
  /** The payout itself, or its recall or trace. */
  readonly cause: string
  readonly payout: PayoutRow
}

export interface ChargePlace {
  readonly at: Date
  readonly cause: string
}

const CHARGED = statement(
  'list_charged_payouts',
  `select page.charged_at as "chargedAt", page.charged, page.cause, ${PAYOUT_COLUMNS}
     from (
       select at as charged_at, amount_pence as charged, cause from charges
        where partner_id = $1 and month = ($2 || '-01')::date and kind = $3 and (at, cause) > ($4, $5)
        order by at, cause limit $6
     ) page
     left join (select id as exception_id, payout_id from bank_exceptions where partner_id = $1) exception
       on exception_id = page.cause
     join payouts on payouts.partner_id = $1 and payouts.environment = 'live'
       and payouts.id = coalesce(exception.payout_id, page.cause)
    order by page.charged_at, page.cause`,
)

/** The payouts that a month was charged for, the oldest first, after a place in that order. */
export async function listChargedPayouts(
  db: Db,
  asked: { partnerId: string; month: Month; kind: InvoiceLineKind; after: ChargePlace; limit: number },
): Promise<ChargedPayout[]> {
  const { partnerId, month, kind, after, limit } = asked
  type Row = PayoutRow & { chargedAt: Date; charged: Pence; cause: string }
  const rows = await db.query<Row>(CHARGED, [partnerId, month, kind, after.at, after.cause, limit])
  return rows.map(({ chargedAt, charged, cause, ...payout }) => ({ at: chargedAt, amount: charged, cause, payout }))
}
