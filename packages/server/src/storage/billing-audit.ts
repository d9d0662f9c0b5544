// The questions that prove the invoices right. Each returns what is wrong, so nothing in sound books.
import type { Month } from '../core/london-month.ts'
import { EXACT_CHARGE } from './charges.ts'
import { CHARGE_IS_NOT_ITS_ENTRY, INVOICE_IS_NOT_ITS_ENTRY, LINE_IS_NOT_ITS_ENTRY } from './book-checks.ts'
import { IS_BILLED } from './invoices.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface BillingBreak {
  readonly check: string
  readonly partnerId: string | null
  readonly detail: string
}

const LONDON_MONTH = (moment: string) => `date_trunc('month', ${moment} at time zone 'Europe/London')::date`

/** A month is closed when it has its invoice, or should have it by now. */
const IS_CLOSED = (row: string) => `(${row}.month <= ($1 || '-01')::date
       or exists (select 1 from invoices i where i.partner_id = ${row}.partner_id and i.month = ${row}.month))`

/** `$1` is the last month that must have its invoices. */
const CHECKS: Readonly<Record<string, string>> = {
  total_is_not_the_sum_of_its_lines: `
    select i.partner_id, i.number || ': total ' || i.total_pence || ', lines ' || coalesce(sum(l.amount_pence), 0) as detail
      from invoices i left join invoice_lines l on l.partner_id = i.partner_id and l.invoice_id = i.id
     group by i.partner_id, i.id, i.number, i.total_pence
    having i.total_pence <> coalesce(sum(l.amount_pence), 0)`,
  line_is_not_the_sum_of_its_charges: `
    select coalesce(l.partner_id, c.partner_id) as partner_id,
           coalesce(l.month, c.month) || ' ' || coalesce(l.kind, c.kind) || ': line ' || coalesce(l.quantity, 0) || ' for '
             || coalesce(l.amount_pence, 0) || ', charges ' || coalesce(c.quantity, 0) || ' for ' || coalesce(c.amount, 0)
             as detail
      from (
        select i.partner_id, i.month, l.kind, l.quantity, l.amount_pence
          from invoices i join invoice_lines l on l.partner_id = i.partner_id and l.invoice_id = i.id
         where l.quantity > 0 or l.amount_pence <> 0
      ) l
      full join (
        select c.partner_id, c.month, c.kind, count(*) as quantity,
               div(sum(${EXACT_CHARGE}) + 500000, 1000000) as amount
          from charges c where ${IS_CLOSED('c')} group by 1, 2, 3
      ) c using (partner_id, month, kind)
     where (l.quantity, l.amount_pence) is distinct from (c.quantity, c.amount)`,
  completed_payouts_are_not_those_invoiced: `
    select coalesce(p.partner_id, c.partner_id) as partner_id,
           coalesce(p.id, c.cause) || ': '
             || case when p.id is null then 'invoiced and never completed'
                     when c.cause is null then 'completed and on no invoice'
                     else 'fee ' || p.fee_on_invoice_pence || ', invoiced ' || c.amount_pence end as detail
      from (
        select * from (
          select partner_id, id, fee_on_invoice_pence, ${LONDON_MONTH('completed_at')} as month
            from payouts where environment = 'live' and completed_at is not null
        ) completed where ${IS_CLOSED('completed')}
      ) p
      full join (
        select c.partner_id, c.cause, c.month, c.amount_pence
          from charges c join invoices i on i.partner_id = c.partner_id and i.month = c.month
         where c.kind = 'payout_fees'
      ) c on c.partner_id = p.partner_id and c.cause = p.id
     where (p.fee_on_invoice_pence, p.month) is distinct from (c.amount_pence, c.month)`,
  charges_are_not_what_happened: `
    with carried_over as (select partner_id, cause from charges where kind = 'payout_fees' and is_carried_over),
    happened (partner_id, cause, kind, month) as (
      select p.partner_id, p.id, kind, ${LONDON_MONTH('p.completed_at')}
        from payouts p cross join unnest(array['payout_fees', 'network_fees']) as kind
       where p.environment = 'live' and p.completed_at is not null
         and (kind = 'payout_fees' or (p.partner_id, p.id) not in (select partner_id, cause from carried_over))
      union all
      -- Charged when the money is back; versions before charged when the return was reported.
      select p.partner_id, p.id, 'bank_exceptions',
             case when c.month = ${LONDON_MONTH('p.ended_at')} then c.month
                  else ${LONDON_MONTH('coalesce(e.at, p.ended_at)')} end
        from payouts p
        left join charges c on c.partner_id = p.partner_id and c.cause = p.id and c.kind = 'bank_exceptions'
        left join ledger_entries e
          on e.partner_id = p.partner_id and e.environment = 'live' and e.cause = p.id and e.kind = 'refund'
       where p.environment = 'live' and p.completed_at is not null and p.status = 'returned'
         and (p.refund_state = 'done' or c.cause is not null)
         and (p.partner_id, p.id) not in (select partner_id, cause from carried_over)
      union all
      select partner_id, id, 'bank_exceptions', ${LONDON_MONTH('at')} from bank_exceptions
      union all
      select id, id, 'business_verification', ${LONDON_MONTH('verified_at')} from partners where verified_at is not null
      union all
      select i.partner_id, i.id, 'monthly_account', i.month
        from invoices i join partners p on p.id = i.partner_id
       where i.status <> 'draft' and (p.closed_at is null or i.month <= ${LONDON_MONTH('p.closed_at')})
    )
    select coalesce(h.partner_id, c.partner_id) as partner_id,
           coalesce(h.cause, c.cause) || ' ' || coalesce(h.kind, c.kind) || ': '
             || case when c.cause is null then 'happened in ' || to_char(h.month, 'YYYY-MM') || ' and is not charged'
                     when h.cause is null then 'charged in ' || to_char(c.month, 'YYYY-MM') || ' and did not happen'
                     else 'happened in ' || to_char(h.month, 'YYYY-MM') || ', charged in ' || to_char(c.month, 'YYYY-MM')
                end as detail
      from happened h
      full join charges c on c.partner_id = h.partner_id and c.cause = h.cause and c.kind = h.kind
     where h.month is distinct from c.month
       and not (h.cause is null and c.kind = 'bank_exceptions'
                and (c.partner_id, c.cause) in (select partner_id, cause from carried_over))`,
  charge_is_not_its_entry: CHARGE_IS_NOT_ITS_ENTRY,
  line_is_not_its_entry: LINE_IS_NOT_ITS_ENTRY,
  invoice_is_not_its_entry: INVOICE_IS_NOT_ITS_ENTRY,
  receivable_is_not_charged_less_written_off_and_paid: `
    select a.partner_id, 'receivable ' || a.balance || ', charged ' || coalesce(c.amount, 0) || ', written off '
             || coalesce(s.written_off, 0) || ', paid ' || coalesce(s.paid, 0) as detail
      from ledger_accounts a
      left join (
        select partner_id, sum(amount) as amount from (
          select partner_id, total_pence as amount from invoices
          union all
          select c.partner_id, c.amount_pence from charges c
           where not exists (select 1 from invoices i where i.partner_id = c.partner_id and i.month = c.month)
        ) owed group by 1
      ) c using (partner_id)
      left join (
        select partner_id, coalesce(sum(total_pence) filter (where status = 'void'), 0) as written_off,
               coalesce(sum(total_pence) filter (where status = 'paid'), 0) as paid
          from invoices group by 1
      ) s using (partner_id)
     where a.environment = 'live' and a.account = 'fees_receivable'
       and a.balance <> coalesce(c.amount, 0) - coalesce(s.written_off, 0) - coalesce(s.paid, 0)`,
  numbers_have_a_gap: `
    select null::uuid as partner_id, coalesce(n.year, i.year) || ': ' || coalesce(n.last, 0) || ' given out, '
             || coalesce(i.found, 0) || ' found, the last ' || coalesce(i.last, 0) as detail
      from invoice_numbers n
      full join (
        select split_part(number, '-', 2)::int as year, count(*) as found, max(split_part(number, '-', 3)::bigint) as last
          from invoices where number is not null group by 1
      ) i using (year)
     where (n.last, n.last) is distinct from (i.found, i.last)`,
  invoice_is_missing: `
    select p.id as partner_id, to_char(due.month, 'YYYY-MM') || ' has no invoice' as detail
      from partners p
     cross join lateral generate_series(
       date_trunc('month', p.verified_at at time zone 'Europe/London'), ($1 || '-01')::timestamp, interval '1 month'
     ) as due (month)
     where p.verified_at is not null
       and ${IS_BILLED}
       and not exists (select 1 from invoices i where i.partner_id = p.id and i.month = due.month::date)`,
}

export const BILLING_CHECKS = Object.keys(CHECKS)

// It reads everything, which may take longer than a request may, and is quicker when it need not go to the disk.
const TEN_MINUTES_MS = 10 * 60_000
const TAKE_ROOM = statement('', `set local work_mem = '128MB'`)

export function takeTimeAndRoom(tx: Tx): void {
  tx.takeTime(TEN_MINUTES_MS)
  tx.defer(TAKE_ROOM)
}

export async function findBillingBreaks(db: Db, last: Month): Promise<BillingBreak[]> {
  const breaks: BillingBreak[] = []
  for (const [check, text] of Object.entries(CHECKS)) {
    const values = text.includes('$1') ? [last] : []
    const rows = await db.query<{ partner_id: string | null; detail: string }>(statement('', text), values)
    for (const row of rows) breaks.push({ check, partnerId: row.partner_id, detail: row.detail })
  }
  return breaks
}

const COUNTS = statement(
  'billing_counts',
  `select (select count(*) from invoices)::int as invoices, (select count(*) from charges)::int as charges,
          (select count(*) from charges c join invoices i on i.partner_id = c.partner_id and i.month = c.month
            where c.kind = 'payout_fees')::int as payouts,
          (select coalesce(sum(total_pence), 0) from invoices)::bigint as total`,
)

export interface BillingCounts {
  readonly invoices: number
  readonly charges: number
  /** Only payouts that are on an invoice. */
  readonly payouts: number
  readonly total: bigint
}

export async function countBilling(db: Db): Promise<BillingCounts> {
  return (await db.query<BillingCounts>(COUNTS))[0]!
}
