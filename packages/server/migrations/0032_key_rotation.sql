-- Keys can be changed: every row says which key it needs, and what older keys made is moved to the newest.

-- The keys that this database has been used with, by ids that tell nothing of them. The highest number is the newest.
create table secret_keys (
  purpose     text not null check (purpose in ('seal', 'fingerprint')),
  key_id      bytea not null check (octet_length(key_id) = 4),
  number      integer not null check (number > 0),
  since       timestamptz not null,
  -- set: no row needs it any more, and no process may write with it
  retired_at  timestamptz,
  primary key (purpose, key_id),
  unique (purpose, number)
);

-- Which key made the two fingerprints; null is the first. Sealed bytes say it themselves, unless they are as old.
alter table payouts add column fingerprint_key bytea;

-- How far the payouts have been moved to the newest keys: one pass after the other, until one has found nothing.
create table resealing (
  only_row         boolean primary key default true check (only_row),
  seal_key         bytea not null,
  fingerprint_key  bytea not null,
  -- the payout that this pass has come to
  at_partner       uuid not null,
  at_environment   environment not null,
  at_payout        uuid not null,
  moved            integer not null default 0,
  finished_at      timestamptz
);

create function newest_key(of_purpose text) returns bytea language sql stable as $$
  select key_id from secret_keys where purpose = of_purpose order by number desc limit 1
$$;

create or replace function guard_payout() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not payout_may_move(old.status, new.status) then
    raise exception 'a payout does not move from % to %', old.status, new.status;
  end if;
  if old.surfaced_at is not null and
     (new.partner_id, new.environment, new.id, new.reference, new.recipient_name, new.account_last4,
      new.amount_pence, new.fee_pence, new.fee_in_transfer_pence, new.fee_on_invoice_pence, new.gbp_per_usd,
      new.wallet_sends_micro, new.idempotency_key, new.surfaced_at)
     is distinct from
     (old.partner_id, old.environment, old.id, old.reference, old.recipient_name, old.account_last4,
      old.amount_pence, old.fee_pence, old.fee_in_transfer_pence, old.fee_on_invoice_pence, old.gbp_per_usd,
      old.wallet_sends_micro, old.idempotency_key, old.surfaced_at) then
    raise exception 'what a payout was asked for and what it costs never change';
  end if;
  -- The same under a newer key is the only other that may take the place of what was sealed and fingerprinted.
  if old.surfaced_at is not null and new.recipient_sealed <> old.recipient_sealed and
     (substring(new.recipient_sealed from 1 for 5) is distinct from '\x02'::bytea || newest_key('seal')
      or substring(old.recipient_sealed from 1 for 5) = substring(new.recipient_sealed from 1 for 5)) then
    raise exception 'what a payout was asked for and what it costs never change';
  end if;
  if old.surfaced_at is not null and
     (new.fingerprint, new.recipient_fingerprint, new.fingerprint_key)
     is distinct from (old.fingerprint, old.recipient_fingerprint, old.fingerprint_key) and
     (new.fingerprint_key is distinct from newest_key('fingerprint')
      or new.fingerprint_key is not distinct from old.fingerprint_key) then
    raise exception 'what a payout was asked for and what it costs never change';
  end if;
  return new;
end $$;
