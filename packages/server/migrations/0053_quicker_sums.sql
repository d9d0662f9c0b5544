-- The sums that are kept cost half: a statement that changes nothing they count is done after one look, and the rows of a batch,
-- which mostly share their moments, are put together before their days are worked out.
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
   cross join lateral (values ('created', p.created_at), ('completed', p.completed_at), ('ended', p.ended_at))
           as c (counted_by, at)
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
   cross join lateral (values ('created', p.created_at), ('completed', p.completed_at), ('ended', p.ended_at))
           as c (counted_by, at)
   where c.at is not null
   group by 1, 2, 3, 4, 5, 6
  having sum(p.n) <> 0 or sum(p.amount) <> 0 or sum(p.fee) <> 0
   order by 1, 2, 3, 4, 5, 6
  on conflict (partner_id, environment, counted_by, day, status, created_via) do update set
    payouts = d.payouts + excluded.payouts, amount_pence = d.amount_pence + excluded.amount_pence,
    fee_pence = d.fee_pence + excluded.fee_pence;
  return null;
end $$;

create or replace function count_new_entries() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  -- Most entries are about what has left the wallet already.
  if not exists (select from new_rows where from_account = 'available' or to_account = 'available') then
    return null;
  end if;
  insert into wallet_days as d
    (partner_id, environment, day, in_micro, out_micro, topped_up_micro, taken_out_micro, held_micro, released_micro,
     refunded_micro)
  select partner_id, environment, (at at time zone 'Europe/London')::date,
         coalesce(sum(amount) filter (where not is_out), 0)::bigint,
         coalesce(sum(amount) filter (where is_out), 0)::bigint,
         coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and not is_out), 0)::bigint,
         coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and is_out), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'hold'), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'release'), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint
    from (select partner_id, environment, at, kind, from_account = 'available' as is_out, sum(amount) as amount
            from new_rows where from_account = 'available' or to_account = 'available'
           group by partner_id, environment, at, kind, from_account = 'available') e
   group by 1, 2, 3
   order by 1, 2, 3
  on conflict (partner_id, environment, day) do update set
    in_micro = d.in_micro + excluded.in_micro, out_micro = d.out_micro + excluded.out_micro,
    topped_up_micro = d.topped_up_micro + excluded.topped_up_micro,
    taken_out_micro = d.taken_out_micro + excluded.taken_out_micro, held_micro = d.held_micro + excluded.held_micro,
    released_micro = d.released_micro + excluded.released_micro,
    refunded_micro = d.refunded_micro + excluded.refunded_micro;
  return null;
end $$;
