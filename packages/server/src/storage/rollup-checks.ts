// The sums that are kept, against what they count: each question returns the rows that differ, so nothing in a sound database.
// They add everything up again, as the reads did before there were sums.

export interface RollupDifference {
  readonly partner_id: string
  readonly environment: string
  readonly detail: string
}

/** Which rows a question looks at: everybody's, or one wallet's, whose partner is `$1` and environment `$2`. */
type Whose = 'everybody' | 'one wallet'
const of = (whose: Whose) => (whose === 'everybody' ? 'true' : 'partner_id = $1 and environment = $2')

const payoutDays = (whose: Whose) => `
  select partner_id, environment,
         day || ' by ' || counted_by || ', ' || status || ', ' || created_via || ': kept '
           || coalesce(d.payouts, 0) || ' of ' || coalesce(d.amount_pence, 0) || ' and ' || coalesce(d.fee_pence, 0)
           || ', found ' || coalesce(p.payouts, 0) || ' of ' || coalesce(p.amount, 0) || ' and ' || coalesce(p.fee, 0)
           as detail
    from (select * from payout_days where ${of(whose)}) d
    full join (
      select partner_id, environment, c.counted_by, (c.at at time zone 'Europe/London')::date as day, status, created_via,
             count(*) as payouts, sum(amount_pence) as amount, sum(fee_pence) as fee
        from payouts
       cross join lateral (values ('created', created_at), ('completed', completed_at), ('ended', ended_at))
               as c (counted_by, at)
       where ${of(whose)} and surfaced_at is not null and released_at is null and c.at is not null
       group by 1, 2, 3, 4, 5, 6
    ) p using (partner_id, environment, counted_by, day, status, created_via)
   where (coalesce(d.payouts, 0), coalesce(d.amount_pence, 0), coalesce(d.fee_pence, 0))
         <> (coalesce(p.payouts, 0), coalesce(p.amount, 0), coalesce(p.fee, 0))`

const WALLET_SUMS = {
  in_micro: `from_account <> 'available'`,
  out_micro: `from_account = 'available'`,
  topped_up_micro: `kind in ('credit', 'adjust') and from_account <> 'available'`,
  taken_out_micro: `kind in ('credit', 'adjust') and from_account = 'available'`,
  held_micro: `kind = 'hold'`,
  released_micro: `kind = 'release'`,
  refunded_micro: `kind = 'refund'`,
}
const WALLET_COLUMNS = Object.keys(WALLET_SUMS)
const walletRow = (row: string) => WALLET_COLUMNS.map((column) => `coalesce(${row}.${column}, 0)`).join(', ')

const walletDays = (whose: Whose) => `
  select partner_id, environment, day || ': kept ' || (${walletRow('d')})::text || ', found ' || (${walletRow('e')})::text
           as detail
    from (select * from wallet_days where ${of(whose)}) d
    full join (
      select partner_id, environment, (at at time zone 'Europe/London')::date as day,
             ${Object.entries(WALLET_SUMS)
               .map(([column, which]) => `coalesce(sum(amount) filter (where ${which}), 0) as ${column}`)
               .join(', ')}
        from ledger_entries where ${of(whose)} and (from_account = 'available' or to_account = 'available')
       group by 1, 2, 3
    ) e using (partner_id, environment, day)
   where (${walletRow('d')}) <> (${walletRow('e')})`

const EXACT = 'coalesce(exact_micropence, amount_pence * 1000000)'
const CHARGE_COLUMNS = ['quantity', 'exact_micropence', 'least_micropence', 'most_micropence', 'posted_pence']
const chargeRow = (row: string) => CHARGE_COLUMNS.map((column) => `coalesce(${row}.${column}, 0)`).join(', ')
/** Only live is charged. */
const ofCharges = (whose: Whose) => (whose === 'everybody' ? 'true' : `partner_id = $1 and $2 = 'live'`)

const chargeMonths = (whose: Whose) => `
  select partner_id, 'live' as environment,
         month || ' ' || kind || ': kept ' || (${chargeRow('m')})::text || ', found ' || (${chargeRow('c')})::text as detail
    from (select * from charge_months where ${ofCharges(whose)}) m
    full join (
      select partner_id, month, kind, count(*) as quantity, sum(${EXACT}) as exact_micropence,
             min(${EXACT}) as least_micropence, max(${EXACT}) as most_micropence, sum(amount_pence) as posted_pence
        from charges where ${ofCharges(whose)} group by 1, 2, 3
    ) c using (partner_id, month, kind)
   where (${chargeRow('m')}) <> (${chargeRow('c')})`

const londonMonth = (moment: string) => `date_trunc('month', ${moment} at time zone 'Europe/London')::date`
const MONTH_COLUMNS = ['created', 'completed', 'paid_pence', 'fee_pence', 'fee_on_invoice_pence']
const monthRow = (row: string) => MONTH_COLUMNS.map((column) => `coalesce(${row}.${column}, 0)`).join(', ')

const usageMonths = (whose: Whose) => `
  select partner_id, environment, month || ': kept ' || (${monthRow('u')})::text || ', found ' || (${monthRow('p')})::text
           as detail
    from (select * from usage_months where ${of(whose)}) u
    full join (
      select partner_id, environment, c.month, sum(c.created) as created, sum(c.completed) as completed,
             sum(amount_pence * c.completed) as paid_pence, sum(fee_pence * c.completed) as fee_pence,
             sum(fee_on_invoice_pence * c.completed) as fee_on_invoice_pence
        from payouts
       cross join lateral (values (${londonMonth('created_at')}, 1, 0), (${londonMonth('completed_at')}, 0, 1))
               as c (month, created, completed)
       where ${of(whose)} and surfaced_at is not null and released_at is null and c.month is not null
       group by 1, 2, 3
    ) p using (partner_id, environment, month)
   where (${monthRow('u')}) <> (${monthRow('p')})`

/** What counts against a limit: a payout that came to nothing gives its room back (migration 0068). */
const spendDays = (whose: Whose) => `
  select partner_id, environment,
         day || ', spender ' || spender_id || ': kept ' || coalesce(d.spent_pence, 0) || ', found ' || coalesce(p.spent, 0)
           as detail
    from (select * from spend_days where ${of(whose)}) d
    full join (
      select partner_id, environment, spender_id, (created_at at time zone 'Europe/London')::date as day,
             sum(amount_pence) as spent
        from payouts
       where ${of(whose)} and spender_id is not null and status not in ('failed', 'cancelled')
         and send_state not in ('not_sent', 'rejected')
       group by 1, 2, 3, 4
    ) p using (partner_id, environment, spender_id, day)
   where coalesce(d.spent_pence, 0) <> coalesce(p.spent, 0)`

/** By what it is called when one differs. */
const CHECKS = {
  payout_days_are_not_their_payouts: payoutDays,
  wallet_days_are_not_their_entries: walletDays,
  charge_months_are_not_their_charges: chargeMonths,
  spend_days_are_not_their_payouts: spendDays,
} as const

export const ROLLUP_CHECKS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CHECKS).map(([check, text]) => [check, text('everybody')]),
)

/** The same for one wallet, and its months' usage. */
export const ROLLUP_CHECKS_OF_WALLET: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(CHECKS).map(([check, text]) => [check, text('one wallet')])),
  usage_months_are_not_their_payouts: usageMonths('one wallet'),
}
