// What partners owe: one row per charge, with its entry in the ledger.
import type { InvoiceLineKind } from '@kestrel/contract'

import type { Month } from '../core/london-month.ts'
import { type MicroPence, type Pence, roundedPence } from '../core/money.ts'
import { itemColumns } from './item-columns.ts'
import { PAYOUT_COLUMNS, type PayoutRow } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface Charge {
  /** The payout, its recall or trace, the month's invoice, or for a verification the partner itself. */
  readonly cause: string
  readonly kind: InvoiceLineKind
  readonly amount: MicroPence
  /** What it cost us; null where the price is our own, which is in whole pence. */
  readonly cost: MicroPence | null
}

const CHARGES = itemColumns<keyof ReturnType<typeof storedCharge>>(4, {
  cause: ['cause', 'uuid'],
  kind: ['kind', 'text'],
  amount: ['amount_pence', 'bigint'],
  exactAmount: ['exact_micropence', 'bigint'],
  cost: ['cost_pence', 'bigint'],
  exactCost: ['cost_micropence', 'bigint'],
})

// One statement, so that there is no charge without its entry and no entry without its charge. An existing charge
// stays. A cost has no entry of its own: it is rounded and posted with the invoice line that it is part of.
const INSERT = statement(
  'insert_charges',
  `with made as (
     insert into charges (partner_id, month, at, ${CHARGES.names})
     select $1, ($2 || '-01')::date, $3, ${CHARGES.selected} from ${CHARGES.from}
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
  tx.defer(INSERT, [partnerId, month, at, ...CHARGES.values(charges.map(storedCharge))])
}

/** In whole pence and exactly. A cost is rounded with the invoice line that it is part of. */
function storedCharge({ cause, kind, amount, cost }: Charge) {
  const rounded =
    cost === null ? { amount: roundedPence(amount), cost: null } : { amount: 0n, cost: roundedPence(cost) }
  return { cause, kind, ...rounded, exactAmount: amount, exactCost: cost }
}

export interface ChargeSum {
  readonly kind: InvoiceLineKind
  readonly quantity: bigint
  readonly amount: MicroPence
  /** The smallest and the largest charge. */
  readonly least: MicroPence
  readonly most: MicroPence
  /** What the ledger has for them already. */
  readonly posted: Pence
}

/** A charge in millionths of a penny. */
export const EXACT_CHARGE = 'coalesce(exact_micropence, amount_pence * 1000000)'

/**
 * The sums of a month's charges by kind, as the database keeps them (migrations/0051_rollups.sql); `$1` is the partner and `$2`
 * the month.
 */
export const CHARGE_SUMS = `
  select kind, quantity, exact_micropence as amount, least_micropence as least, most_micropence as most,
         posted_pence as posted
    from charge_months where partner_id = $1 and month = ($2 || '-01')::date`

// Added up from the charges themselves, by an index of that month alone: an invoice is cut once.
const SUMS = statement(
  'sum_charges',
  `select kind, count(*) as quantity, sum(${EXACT_CHARGE})::bigint as amount, min(${EXACT_CHARGE}) as least,
          max(${EXACT_CHARGE}) as most, sum(amount_pence)::bigint as posted
     from charges where partner_id = $1 and month = ($2 || '-01')::date group by kind`,
)

export function sumCharges(db: Db, partnerId: string, month: Month): Promise<ChargeSum[]> {
  return db.query<ChargeSum>(SUMS, [partnerId, month])
}

const LINES = itemColumns<'kind' | 'amount'>(4, { kind: ['kind', 'text'], amount: ['amount', 'bigint'] })

const POST_LINES = statement(
  'post_invoice_lines',
  `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select $1, 'live', $2, item.kind, accounts.source, accounts.target, abs(item.amount), $3
     from ${LINES.from}
    cross join lateral (
      select case when item.amount > 0 then 'fees_earned' else 'fees_receivable' end::ledger_account as source,
             case when item.amount > 0 then 'fees_receivable' else 'fees_earned' end::ledger_account as target
    ) accounts
    where item.amount <> 0`,
)

/** Posts the part of an invoice's lines that their charges have not posted, with the invoice as its cause. */
export function postInvoiceLines(
  tx: Tx,
  invoice: { partnerId: string; id: string },
  { lines, at }: { lines: readonly { kind: InvoiceLineKind; amount: bigint }[]; at: Date },
): void {
  tx.defer(POST_LINES, [invoice.partnerId, invoice.id, at, ...LINES.values(lines)])
}

/** A payout behind a line of an invoice, and what it adds to it. */
export interface ChargedPayout {
  readonly at: Date
  readonly amount: MicroPence
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
  `select page.charged_at as "chargedAt", page.charged, page.cause, payout.*
     from (
       select at as charged_at, ${EXACT_CHARGE} as charged, cause from charges
        where partner_id = $1 and month = ($2 || '-01')::date and kind = $3 and (at, cause) > ($4, $5)
        order by at, cause limit $6
     ) page
     left join (select id as exception_id, payout_id from bank_exceptions where partner_id = $1) exception
       on exception_id = page.cause
    cross join lateral (
      select ${PAYOUT_COLUMNS} from payouts
       where partner_id = $1 and environment = 'live' and id = coalesce(exception.payout_id, page.cause) limit 1) payout
    order by page.charged_at, page.cause`,
)

/** The payouts that a month was charged for, oldest first, after a place in that order. */
export async function listChargedPayouts(
  db: Db,
  asked: { partnerId: string; month: Month; kind: InvoiceLineKind; after: ChargePlace; limit: number },
): Promise<ChargedPayout[]> {
  const { partnerId, month, kind, after, limit } = asked
  type Row = PayoutRow & { chargedAt: Date; charged: MicroPence; cause: string }
  const rows = await db.query<Row>(CHARGED, [partnerId, month, kind, after.at, after.cause, limit])
  return rows.map(({ chargedAt, charged, cause, ...payout }) => ({ at: chargedAt, amount: charged, cause, payout }))
}
