-- Sums that are kept instead of added up at every question, which took longer with every payout. Each is written by the statement
-- that changes what it counts, under the wallet's lock that this holds anyway, and `kestrel audit rollups` proves them.

-- step: what is new, which nobody waits for.
-- What a partner sees of its payouts, by days of London: sum_payout_days, payouts_by_day, payouts_by_completed_day. A payout counts
-- on the day of its creation, on that of its first completion, and on that of its other ending.
create table if not exists payout_days (
  partner_id    uuid not null,
  environment   environment not null,
  counted_by    text not null check (counted_by in ('created', 'completed', 'ended')),
  day           date not null,
  status        text not null,
  created_via   text not null,
  payouts       bigint not null,
  amount_pence  bigint not null,
  fee_pence     bigint not null,
  primary key (partner_id, environment, counted_by, day, status, created_via)
) with (fillfactor = 50);

-- What came into the account `available` and left it, by days of London: list_movements, sum_movements.
create table if not exists wallet_days (
  partner_id       uuid not null,
  environment      environment not null,
  day              date not null,
  in_micro         bigint not null,
  out_micro        bigint not null,
  topped_up_micro  bigint not null,
  taken_out_micro  bigint not null,
  held_micro       bigint not null,
  released_micro   bigint not null,
  refunded_micro   bigint not null,
  primary key (partner_id, environment, day)
) with (fillfactor = 50);

-- What a month's charges come to: read_usage, sum_charges.
create table if not exists charge_months (
  partner_id         uuid not null,
  month              date not null,
  kind               text not null,
  quantity           bigint not null,
  exact_micropence   bigint not null,
  least_micropence   bigint not null,
  most_micropence    bigint not null,
  posted_pence       bigint not null,
  primary key (partner_id, month, kind)
) with (fillfactor = 50);

-- They act for the owner: the service reads these tables and cannot write them.
create or replace function count_new_payouts() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
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

-- What a payout was is taken off and what it is now is added; most of its columns are counted nowhere, and then nothing is left.
create or replace function count_changed_payouts() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into payout_days as d
    (partner_id, environment, counted_by, day, status, created_via, payouts, amount_pence, fee_pence)
  select p.partner_id, p.environment, c.counted_by, (c.at at time zone 'Europe/London')::date, p.status, p.created_via,
         sum(p.n), sum(p.n * p.amount_pence)::bigint, sum(p.n * p.fee_pence)::bigint
    from (select 1 as n, partner_id, environment, status, created_via, amount_pence, fee_pence, created_at, completed_at,
                 ended_at
            from new_rows where surfaced_at is not null and released_at is null
          union all
          select -1, partner_id, environment, status, created_via, amount_pence, fee_pence, created_at, completed_at, ended_at
            from old_rows where surfaced_at is not null and released_at is null) p
   cross join lateral (values ('created', p.created_at), ('completed', p.completed_at), ('ended', p.ended_at))
           as c (counted_by, at)
   where c.at is not null
   group by 1, 2, 3, 4, 5, 6
  having sum(p.n) <> 0 or sum(p.n * p.amount_pence) <> 0 or sum(p.n * p.fee_pence) <> 0
   order by 1, 2, 3, 4, 5, 6
  on conflict (partner_id, environment, counted_by, day, status, created_via) do update set
    payouts = d.payouts + excluded.payouts, amount_pence = d.amount_pence + excluded.amount_pence,
    fee_pence = d.fee_pence + excluded.fee_pence;
  return null;
end $$;

create or replace function count_new_entries() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into wallet_days as d
    (partner_id, environment, day, in_micro, out_micro, topped_up_micro, taken_out_micro, held_micro, released_micro,
     refunded_micro)
  select partner_id, environment, (at at time zone 'Europe/London')::date,
         coalesce(sum(amount) filter (where from_account <> 'available'), 0)::bigint,
         coalesce(sum(amount) filter (where from_account = 'available'), 0)::bigint,
         coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and from_account <> 'available'), 0)::bigint,
         coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and from_account = 'available'), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'hold'), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'release'), 0)::bigint,
         coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint
    from new_rows where from_account = 'available' or to_account = 'available'
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

create or replace function count_new_charges() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into charge_months as m
    (partner_id, month, kind, quantity, exact_micropence, least_micropence, most_micropence, posted_pence)
  select partner_id, month, kind, count(*), sum(exact)::bigint, min(exact), max(exact), sum(amount_pence)::bigint
    from (select partner_id, month, kind, amount_pence, coalesce(exact_micropence, amount_pence * 1000000) as exact
            from new_rows) c
   group by 1, 2, 3
   order by 1, 2, 3
  on conflict (partner_id, month, kind) do update set
    quantity = m.quantity + excluded.quantity, exact_micropence = m.exact_micropence + excluded.exact_micropence,
    least_micropence = least(m.least_micropence, excluded.least_micropence),
    most_micropence = greatest(m.most_micropence, excluded.most_micropence),
    posted_pence = m.posted_pence + excluded.posted_pence;
  return null;
end $$;

-- step: from here on every change is counted, whichever release makes it. One table at a time, since whoever pays writes to
-- more than one of them.
create or replace trigger count_new_payouts after insert on payouts
  referencing new table as new_rows for each statement execute function count_new_payouts();
create or replace trigger count_changed_payouts after update on payouts
  referencing old table as old_rows new table as new_rows for each statement execute function count_changed_payouts();

-- step
create or replace trigger count_new_entries after insert on ledger_entries
  referencing new table as new_rows for each statement execute function count_new_entries();

-- step
create or replace trigger count_new_charges after insert on charges
  referencing new table as new_rows for each statement execute function count_new_charges();

-- step: what was there before. Each statement sees one moment: what there is by then, less what was counted by then, is what is
-- missing, and is added to whatever has been counted meanwhile. Nobody is kept from writing while it is added up.
insert into payout_days as d
  (partner_id, environment, counted_by, day, status, created_via, payouts, amount_pence, fee_pence)
select partner_id, environment, counted_by, day, status, created_via, sum(payouts)::bigint, sum(amount)::bigint,
       sum(fee)::bigint
  from (select p.partner_id, p.environment, c.counted_by, (c.at at time zone 'Europe/London')::date as day, p.status,
               p.created_via, count(*) as payouts, sum(p.amount_pence) as amount, sum(p.fee_pence) as fee
          from payouts p
         cross join lateral (values ('created', p.created_at), ('completed', p.completed_at), ('ended', p.ended_at))
                 as c (counted_by, at)
         where p.surfaced_at is not null and p.released_at is null and c.at is not null
         group by 1, 2, 3, 4, 5, 6
        union all
        select partner_id, environment, counted_by, day, status, created_via, -payouts, -amount_pence, -fee_pence
          from payout_days) missing
 group by 1, 2, 3, 4, 5, 6
having sum(payouts) <> 0 or sum(amount) <> 0 or sum(fee) <> 0
 order by 1, 2, 3, 4, 5, 6
on conflict (partner_id, environment, counted_by, day, status, created_via) do update set
  payouts = d.payouts + excluded.payouts, amount_pence = d.amount_pence + excluded.amount_pence,
  fee_pence = d.fee_pence + excluded.fee_pence;

-- step
insert into wallet_days as d
  (partner_id, environment, day, in_micro, out_micro, topped_up_micro, taken_out_micro, held_micro, released_micro,
   refunded_micro)
select partner_id, environment, day, sum(came)::bigint, sum(went)::bigint, sum(topped_up)::bigint, sum(taken_out)::bigint,
       sum(held)::bigint, sum(released)::bigint, sum(refunded)::bigint
  from (select partner_id, environment, (at at time zone 'Europe/London')::date as day,
               coalesce(sum(amount) filter (where from_account <> 'available'), 0) as came,
               coalesce(sum(amount) filter (where from_account = 'available'), 0) as went,
               coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and from_account <> 'available'), 0)
                 as topped_up,
               coalesce(sum(amount) filter (where kind in ('credit', 'adjust') and from_account = 'available'), 0)
                 as taken_out,
               coalesce(sum(amount) filter (where kind = 'hold'), 0) as held,
               coalesce(sum(amount) filter (where kind = 'release'), 0) as released,
               coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded
          from ledger_entries where from_account = 'available' or to_account = 'available'
         group by 1, 2, 3
        union all
        select partner_id, environment, day, -in_micro, -out_micro, -topped_up_micro, -taken_out_micro, -held_micro,
               -released_micro, -refunded_micro
          from wallet_days) missing
 group by 1, 2, 3
having (sum(came), sum(went), sum(topped_up), sum(taken_out), sum(held), sum(released), sum(refunded))
       <> (0, 0, 0, 0, 0, 0, 0)
 order by 1, 2, 3
on conflict (partner_id, environment, day) do update set
  in_micro = d.in_micro + excluded.in_micro, out_micro = d.out_micro + excluded.out_micro,
  topped_up_micro = d.topped_up_micro + excluded.topped_up_micro,
  taken_out_micro = d.taken_out_micro + excluded.taken_out_micro, held_micro = d.held_micro + excluded.held_micro,
  released_micro = d.released_micro + excluded.released_micro,
  refunded_micro = d.refunded_micro + excluded.refunded_micro;

-- step
insert into charge_months as m
  (partner_id, month, kind, quantity, exact_micropence, least_micropence, most_micropence, posted_pence)
select partner_id, month, kind, sum(quantity)::bigint, sum(exact)::bigint, min(least), max(most), sum(posted)::bigint
  from (select partner_id, month, kind, count(*) as quantity,
               sum(coalesce(exact_micropence, amount_pence * 1000000)) as exact,
               min(coalesce(exact_micropence, amount_pence * 1000000)) as least,
               max(coalesce(exact_micropence, amount_pence * 1000000)) as most, sum(amount_pence) as posted
          from charges group by 1, 2, 3
        union all
        select partner_id, month, kind, -quantity, -exact_micropence, least_micropence, most_micropence, -posted_pence
          from charge_months) missing
 group by 1, 2, 3
having sum(quantity) <> 0
 order by 1, 2, 3
on conflict (partner_id, month, kind) do update set
  quantity = m.quantity + excluded.quantity, exact_micropence = m.exact_micropence + excluded.exact_micropence,
  least_micropence = least(m.least_micropence, excluded.least_micropence),
  most_micropence = greatest(m.most_micropence, excluded.most_micropence),
  posted_pence = m.posted_pence + excluded.posted_pence;
