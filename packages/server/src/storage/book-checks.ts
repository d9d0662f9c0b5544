// The questions that prove the books right, whatever happened before. Each returns what is wrong, so nothing in a sound
// database.
import { ROLLUP_CHECKS } from './rollup-checks.ts'
import { type Db, statement } from './sql.ts'

export interface LedgerBreak {
  readonly check: string
  readonly partnerId: string
  readonly environment: string
  readonly detail: string
}

/** Each charge against its own entry: sums alone could hide two errors that cancel out. */
export const CHARGE_IS_NOT_ITS_ENTRY = `
    select coalesce(c.partner_id, e.partner_id) as partner_id, coalesce(e.environment, 'live') as environment,
           coalesce(c.cause, e.cause) || ' ' || coalesce(c.kind, e.kind) || ': charged '
             || coalesce(c.amount_pence, 0) || ', posted ' || coalesce(e.amount, 0) as detail
      from (select * from charges where amount_pence > 0) c
      full join (
        select * from ledger_entries entry where from_account = 'fees_earned'
           and not exists (select 1 from invoices i where i.partner_id = entry.partner_id and i.id = entry.cause
                                                      and entry.kind in ('network_fees', 'bank_exceptions'))
      ) e
        on e.partner_id = c.partner_id and e.cause = c.cause and e.kind = c.kind
     where (c.amount_pence, c.at) is distinct from (e.amount, e.at)`

/** Each line of costs against its entry, which is what the line comes to beyond what its charges posted. */
export const LINE_IS_NOT_ITS_ENTRY = `
    select coalesce(l.partner_id, e.partner_id) as partner_id, 'live' as environment,
           coalesce(l.invoice_id, e.cause) || ' ' || coalesce(l.kind, e.kind) || ': to be posted '
             || coalesce(l.owed, 0) || ', posted ' || coalesce(e.posted, 0) as detail
      from (
        select l.partner_id, l.invoice_id, l.kind, l.amount_pence - coalesce(c.posted, 0) as owed
          from invoice_lines l
          join invoices i on i.partner_id = l.partner_id and i.id = l.invoice_id
          left join (select partner_id, month, kind, sum(amount_pence) as posted from charges group by 1, 2, 3) c
            on c.partner_id = l.partner_id and c.month = i.month and c.kind = l.kind
         where l.kind in ('network_fees', 'bank_exceptions')
      ) l
      full join (
        select e.partner_id, e.cause, e.kind,
               sum(case when e.to_account = 'fees_receivable' then e.amount else -e.amount end) as posted
          from ledger_entries e join invoices i on i.partner_id = e.partner_id and i.id = e.cause
         where e.kind in ('network_fees', 'bank_exceptions') group by 1, 2, 3
      ) e on e.partner_id = l.partner_id and e.cause = l.invoice_id and e.kind = l.kind
     where coalesce(l.owed, 0) <> coalesce(e.posted, 0)`

/** Each paid or void invoice against its entry, which is its total at that moment. */
export const INVOICE_IS_NOT_ITS_ENTRY = `
    select coalesce(i.partner_id, e.partner_id) as partner_id, coalesce(e.environment, 'live') as environment,
           coalesce(i.id, e.cause) || ' ' || coalesce(i.kind, e.kind) || ': to be posted ' || coalesce(i.total_pence, 0)
             || ', posted ' || coalesce(e.amount, 0) as detail
      from (
        select partner_id, id, total_pence, coalesce(paid_at, voided_at) as at,
               case status when 'paid' then 'payment' else 'write_off' end as kind
          from invoices where status in ('paid', 'void') and total_pence > 0
      ) i
      full join (select * from ledger_entries where kind in ('payment', 'write_off')) e
        on e.partner_id = i.partner_id and e.cause = i.id and e.kind = i.kind
     where (i.total_pence, i.at) is distinct from (e.amount, e.at)`

/** What an entry took out of the wallet. What the wallet could not cover waits in suspense. */
const COST = `case when e.from_account in ('available', 'suspense') then e.amount
                   when e.to_account in ('available', 'suspense') then -e.amount else 0 end`

const CHECKS: Readonly<Record<string, string>> = {
  balance_is_not_the_sum_of_its_entries: `
    select a.partner_id, a.environment, a.account || ': balance ' || a.balance || ', entries '
             || coalesce(sum(leg.amount), 0) as detail
      from ledger_accounts a
      left join (
        select partner_id, environment, from_account as account, -amount as amount from ledger_entries
        union all
        select partner_id, environment, to_account, amount from ledger_entries
      ) leg using (partner_id, environment, account)
     group by a.partner_id, a.environment, a.account, a.balance
    having a.balance <> coalesce(sum(leg.amount), 0)`,
  ledger_does_not_sum_to_zero: `
    select partner_id, environment, 'sum ' || sum(balance) as detail from ledger_accounts
     group by partner_id, environment, account in ('fees_receivable', 'fees_earned', 'fees_paid')
    having sum(balance) <> 0`,
  held_is_not_what_is_being_sent: accountCheck('held', `send_state in ('sending', 'unknown') and status = 'pending'`),
  in_transit_is_not_what_is_under_way: accountCheck(
    'in_transit',
    `status = 'processing' or (status = 'pending' and send_state = 'accepted')
       or (refund_state = 'due' and completed_at is null)`,
  ),
  paid_out_is_not_what_was_completed: accountCheck(
    'paid_out',
    `status = 'completed' or (refund_state = 'due' and completed_at is not null)`,
  ),
  fx_diff_is_not_what_the_bank_took_otherwise: `
    select a.partner_id, a.environment, 'balance ' || a.balance || ', payouts '
             || coalesce(sum(p.bank_sent_micro - p.wallet_sends_micro), 0) as detail
      from ledger_accounts a
      left join payouts p on p.partner_id = a.partner_id and p.environment = a.environment
        and p.bank_sent_micro is not null and p.refund_state <> 'done'
     where a.account = 'fx_diff'
     group by a.partner_id, a.environment, a.balance
    having a.balance <> coalesce(sum(p.bank_sent_micro - p.wallet_sends_micro), 0)`,
  excess_funds_are_not_what_payouts_left_over: `
    select partner_id, environment, 'balance ' || balance || ', payouts ' || payouts || ', back ' || back as detail
      from (
        select a.partner_id, a.environment, a.balance, coalesce(max(r.back), 0) as back,
               coalesce(sum(coalesce(p.surplus_micro, 0) - p.topped_up_micro), 0) as payouts
          from ledger_accounts a
          left join payouts p on p.partner_id = a.partner_id and p.environment = a.environment
            and (p.surplus_micro is not null or p.topped_up_micro > 0)
          left join (select partner_id, environment, sum(amount_micro) as back from payout_top_ups
                      where returned_at is not null group by 1, 2) r
            on r.partner_id = a.partner_id and r.environment = a.environment
         where a.account = 'excess_funds'
         group by a.partner_id, a.environment, a.balance
      ) w
     where balance <> payouts + back`,
  top_ups_are_not_what_was_added: `
    select p.partner_id, p.environment, p.id || ': topped up ' || p.topped_up_micro || ', added '
             || coalesce(sum(t.amount_micro), 0) as detail
      from payouts p
      left join payout_top_ups t on t.partner_id = p.partner_id and t.environment = p.environment
        and t.payout_id = p.id and t.added_at is not null
     where p.topped_up_micro > 0 or t.nth is not null
     group by p.partner_id, p.environment, p.id, p.topped_up_micro
    having p.topped_up_micro <> coalesce(sum(t.amount_micro), 0)`,
  refund_diff_is_not_what_refunds_brought_otherwise: `
    select a.partner_id, a.environment, 'balance ' || a.balance || ', refunds ' || coalesce(c.diff, 0) || ', made good '
             || coalesce(good.amount, 0) as detail
      from ledger_accounts a
      left join (select partner_id, environment, sum(came_back_micro - sent_micro) as diff from refund_checks
                  where found_at is not null group by 1, 2) c using (partner_id, environment)
      left join (select partner_id, environment,
                        sum(case when from_account = 'external' then amount else -amount end) as amount
                   from ledger_entries where kind = 'refund_diff' and 'external' in (from_account, to_account)
                  group by 1, 2) good using (partner_id, environment)
     where a.account = 'refund_diff' and a.balance <> coalesce(c.diff, 0) + coalesce(good.amount, 0)`,
  operator_result_is_not_its_parts: `
    select partner_id, environment, 'result ' || result || ', excess ' || excess || ', refunds ' || refunds as detail
      from (
        select a.partner_id, a.environment, max(a.balance) filter (where a.account = 'operator_result') as result,
               max(a.balance) filter (where a.account = 'excess_funds') as excess,
               max(a.balance) filter (where a.account = 'refund_diff') - coalesce(max(good.amount), 0) as refunds
          from ledger_accounts a
          left join (select partner_id, environment,
                            sum(case when from_account = 'external' then amount else -amount end) as amount
                       from ledger_entries where kind = 'refund_diff' and 'external' in (from_account, to_account)
                      group by 1, 2) good using (partner_id, environment)
         group by a.partner_id, a.environment
      ) w
     where result + excess + refunds <> 0`,
  suspense_is_not_what_the_wallet_could_not_bear: `
    select partner_id, environment, 'suspense ' || owed || ', available ' || available as detail
      from (
        select partner_id, environment, max(balance) filter (where account = 'suspense') as owed,
               max(balance) filter (where account = 'available') as available
          from ledger_accounts group by partner_id, environment
      ) w
     where owed > 0 or (owed < 0 and available > 0)`,
  payout_at_rest_still_costs: `
    select p.partner_id, p.environment, p.id || ' ' || p.status || ' took ' || sum(${COST}) as detail
      from payouts p join ledger_entries e on e.partner_id = p.partner_id and e.cause = p.id
     where p.refund_state = 'done' or (p.status in ('failed', 'cancelled') and p.refund_state <> 'due')
        or p.send_state in ('not_sent', 'rejected')
     group by p.partner_id, p.environment, p.id, p.status
    having sum(${COST}) <> 0`,
  // Nobody would ever ask the bank about it again.
  payout_under_way_is_not_followed: `
    select p.partner_id, p.environment, p.id || ': ' || p.status || ', refund ' || p.refund_state
             || ', and no follow-up' as detail
      from payouts p
     where p.released_at is null and p.send_state not in ('not_sent', 'rejected')
       and (p.status in ('pending', 'processing') or p.refund_state = 'due')
       and not exists (select 1 from payout_follow_ups f
                        where f.partner_id = p.partner_id and f.environment = p.environment and f.payout_id = p.id)`,
  month_is_not_the_sum_of_its_payouts: `
    select coalesce(u.partner_id, p.partner_id) as partner_id, coalesce(u.environment, p.environment) as environment,
           coalesce(u.month, p.month) || ': ' || coalesce(u.completed, 0) || ' completed, '
             || coalesce(p.completed, 0) || ' found' as detail
      from usage_months u
      full join (
        select partner_id, environment, date_trunc('month', completed_at at time zone 'Europe/London')::date as month,
               count(*) as completed, sum(amount_pence) as paid, sum(fee_pence) as fee,
               sum(fee_on_invoice_pence) as on_invoice
          from payouts where completed_at is not null group by 1, 2, 3
      ) p using (partner_id, environment, month)
     where (coalesce(u.completed, 0), coalesce(u.paid_pence, 0), coalesce(u.fee_pence, 0),
            coalesce(u.fee_on_invoice_pence, 0))
           <> (coalesce(p.completed, 0), coalesce(p.paid, 0), coalesce(p.fee, 0), coalesce(p.on_invoice, 0))`,
  charges_are_not_the_completed_live_payouts: `
    select coalesce(c.partner_id, p.partner_id) as partner_id, 'live' as environment,
           coalesce(c.cause, p.id) || ': charged ' || coalesce(c.amount_pence::text, 'nothing') || ', fee '
             || coalesce(p.fee_on_invoice_pence::text, 'none') as detail
      from (select * from charges where kind = 'payout_fees') c
      full join (select * from payouts where environment = 'live' and completed_at is not null) p
        on p.partner_id = c.partner_id and p.id = c.cause
     where (c.amount_pence, c.at) is distinct from (p.fee_on_invoice_pence, p.completed_at)`,
  charge_is_not_its_entry: CHARGE_IS_NOT_ITS_ENTRY,
  line_is_not_its_entry: LINE_IS_NOT_ITS_ENTRY,
  invoice_is_not_its_entry: INVOICE_IS_NOT_ITS_ENTRY,
  ...ROLLUP_CHECKS,
}

function accountCheck(account: string, payoutsInIt: string): string {
  return `
    select a.partner_id, a.environment, 'balance ' || a.balance || ', payouts '
             || coalesce(sum(p.wallet_sends_micro), 0) as detail
      from ledger_accounts a
      left join payouts p on p.partner_id = a.partner_id and p.environment = a.environment and (${payoutsInIt})
     where a.account = '${account}'
     group by a.partner_id, a.environment, a.balance
    having a.balance <> coalesce(sum(p.wallet_sends_micro), 0)`
}

export async function findBreaks(db: Db): Promise<LedgerBreak[]> {
  const breaks: LedgerBreak[] = []
  for (const [check, text] of Object.entries(CHECKS)) {
    const rows = await db.query<{ partner_id: string; environment: string; detail: string }>(statement('', text))
    for (const row of rows) {
      breaks.push({ check, partnerId: row.partner_id, environment: row.environment, detail: row.detail })
    }
  }
  return breaks
}
