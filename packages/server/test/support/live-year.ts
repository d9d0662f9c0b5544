// A year of live payouts straight in SQL, as the service would have left it: for what only shows when there are many.
export interface LiveYear {
  readonly partners: number
  readonly payouts: number
  /** When the first partners were verified; every third began after a third of the time. */
  readonly from: string
  readonly days: number
}

/** Statements that make it, in order. Every fiftieth payout came back two days later. */
export function liveYear({ partners, payouts, from, days }: LiveYear): string[] {
  const month = (moment: string) => `date_trunc('month', ${moment} at time zone 'Europe/London')::date`
  return [
    `insert into partners (id, slug, name, verification_status, verified_at, created_at)
     select gen_random_uuid(), 'partner-' || n, 'Partner ' || n, 'approved', began, began - interval '1 hour'
       from generate_series(1, ${partners}) n
      cross join lateral (
        select timestamptz '${from}' + case when n % 3 = 0 then interval '${days} days' / 3 else interval '0' end as began
      ) b`,
    `insert into wallets (partner_id, environment, rail, created_at)
     select id, 'live', 'provider_production', created_at from partners`,
    `insert into ledger_accounts (partner_id, environment, account)
     select id, 'live', unnest(enum_range(null::ledger_account)) from partners`,
    `insert into plans select id, created_at, 99, 100, 20, 50, 1500, 3900 from partners`,
    `insert into plans select id, timestamptz '${from}' + interval '${days} days' / 2, 99, 100, 20, 50, 900, 3900
       from partners where slug like '%4'`,
    `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
     select id, 'live', gen_random_uuid(), 'credit', 'external', 'available', 1000000000000000, created_at from partners`,
    `create temporary table wanted as
     select p.id as partner_id, gen_random_uuid() as id, n,
            100 + (n * 7919) % 100000 as amount,
            p.verified_at + interval '1 hour' + (n::numeric / ${Math.max(payouts, 1)})
              * (timestamptz '${from}' + interval '${days} days' - p.verified_at) as made_at
       from generate_series(1, ${payouts}) n
       join (select id, verified_at, row_number() over (order by id) - 1 as nth from partners) p
         on p.nth = n % ${partners}`,
    `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
       reference, recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
       fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, failure_reason, refund_state, created_at,
       updated_at, completed_at, ended_at, surfaced_at, rail, send_state)
     select partner_id, 'live', id, 'order-' || lpad(n::text, 8, '0'), sha256('x'), 'api', amount, 'GB', 'Order ' || n,
            'Amara Okafor', '5678', 'sealed', sha256('y'), 0.79, fee, share, fee - share, amount * 12700,
            case when is_back then 'returned' else 'completed' end, case when is_back then 'Account closed.' end,
            case when is_back then 'done' else 'none' end, made_at, coalesce(back_at, done_at), done_at, back_at,
            made_at, 'provider_production', 'accepted'
       from wanted
      cross join lateral (select 99 + (amount + 50) / 100 as fee, 20 + (amount * 50 + 5000) / 10000 as share) f
      cross join lateral (select n % 50 = 0 as is_back, made_at + interval '1 minute' as done_at) d
      cross join lateral (select case when is_back then made_at + interval '2 days' end as back_at) b`,
    `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
     select p.partner_id, 'live'::environment, p.id, step.kind, step.source, step.target, p.wallet_sends_micro, p.created_at
       from payouts p cross join (values
         ('hold', 'available'::ledger_account, 'held'::ledger_account), ('capture', 'held', 'in_transit'),
         ('settle', 'in_transit', 'paid_out')) as step (kind, source, target)
     union all
     select partner_id, 'live', id, 'refund', 'paid_out'::ledger_account, 'available'::ledger_account, wallet_sends_micro, ended_at
       from payouts where ended_at is not null`,
    `insert into usage_months (partner_id, environment, month, created, completed, paid_pence, fee_pence,
       fee_on_invoice_pence)
     select partner_id, 'live', ${month('completed_at')}, count(*), count(*), sum(amount_pence), sum(fee_pence),
            sum(fee_on_invoice_pence)
       from payouts group by 1, 3`,
    `insert into charges (partner_id, cause, kind, month, amount_pence, cost_pence, at)
     select p.partner_id, p.id, charge.kind, ${month('p.completed_at')},
            coalesce(charge.cost, p.fee_on_invoice_pence), charge.cost, p.completed_at
       from payouts p cross join (values ('payout_fees', null::bigint), ('network_fees', 2)) as charge (kind, cost)
     union all
     select partner_id, id, 'bank_exceptions', ${month('ended_at')}, 300, 250, ended_at
       from payouts where ended_at is not null`,
    `insert into charges (partner_id, cause, kind, month, amount_pence, at)
     select id, id, 'business_verification', ${month('verified_at')}, 3900, verified_at from partners`,
    `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
     select partner_id, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, at from charges`,
    `analyze`,
  ]
}
