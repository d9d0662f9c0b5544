-- The days of a payout are put beside it by three selects in one, and no longer by a list of values: PostgreSQL makes the expressions of
-- such a list ready anew for each row that it is put beside, and a thousand businesses that pay at once have a row each.

-- step: as before, but for that list.
create or replace function count_new_payouts() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  -- What is reserved is not there to be seen yet.
  if not exists (select from new_rows where surfaced_at is not null) then
    return null;
  end if;
  insert into payout_days as d
    (partner_id, environment, counted_by, day, status, created_via, payouts, amount_pence, fee_pence)
  select p.partner_id, p.environment, c.counted_by, (c.at at time zone 'Europe/London')::date, p.status, p.created_via,
         count(*), sum(p.amount_pence)::bigint, sum(p.fee_pence)::bigint
    from new_rows p
   cross join lateral (select 'created' as counted_by, p.created_at as at
                       union all select 'completed', p.completed_at
                       union all select 'ended', p.ended_at) c
   where p.surfaced_at is not null and p.released_at is null and c.at is not null
   group by 1, 2, 3, 4, 5, 6
   order by 1, 2, 3, 4, 5, 6
  on conflict (partner_id, environment, counted_by, day, status, created_via) do update set
    payouts = d.payouts + excluded.payouts, amount_pence = d.amount_pence + excluded.amount_pence,
    fee_pence = d.fee_pence + excluded.fee_pence;
  return null;
end $$;

create or replace function count_changed_payouts() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from new_rows where surfaced_at is not null) then
    return null;
  end if;
  insert into payout_days as d
    (partner_id, environment, counted_by, day, status, created_via, payouts, amount_pence, fee_pence)
  select p.partner_id, p.environment, c.counted_by, (c.at at time zone 'Europe/London')::date, p.status, p.created_via,
         sum(p.n)::bigint, sum(p.amount)::bigint, sum(p.fee)::bigint
    from (select partner_id, environment, status, created_via, created_at, completed_at, ended_at, count(*) as n,
                 sum(amount_pence) as amount, sum(fee_pence) as fee
            from new_rows where surfaced_at is not null and released_at is null
           group by partner_id, environment, status, created_via, created_at, completed_at, ended_at
          union all
          select partner_id, environment, status, created_via, created_at, completed_at, ended_at, -count(*),
                 -sum(amount_pence), -sum(fee_pence)
            from old_rows where surfaced_at is not null and released_at is null
           group by partner_id, environment, status, created_via, created_at, completed_at, ended_at) p
   cross join lateral (select 'created' as counted_by, p.created_at as at
                       union all select 'completed', p.completed_at
                       union all select 'ended', p.ended_at) c
   where c.at is not null
   group by 1, 2, 3, 4, 5, 6
  having sum(p.n) <> 0 or sum(p.amount) <> 0 or sum(p.fee) <> 0
   order by 1, 2, 3, 4, 5, 6
  on conflict (partner_id, environment, counted_by, day, status, created_via) do update set
    payouts = d.payouts + excluded.payouts, amount_pence = d.amount_pence + excluded.amount_pence,
    fee_pence = d.fee_pence + excluded.fee_pence;
  return null;
end $$;
revoke all on function count_new_payouts(), count_changed_payouts() from public;
