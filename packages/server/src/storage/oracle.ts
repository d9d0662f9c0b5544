// The questions that prove the books right, whatever happened before. Each returns what is wrong; none returns
// anything in a sound database.
import { type Db, statement } from './sql.ts'

export interface Break {
  readonly check: string
  readonly partnerId: string
  readonly environment: string
  readonly detail: string
}

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
     group by partner_id, environment, account in ('fees_receivable', 'fees_earned') having sum(balance) <> 0`,
  held_is_not_what_is_being_sent: accountCheck('held', `send_state in ('sending', 'unknown') and status = 'pending'`),
  in_transit_is_not_what_is_under_way: accountCheck(
    'in_transit',
    `status = 'processing' or (status = 'returned' and refund_state = 'due' and completed_at is null)`,
  ),
  paid_out_is_not_what_was_completed: accountCheck(
    'paid_out',
    `status = 'completed' or (status = 'returned' and refund_state = 'due' and completed_at is not null)`,
  ),
  payout_at_rest_still_costs: `
    select p.partner_id, p.environment, p.id || ' ' || p.status || ' took ' || sum(
             case when e.from_account = 'available' then e.amount when e.to_account = 'available' then -e.amount
                  else 0 end) as detail
      from payouts p join ledger_entries e on e.partner_id = p.partner_id and e.cause = p.id
     where p.status in ('failed', 'cancelled') or (p.status = 'returned' and p.refund_state = 'done')
        or p.send_state in ('not_sent', 'rejected')
     group by p.partner_id, p.environment, p.id, p.status
    having sum(case when e.from_account = 'available' then e.amount when e.to_account = 'available' then -e.amount
                    else 0 end) <> 0`,
  month_is_not_the_sum_of_its_payouts: `
    select u.partner_id, u.environment, u.month || ': ' || u.completed || ' completed, '
             || count(p.id) || ' found' as detail
      from usage_months u
      left join payouts p on p.partner_id = u.partner_id and p.environment = u.environment
       and p.completed_at is not null
       and date_trunc('month', p.completed_at at time zone 'Europe/London') = u.month
     group by u.partner_id, u.environment, u.month, u.completed, u.paid_pence, u.fee_pence
    having u.completed <> count(p.id) or u.paid_pence <> coalesce(sum(p.amount_pence), 0)
        or u.fee_pence <> coalesce(sum(p.fee_pence), 0)`,
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

export async function findBreaks(db: Db): Promise<Break[]> {
  const breaks: Break[] = []
  for (const [check, text] of Object.entries(CHECKS)) {
    const rows = await db.query<{ partner_id: string; environment: string; detail: string }>(statement('', text))
    for (const row of rows) {
      breaks.push({ check, partnerId: row.partner_id, environment: row.environment, detail: row.detail })
    }
  }
  return breaks
}
