-- A payout's row is written when it is asked for and afterwards only in place (HOT): what moves while it is followed lies
-- beside it, and no index has a column that following a payout changes.

-- step: what is new, which nobody waits for.
create table if not exists payout_follow_ups (
  partner_id     uuid not null,
  environment    environment not null,
  payout_id      uuid not null,
  -- the payout's own, so that what is under way can be listed in its order
  created_at     timestamptz not null,
  next_check_at  timestamptz not null,
  checks         integer not null default 0 check (checks >= 0),
  -- who may ask and record, and until when
  lease_token    uuid,
  lease_until    timestamptz,
  -- written by a program of the release before, which has its lease in the payout's row
  is_mirrored    boolean not null default false,
  primary key (partner_id, environment, payout_id),
  check ((lease_token is null) = (lease_until is null))
) with (fillfactor = 70);
-- due_payouts: what is to be looked at, the longest overdue first.
create index if not exists payout_follow_ups_due on payout_follow_ups (environment, next_check_at);
-- list_payouts_pending, list_payouts_processing: what is under way, the newest first.
create index if not exists payout_follow_ups_by_time on payout_follow_ups (partner_id, environment, created_at, payout_id);

-- Which payouts changed in the last minute, one row per batch: for dashboards that are open.
create table if not exists payout_changes (
  partner_id   uuid not null,
  environment  environment not null,
  at           timestamptz not null,
  id           uuid not null,
  payout_ids   uuid[] not null,
  primary key (partner_id, environment, at, id)
);

-- Whose a transfer of the bank's is: payouts_at_bank_of_transfers asks by the bank's id. An index of payouts would be written
-- anew with all others when a payout gets its transfer.
create table if not exists payout_transfers (
  partner_id    uuid not null,
  environment   environment not null,
  payout_id     uuid not null,
  transfer_ref  text not null,
  primary key (partner_id, environment, payout_id)
);
create index if not exists payout_transfers_ref on payout_transfers (environment, transfer_ref);

create or replace function keep_transfer() returns trigger language plpgsql as $$
begin
  insert into payout_transfers (partner_id, environment, payout_id, transfer_ref)
  values (new.partner_id, new.environment, new.id, new.provider_ref)
  on conflict (partner_id, environment, payout_id) do update set transfer_ref = excluded.transfer_ref;
  return null;
end $$;

-- Programs of the release before write their leases into the payout's row. A follow-up mirrors them, and what they held is
-- taken from them when its follow-up is leased to another: late, they change nothing.
create or replace function mirror_follow_up() returns trigger language plpgsql as $$
begin
  if new.next_check_at is null then
    delete from payout_follow_ups
     where partner_id = new.partner_id and environment = new.environment and payout_id = new.id;
  else
    insert into payout_follow_ups
      (partner_id, environment, payout_id, created_at, next_check_at, checks, lease_token, lease_until, is_mirrored)
    values (new.partner_id, new.environment, new.id, new.created_at, new.next_check_at, new.checks, new.lease_token,
            new.lease_until, true)
    on conflict (partner_id, environment, payout_id) do update set
      created_at = excluded.created_at, next_check_at = excluded.next_check_at, checks = excluded.checks,
      lease_token = excluded.lease_token, lease_until = excluded.lease_until, is_mirrored = true;
  end if;
  return null;
end $$;

create or replace function end_mirrored_lease() returns trigger language plpgsql as $$
begin
  update payouts set lease_token = null, lease_until = null
   where partner_id = old.partner_id and environment = old.environment and id = old.payout_id;
  return null;
end $$;

create or replace trigger end_mirrored_lease after update on payout_follow_ups for each row
  when (old.is_mirrored and new.lease_token is distinct from old.lease_token and pg_trigger_depth() = 0)
  execute function end_mirrored_lease();
create or replace trigger end_mirrored_follow_up after delete on payout_follow_ups for each row
  when (old.is_mirrored and pg_trigger_depth() = 0)
  execute function end_mirrored_lease();

-- step: from here on what such programs write is mirrored.
create or replace trigger mirror_new_follow_up after insert on payouts for each row
  when (new.next_check_at is not null) execute function mirror_follow_up();
create or replace trigger mirror_follow_up after update on payouts for each row
  when ((old.next_check_at, old.lease_token) is distinct from (new.next_check_at, new.lease_token)
        and pg_trigger_depth() = 0)
  execute function mirror_follow_up();

-- The simulated rail has no list, so nobody asks by its transfers.
create or replace trigger keep_new_transfer after insert on payouts for each row
  when (new.provider_ref is not null and new.rail <> 'simulated') execute function keep_transfer();
create or replace trigger keep_transfer after update on payouts for each row
  when (new.provider_ref is not null and new.rail <> 'simulated'
        and (old.provider_ref is distinct from new.provider_ref or old.rail <> new.rail))
  execute function keep_transfer();

-- step: the transfers of before.
insert into payout_transfers (partner_id, environment, payout_id, transfer_ref)
select partner_id, environment, id, provider_ref from payouts where provider_ref is not null and rail <> 'simulated'
on conflict (partner_id, environment, payout_id) do nothing;

-- step: what was followed before.
insert into payout_follow_ups
  (partner_id, environment, payout_id, created_at, next_check_at, checks, lease_token, lease_until, is_mirrored)
select partner_id, environment, id, created_at, next_check_at, checks, lease_token, lease_until, true
  from payouts where next_check_at is not null
on conflict (partner_id, environment, payout_id) do nothing;

-- Payouts that ended before their moment was written down.
update payouts set ended_at = updated_at
 where status in ('failed', 'cancelled', 'returned') and ended_at is null and surfaced_at is not null;

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- The list, its filters and its searches: list_payouts…, sum_payouts…, payouts_by_day, list_recipients. It has what was asked
-- for and nothing of what moves. What was released is in no list; released_at is set at most once, instead of a payout.
drop index concurrently if exists payouts_listed;
create index concurrently payouts_listed on payouts (partner_id, environment, created_at, id)
  include (amount_pence, created_via, account_last4, recipient_name, reference) where released_at is null;
-- list_payouts_failed and the like, and partners_to_tell: what did not arrive, which is little. ended_at is set once.
drop index concurrently if exists payouts_ended;
create index concurrently payouts_ended on payouts (partner_id, environment, created_at, id) where ended_at is not null;
drop index concurrently if exists payouts_not_delivered;
create index concurrently payouts_not_delivered on payouts (partner_id, ended_at)
  where environment = 'live' and ended_at is not null;
-- list_payouts_reference.
drop index concurrently if exists payouts_by_reference;
create index concurrently payouts_by_reference on payouts (partner_id, environment, reference, created_at, id)
  where reference is not null and released_at is null;
drop index concurrently if exists payouts_by_time;
drop index concurrently if exists payouts_not_completed;
drop index concurrently if exists payouts_by_change;
drop index concurrently if exists payouts_due;
drop index concurrently if exists payouts_undelivered;
drop index concurrently if exists payouts_reference;
drop index concurrently if exists payouts_by_transfer;

-- step
-- Half of a page is left for the new versions of its rows: a batch of payouts is written and then changed as one.
alter table payouts set (fillfactor = 50);
